/// Why the acts of an object can't be read.
package enum DamagedPayload: Error, Hashable, Sendable {
  /// A length or a count is more than the bytes that follow.
  case endsEarly
  /// Something follows where an act, or the object, is to end.
  case goesOn
  /// It doesn't fit 64 bits, or is no number of an act.
  case number
  /// It isn't below `Stamp.limit`.
  case stamp
  /// A name isn't UTF-8.
  case text
  /// More than `Limits.payloadBytes`.
  case tooLong
}

/// Reads a part of some bytes from front to back. It never reads beyond the part's end, and reserves nothing.
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

  /// An unsigned LEB128 number of up to 64 bits.
  mutating func number() throws(DamagedPayload) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      // The tenth byte holds the last bit.
      guard shift < 63 || byte <= 1 else { throw .number }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// A number that isn't negative where it is kept in 64 bits with a sign.
  mutating func count() throws(DamagedPayload) -> Int64 {
    guard let value = Int64(exactly: try number()) else { throw .number }
    return value
  }

  /// Eight bytes, the highest first.
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

  /// Its length in bytes, then UTF-8.
  mutating func text() throws(DamagedPayload) -> String {
    guard let text = String(validating: try bytes(try number()), as: UTF8.self) else { throw .text }
    return text
  }

  /// The next bytes as a reader of their own; this one goes on behind them.
  mutating func part(_ count: UInt64) throws(DamagedPayload) -> ByteReader {
    guard count <= UInt64(left) else { throw .endsEarly }
    defer { position += Int(count) }
    return ByteReader(bytes, position: position, end: position + Int(count))
  }
}

extension [UInt8] {
  /// An unsigned LEB128 number.
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Eight bytes, the highest first.
  mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  /// Their length, then they themselves.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(number: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
