extension JSONValue {
  /// The characters of a string that are written as escapes.
  package enum Escaping: Sendable {
    /// Only the characters that RFC 8259 requires: quote, backslash and C0 controls.
    case required
    /// Also DEL, C1, bidirectional controls, tags and line separators, so that a terminal can show the text.
    case invisible
  }

  /// Returns the value as text, with keys in their order and numbers as written; `/` isn't escaped.
  ///
  /// - Parameter pretty: whether to indent by two spaces, with a line for each member; otherwise there is no white
  ///   space.
  package func serialized(pretty: Bool = false, escaping: Escaping = .required) -> String {
    var writer = JSONWriter(pretty: pretty, escaping: escaping)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// Returns the escape sequence of a character (RFC 8259 section 7): the short one if it exists, otherwise `\uXXXX`,
  /// or two of them beyond U+FFFF.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\u{08}": return "\\b"
    case "\u{0C}": return "\\f"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      return (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter).map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }.joined()
    }
  }
}

private struct JSONWriter {
  let pretty: Bool
  let escaping: JSONValue.Escaping
  var bytes: [UInt8] = []
  private var depth = 0

  init(pretty: Bool, escaping: JSONValue.Escaping) {
    self.pretty = pretty
    self.escaping = escaping
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .number(let spelled): bytes.append(contentsOf: spelled.utf8)
    case .string(let text): write(text)
    case .array(let elements):
      list("[", "]", count: elements.count) { writer, index in writer.write(elements[index]) }
    case .object(let object):
      list("{", "}", count: object.members.count) { writer, index in
        writer.write(object.members[index].key)
        writer.bytes.append(contentsOf: (writer.pretty ? ": " : ":").utf8)
        writer.write(object.members[index].value)
      }
    }
  }

  /// Writes brackets, and the parts between them with commas.
  private mutating func list(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, count: Int, part: (inout JSONWriter, Int) -> Void
  ) {
    bytes.append(UInt8(ascii: opening))
    depth += 1
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      newLine()
      part(&self, index)
    }
    depth -= 1
    if count > 0 { newLine() }
    bytes.append(UInt8(ascii: closing))
  }

  private mutating func newLine() {
    guard pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let scalars = text.unicodeScalars
    // Characters that need no escape are written together.
    var (start, index) = (scalars.startIndex, scalars.startIndex)
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      if needsEscape(scalars[index]) {
        bytes.append(contentsOf: text.utf8[start..<index])
        escape(scalars[index])
        start = next
      }
      index = next
    }
    bytes.append(contentsOf: text.utf8[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch (scalar, escaping) {
    case ("\"", _), ("\\", _), (..<" ", _): true
    case (_, .required): false
    case (_, .invisible): Self.isInvisible(scalar)
    }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    bytes.append(contentsOf: JSONValue.escape(scalar).utf8)
  }

  /// Whether a character is escaped with `Escaping.invisible`.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
