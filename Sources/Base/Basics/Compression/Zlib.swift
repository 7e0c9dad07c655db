import CZlib

/// zlib's format (RFC 1950), of whole buffers.
package enum Zlib {
  package enum Failure: Error { case damaged, tooLong }

  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
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
    // Else cut off, broken, of a dictionary that nobody has, or with something behind its end.
    guard state == .ended, used == bytes.count else { throw .damaged }
    return inflated
  }

  /// The checksum of PNG and gzip (RFC 1952 section 8).
  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: CZlib.crc32_z(0, bytes, bytes.count))
  }
}
