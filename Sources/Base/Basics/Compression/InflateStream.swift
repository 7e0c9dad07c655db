import CZlib

/// Inflates a stream piece by piece with the system's zlib.
package final class InflateStream {
  /// The format of the compressed data.
  package enum Format {
    /// RFC 1950.
    case zlib
    /// RFC 1952.
    case gzip
    /// RFC 1951, without a header and a checksum.
    case raw

    /// The `windowBits` argument of zlib, which selects the format.
    fileprivate var windowBits: Int32 {
      switch self {
      case .zlib: 15
      case .gzip: 15 + 16
      case .raw: -15
      }
    }
  }

  /// The state of the stream after some bytes were inflated.
  package enum State {
    /// All input bytes were used, and the stream has not ended.
    case running
    case ended
    /// All bytes were inflated, but the checksum or the length after the data is wrong.
    case doubtful
    case damaged
  }

  // zlib keeps a pointer to its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  /// The buffer into which zlib writes each piece of output.
  private let piece: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter pieceBytes: the maximum length of a piece of output, in bytes.
  package init(_ format: Format, pieceBytes: Int) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    piece = .allocate(capacity: pieceBytes)
    precondition(reddot_inflateInit2(stream, format.windowBits) == Z_OK, "zlib has no memory")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// Resets the object, so that it can inflate another stream of the same format.
  package func reset() { inflateReset(stream) }

  /// Inflates the next bytes of the stream, and passes the output to `sink`.
  ///
  /// - Parameter sink: receives the output in order; its errors are rethrown.
  /// - Returns: the number of input bytes that belong to this stream, and the state of the stream after them.
  package func inflate<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> (used: Int, state: State) {
    let count = min(bytes.count, Int(UInt32.max))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(count)
    while true {
      stream.pointee.next_out = piece.baseAddress
      stream.pointee.avail_out = UInt32(piece.count)
      let code = CZlib.inflate(stream, Z_NO_FLUSH)
      try sink(
        UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - Int(stream.pointee.avail_out))]))
      let used = count - Int(stream.pointee.avail_in)
      switch code {
      case Z_STREAM_END: return (used, .ended)
      case Z_OK where stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0: continue
      // No progress is possible without more bytes.
      case Z_OK, Z_BUF_ERROR: return (used, .running)
      case Z_DATA_ERROR where isChecked: return (used, .doubtful)
      default: return (used, .damaged)
      }
    }
  }

  /// Whether zlib reported that the checksum or the length after the data is wrong.
  private var isChecked: Bool {
    let reason = stream.pointee.msg.map { String(cString: $0) }
    return reason == "incorrect data check" || reason == "incorrect length check"
  }
}
