/// CRC-32 as gzip uses it (RFC 1952 section 8).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
  }

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var crc: UInt32 = 0xffff_ffff
      for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
      return ~crc
    }
  }
}

/// Adler-32 as zlib uses it (RFC 1950 section 9).
enum Adler32 {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    var index = 0
    while index < bytes.count {
      // As many as cannot overflow before the remainder is taken.
      let end = min(bytes.count, index + 5552)
      while index < end {
        low &+= UInt32(bytes[index])
        high &+= low
        index += 1
      }
      low %= 65_521
      high %= 65_521
    }
    return high << 16 | low
  }
}
