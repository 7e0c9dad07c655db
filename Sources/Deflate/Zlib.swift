import CZlib

/// zlib's format (RFC 1950), of whole buffers.
enum Zlib {
  enum Failure: Error { case damaged, tooLong }

  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let bound = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(bound)) { room, count in
      var length = bound
      // Of a buffer as large as the bound it fails for want of memory alone.
      let code = compress(room.baseAddress, &length, bytes, UInt(bytes.count))
      precondition(code == Z_OK, "zlib has no memory")
      count = Int(length)
    }
  }

  /// - Parameter limit: of the inflated bytes.
  static func inflate(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard bytes.count <= UInt32.max else { throw .tooLong }
    return try bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(Failure) in try inflate(bytes, limit: limit) }
    }.get()
  }

  private static func inflate(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(Failure) -> [UInt8] {
    // zlib keeps a pointer to its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard reddot_inflateInit2(stream, 15) == Z_OK else { throw .damaged }
    defer { inflateEnd(stream) }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    defer { piece.deallocate() }
    var inflated: [UInt8] = []
    while true {
      stream.pointee.next_out = piece.baseAddress
      stream.pointee.avail_out = UInt32(piece.count)
      let code = CZlib.inflate(stream, Z_NO_FLUSH)
      let made = piece.prefix(piece.count - Int(stream.pointee.avail_out))
      guard inflated.count + made.count <= limit else { throw .tooLong }
      inflated.append(contentsOf: made)
      switch code {
      case Z_STREAM_END where stream.pointee.avail_in == 0: return inflated
      case Z_OK where !made.isEmpty: continue
      // Cut off, broken, of a dictionary that nobody has, or with something behind its end.
      default: throw .damaged
      }
    }
  }
}
