import Messages

/// A message's extras as JSON, as `JSONEncoder` writes them with sorted keys and bare slashes, byte for byte: the text
/// is hashed and stored, so it may never change. Written by hand, for a poll may bring 100,000 of them.
enum ExtrasText {
  /// - Parameter buffer: takes the UTF-8 of the text in place of what it held.
  static func write(_ extras: MessageExtras, into buffer: inout [UInt8]) {
    var writer = Writer(bytes: consume buffer)
    defer { buffer = writer.bytes }
    writer.bytes.removeAll(keepingCapacity: true)
    writer.object {
      $0.array("actions", extras.actions) { writer, action in
        writer.object {
          $0.member("label", action.label)
          $0.member("url", action.url)
        }
      }
      $0.member("category", extras.category)
      if let cut = extras.cut { $0.array("cut", cut) { writer, part in writer.element(part.rawValue) } }
      $0.member("poster", extras.poster)
      $0.member("sound", extras.sound)
      $0.array("translations", extras.translations) { writer, translation in
        writer.object {
          $0.member("body", translation.body)
          $0.member("language", translation.language)
          $0.member("title", translation.title)
        }
      }
      $0.member("unknownKeys", extras.unknownKeys)
    }
  }
}

extension ExtrasText {
  private struct Writer {
    var bytes: [UInt8]
    private var needsComma = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func object(_ members: (inout Writer) -> Void) {
      separate()
      bytes.append(UInt8(ascii: "{"))
      needsComma = false
      members(&self)
      bytes.append(UInt8(ascii: "}"))
      needsComma = true
    }

    mutating func array<Element>(
      _ key: StaticString, _ elements: [Element], _ write: (inout Writer, Element) -> Void
    ) {
      name(key)
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
}
