import Foundation

extension HostileCase {
  private static let mebibyte = 1 << 20

  /// Documents that are compressed.
  static let bodies: [HostileCase] = [
    .poll(
      "Content-Encoding with 1,000 gzips",
      headers: ["Content-Encoding: " + String(repeating: "gzip,", count: 1000) + "gzip"]
    ) { try $0.putStoredGzip([UInt8](repeating: 0x20, count: 1000)) },
    .poll(
      "Content-Encoding of 60 KB of commas",
      headers: ["Content-Encoding: gzip" + String(repeating: ",", count: 60_000)]
    ) { try $0.put("<rss/>") },
    .poll("gzip of 60 MB of spaces", headers: ["Content-Encoding: gzip"], decoded: 60 * mebibyte) {
      try $0.putGzip(mebibytes: 60)
    },
    .poll("gzip of 10 GB of spaces", headers: ["Content-Encoding: gzip"], decoded: 10_000 * mebibyte) {
      try $0.putGzip(mebibytes: 10_000)
    },
    .poll("gzip of 2,500,000 empty members", headers: ["Content-Encoding: gzip"]) { document in
      for _ in 0..<2_500_000 { try document.putStoredGzip([]) }
    },
    .poll("gzip without end", headers: ["Content-Encoding: gzip"], decoded: 20 * mebibyte) {
      try $0.putDeflate(mebibytes: 20, isGzip: true, hasEnd: false)
    },
    .poll("deflate of 1 GB", headers: ["Content-Encoding: deflate"], decoded: 1000 * mebibyte) {
      try $0.putDeflate(mebibytes: 1000, isGzip: false, hasEnd: true)
    },
    .poll("zstd of 60 MB of spaces", headers: ["Content-Encoding: zstd"], decoded: 60 * mebibyte) {
      try $0.putZstd(blocks: 480)
    },
    .poll("zstd of 10 GB of spaces", headers: ["Content-Encoding: zstd"], decoded: 10_000 * mebibyte) {
      try $0.putZstd(blocks: 80_000)
    },
    .poll("brotli of 60 MB of spaces", headers: ["Content-Encoding: br"], decoded: 60 * mebibyte) {
      try $0.putBrotli()
    },
    .poll("gzip of 60 MB that says brotli", headers: ["Content-Encoding: br"]) {
      try $0.putGzip(mebibytes: 60)
    },
    .poll("an ETag of 500 KB", headers: ["ETag: \"" + String(repeating: "e", count: 500_000) + "\""]) {
      try $0.put(HostileServer.honest)
    },
    .poll("20,000 headers", headers: (0..<20_000).map { "X-\($0): y" }) { try $0.put(HostileServer.honest) },
    .poll(
      "a Retry-After of 60 KB of digits", headers: ["Retry-After: " + String(repeating: "9", count: 60_000)]
    ) { try $0.put(HostileServer.honest) },
  ]
}

/// Bodies compressed by hand: every block says "a space, so many times".
extension HostileDocument {
  private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

  /// RFC 1952: one member for these bytes, stored.
  fileprivate func putStoredGzip(_ bytes: [UInt8]) throws {
    let count = UInt16(bytes.count)
    try put(Self.gzipHead + [1] + Self.littleEndian(UInt32(count) | UInt32(~count) << 16) + bytes)
    try put(Self.littleEndian(Self.checksum(bytes, 1)) + Self.littleEndian(UInt32(bytes.count)))
  }

  /// One member with that many MiB of spaces. Above 1 GB the checksum is never reached.
  fileprivate func putGzip(mebibytes: Int) throws {
    try putDeflate(mebibytes: mebibytes, isGzip: true, hasEnd: true)
    let checksum =
      mebibytes > 1000 ? 0 : Self.checksum([UInt8](repeating: 0x20, count: 1 << 20), mebibytes)
    try put(Self.littleEndian(checksum) + Self.littleEndian(UInt32(truncatingIfNeeded: mebibytes << 20)))
  }

  /// RFC 1951: that many MiB of spaces, as one block of fixed codes: a literal, then copies of 258 bytes at distance 1.
  fileprivate func putDeflate(mebibytes: Int, isGzip: Bool, hasEnd: Bool) throws {
    if isGzip { try put(Self.gzipHead) }
    let copies = (mebibytes << 20 - 1) / 258
    let space: (UInt64, Int) = (0x50, 8)
    var bits = HostileBits()
    bits.put(0b011, 3)
    bits.put(reversed: space.0, space.1)
    for _ in 0..<copies {
      // Length 258 is code 285, eight bits 11000101; distance 1 is code 0 of five bits.
      bits.put(reversed: 0b1100_0101, 8)
      bits.put(0, 5)
      if bits.bytes.count > 1 << 16 { try put(bits.takeBytes()) }
    }
    for _ in 0..<(mebibytes << 20 - 1) % 258 { bits.put(reversed: space.0, space.1) }
    if hasEnd { bits.put(0, 7) }
    try put(bits.finished)
  }

  /// RFC 8878: one frame of blocks that repeat a byte 128 KiB times.
  fileprivate func putZstd(blocks: Int) throws {
    // Magic number, no content size, a window of 8 MiB.
    try put([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68])
    for block in 0..<blocks {
      let header = UInt32(131_072) << 3 | 1 << 1 | (block == blocks - 1 ? 1 : 0)
      try put(Self.littleEndian(header).prefix(3) + [0x20])
    }
  }

  /// RFC 7932: 60 MiB of spaces.
  fileprivate func putBrotli() throws {
    let text = "z///fwAkQOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/P//9fABIAcVgAuve/"
    try put([UInt8](Data(base64Encoded: text) ?? Data()))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// CRC-32 of the repeated bytes.
  private static func checksum(_ bytes: [UInt8], _ times: Int) -> UInt32 {
    let table = (0..<256).map { index -> UInt32 in
      var entry = UInt32(index)
      for _ in 0..<8 { entry = entry & 1 == 1 ? 0xEDB8_8320 ^ (entry >> 1) : entry >> 1 }
      return entry
    }
    var value: UInt32 = 0xFFFF_FFFF
    for _ in 0..<times {
      for byte in bytes {
        let index = Int(UInt8(truncatingIfNeeded: value) ^ byte)
        value = table[index] ^ (value >> 8)
      }
    }
    return ~value
  }
}

/// Packs bits into bytes, the lowest first.
private struct HostileBits {
  private(set) var bytes: [UInt8] = []
  private var last: UInt64 = 0
  private var count = 0

  mutating func put(_ value: UInt64, _ length: Int) {
    last |= value << UInt64(count)
    count += length
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: last))
      last >>= 8
      count -= 8
    }
  }

  /// The highest bit first, as for codes.
  mutating func put(reversed value: UInt64, _ length: Int) {
    var turned: UInt64 = 0
    for place in 0..<length where value >> UInt64(place) & 1 == 1 {
      turned |= 1 << UInt64(length - 1 - place)
    }
    put(turned, length)
  }

  /// The whole bytes so far.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  var finished: [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: last)] : bytes }
}
