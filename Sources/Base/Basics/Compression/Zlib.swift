import CZlib

/// Compresses and inflates whole buffers in zlib's format (RFC 1950).
package enum Zlib {
  package enum Failure: Error { case damaged, tooLong }

  /// Compresses a whole buffer.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let bound = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(bound)) { room, count in
      var length = bound
      // The buffer is as large as zlib's bound, so that only missing memory can make it fail.
      let code = compress(room.baseAddress, &length, bytes, UInt(bytes.count))
      precondition(code == Z_OK, "zlib has no memory")
      count = Int(length)
    }
  }

  /// Inflates a whole buffer.
  ///
  /// - Parameter limit: the maximum number of inflated bytes.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    let stream = InflateStream(.zlib, pieceBytes: 64 << 10)
    var inflated: [UInt8] = []
    let (used, state) = try bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in
        try stream.inflate(bytes) { piece throws(Failure) in
          guard inflated.count + piece.count <= limit else { throw .tooLong }
          inflated.append(contentsOf: piece)
        }
      }
    }.get()
    // The stream is cut off, damaged, needs a preset dictionary, or has bytes after its end.
    guard state == .ended, used == bytes.count else { throw .damaged }
    return inflated
  }

  /// The checksum of PNG and gzip (RFC 1952 section 8).
  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: CZlib.crc32_z(0, bytes, bytes.count))
  }
}
