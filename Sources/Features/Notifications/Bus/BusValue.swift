/// A value of D-Bus (D-Bus Specification 0.43, "Type system"), for the types that notifications use.
package indirect enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// An array of bytes, such as a picture.
  case bytes([UInt8])
  /// An array, with the signature of its elements.
  case array(String, [BusValue])
  case structure([BusValue])
  /// A key and a value of a dictionary.
  case entry(BusValue, BusValue)
  case variant(BusValue)

  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  package static func strings(_ texts: [String]) -> BusValue { .array("s", texts.map(BusValue.string)) }

  /// A dictionary of the type `a{sv}`.
  package static func dictionary(_ entries: [(String, BusValue)]) -> BusValue {
    .array("{sv}", entries.map { .entry(.string($0), .variant($1)) })
  }

  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case _: nil
    }
  }

  package var number: UInt32? { if case .uint32(let number) = self { number } else { nil } }

  package var texts: [String] {
    if case .array(_, let values) = self { values.compactMap(\.text) } else { [] }
  }

  /// Returns the alignment of the type at the beginning of a signature, or `nil` for an unknown one.
  static func alignment(_ type: UInt8) -> Int? {
    switch type {
    case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
    case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
    case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "s"), UInt8(ascii: "o"),
      UInt8(ascii: "a"), UInt8(ascii: "h"):
      4
    case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
    case _: nil
    }
  }
}

/// Writes values, little-endian.
struct BusWriter {
  private(set) var bytes: [UInt8] = []

  mutating func align(_ alignment: Int) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
  }

  mutating func integer<Number: FixedWidthInteger>(_ number: Number) {
    align(Number.bitWidth / 8)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func raw(_ more: [UInt8]) { bytes += more }

  mutating func write(_ value: BusValue) {
    switch value {
    case .byte(let number): bytes.append(number)
    case .boolean(let flag): integer(flag ? 1 as UInt32 : 0)
    case .int16(let number): integer(number)
    case .uint16(let number): integer(number)
    case .int32(let number): integer(number)
    case .uint32(let number): integer(number)
    case .int64(let number): integer(number)
    case .uint64(let number): integer(number)
    case .double(let number): integer(number.bitPattern)
    case .string(let text), .objectPath(let text):
      // A NUL would end the string on the other side, which drops such a message.
      let utf8 = text.utf8.filter { $0 != 0 }
      integer(UInt32(utf8.count))
      bytes += utf8
      bytes.append(0)
    case .signature(let text):
      bytes.append(UInt8(clamping: text.utf8.count))
      bytes += text.utf8.prefix(255)
      bytes.append(0)
    case .bytes(let content):
      integer(UInt32(content.count))
      bytes += content
    case .array(let element, let values):
      integer(0 as UInt32)
      let place = bytes.count
      align(element.utf8.first.flatMap(BusValue.alignment) ?? 1)
      let start = bytes.count
      for value in values { write(value) }
      withUnsafeBytes(of: UInt32(bytes.count - start).littleEndian) { length in
        for (offset, byte) in length.enumerated() { bytes[place - 4 + offset] = byte }
      }
    case .structure(let members):
      align(8)
      for member in members { write(member) }
    case .entry(let key, let value):
      align(8)
      write(key)
      write(value)
    case .variant(let value):
      write(.signature(value.signature))
      write(value)
    }
  }
}
