/// The reason why the acts of an object can't be read.
package enum DamagedPayload: Error, Hashable, Sendable {
  /// A length or a count exceeds the remaining bytes.
  case endsEarly
  /// There are bytes after the end of an act or of the object.
  case goesOn
  /// A number doesn't fit into 64 bits, or is not valid for an act.
  case number
  /// A stamp isn't below `Stamp.limit`.
  case stamp
  /// A name isn't UTF-8.
  case text
  /// There are more bytes than `Limits.payloadBytes`.
  case tooLong
}

/// Reads a part of some bytes from front to back. It never reads beyond the part's end, and allocates nothing in
/// advance.
struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, position: 0, end: bytes.count) }

  private init(_ bytes: [UInt8], position: Int, end: Int) {
    (self.bytes, self.position, self.end) = (bytes, position, end)
  }

  var left: Int { end - position }

  mutating func byte() throws(DamagedPayload) -> UInt8 {
    guard position < end else { throw .endsEarly }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads an unsigned LEB128 number of up to 64 bits.
  mutating func number() throws(DamagedPayload) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      // The tenth byte contains the last bit.
      guard shift < 63 || byte <= 1 else { throw .number }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a number that isn't negative as a signed integer of 64 bits.
  mutating func count() throws(DamagedPayload) -> Int64 {
    guard let value = Int64(exactly: try number()) else { throw .number }
    return value
  }

  /// Reads eight bytes, the highest first.
  mutating func word() throws(DamagedPayload) -> UInt64 {
    guard left >= 8 else { throw .endsEarly }
    defer { position += 8 }
    return bytes[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func bytes(_ count: UInt64) throws(DamagedPayload) -> ArraySlice<UInt8> {
    guard count <= UInt64(left) else { throw .endsEarly }
    defer { position += Int(count) }
    return bytes[position..<position + Int(count)]
  }

  /// Reads text: its length in bytes, then UTF-8.
  mutating func text() throws(DamagedPayload) -> String {
    guard let text = String(validating: try bytes(try number()), as: UTF8.self) else { throw .text }
    return text
  }

  /// Returns the next bytes as a separate reader, and continues after them.
  mutating func part(_ count: UInt64) throws(DamagedPayload) -> ByteReader {
    guard count <= UInt64(left) else { throw .endsEarly }
    defer { position += Int(count) }
    return ByteReader(bytes, position: position, end: position + Int(count))
  }
}

extension [UInt8] {
  /// Appends an unsigned LEB128 number.
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends eight bytes, the highest first.
  mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  /// Appends bytes after their length.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(number: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
