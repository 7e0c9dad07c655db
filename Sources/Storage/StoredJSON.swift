/// Writes JSON for columns, as `JSONEncoder` does with sorted keys and bare slashes: a poll may bring 100,000 extras and
/// lists of tags, for which an encoder is too slow.
///
/// It stays apart from the writer of Formats, which Storage doesn't know: what is stored may never come out otherwise.
struct StoredJSON {
  var bytes: [UInt8]
  private var needsComma = false

  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// An array of strings.
  static func text(_ strings: [String]) -> String {
    var writer = StoredJSON()
    writer.array(strings) { $0.element($1) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  mutating func object(_ members: (inout StoredJSON) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func object(_ key: StaticString, _ members: (inout StoredJSON) -> Void) {
    name(key)
    needsComma = false
    object(members)
  }

  /// A member whose key comes from outside.
  mutating func member(_ key: String, _ value: String) {
    separate()
    text(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    text(value)
  }

  mutating func array<Element>(
    _ key: StaticString, _ elements: [Element], _ write: (inout StoredJSON, Element) -> Void
  ) {
    name(key)
    needsComma = false
    array(elements, write)
  }

  mutating func array<Element>(_ elements: [Element], _ write: (inout StoredJSON, Element) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { write(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// An absent value is left out.
  mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    name(key)
    text(value)
  }

  /// An absent number is left out.
  mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    name(key)
    bytes.append(contentsOf: String(value).utf8)
    needsComma = true
  }

  mutating func element(_ value: String) {
    separate()
    text(value)
  }

  private mutating func text(_ value: String) {
    var value = value
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8 { append(escaped: $0) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func name(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(escaped text: UnsafeBufferPointer<UInt8>) {
    var copied = 0
    for (index, byte) in text.enumerated() where Self.needsEscape(byte) {
      bytes.append(contentsOf: text[copied..<index])
      copied = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case 0x08: bytes.append(UInt8(ascii: "b"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0C: bytes.append(UInt8(ascii: "f"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case _:
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(Self.hex[Int(byte >> 4)])
        bytes.append(Self.hex[Int(byte & 15)])
      }
    }
    bytes.append(contentsOf: text[copied...])
  }

  private static let hex = Array("0123456789abcdef".utf8)

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
