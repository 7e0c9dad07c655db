import HTML

/// Character references of HTML (WHATWG HTML section 13.2.5.72), decoded once.
enum CharacterReferences {
  /// What the decoded text is for.
  enum Purpose {
    /// The text is final.
    case text
    /// The text will be read as markup: `<`, `>`, `&` and quotes stay references.
    case markup
  }

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, for purpose: Purpose, into output: inout [UInt8]) {
    var position = 0
    while let sign = bytes.index(of: UInt8(ascii: "&"), from: position) {
      output.append(contentsOf: bytes[position..<sign])
      position = sign + 1
      if let (characters, end) = reference(bytes, position) {
        append(characters, for: purpose, to: &output)
        position = end
      } else if purpose == .markup {
        output.append("&amp;")
      } else {
        output.append(UInt8(ascii: "&"))
      }
    }
    output.append(contentsOf: bytes[position...])
  }

  /// The characters of the reference whose `&` stands before `start`, and where it ends.
  static func reference(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (characters: String, end: Int)?
  {
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "#") { return number(bytes, start + 1) }
    var end = start
    while end < bytes.count, end - start < 32, bytes[end].isASCIILetter || bytes[end].isASCIIDigit {
      end += 1
    }
    guard end > start else { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";"),
      let characters = NamedCharacters.characters(of: String(decoding: bytes[start..<end], as: UTF8.self))
    {
      return (characters, end + 1)
    }
    // Without a semicolon the longest of the old names counts; none has more than six letters.
    var length = min(6, end - start)
    while length >= 2 {
      let name = String(decoding: bytes[start..<start + length], as: UTF8.self)
      if NamedCharacters.mayLackSemicolon(name), let characters = NamedCharacters.characters(of: name) {
        return (characters, start + length)
      }
      length -= 1
    }
    return nil
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (
    characters: String, end: Int
  )? {
    let isHex = start < bytes.count && bytes[start] | 0x20 == UInt8(ascii: "x")
    var end = start + (isHex ? 1 : 0)
    let first = end
    var value: UInt32 = 0
    while end < bytes.count {
      let digit: UInt32
      switch bytes[end] {
      case 0x30...0x39: digit = UInt32(bytes[end] - 0x30)
      case 0x41...0x46 where isHex, 0x61...0x66 where isHex: digit = UInt32((bytes[end] | 0x20) - 0x57)
      default: digit = 16
      }
      if digit == 16 { break }
      value = min(0x11_0000, value * (isHex ? 16 : 10) + digit)
      end += 1
    }
    guard end > first else { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
    return (character(value), end)
  }

  private static func character(_ value: UInt32) -> String {
    switch value {
    case 0x80...0x9F: Windows1252.scalar(of: UInt8(value)).map { String(Character($0)) } ?? "\u{FFFD}"
    // A control character in a reference is never meant well.
    case 0..<0x09, 0x0B, 0x0E..<0x20, 0x7F: "\u{FFFD}"
    default: Unicode.Scalar(value).map { String(Character($0)) } ?? "\u{FFFD}"
    }
  }

  private static func append(_ characters: String, for purpose: Purpose, to output: inout [UInt8]) {
    guard purpose == .markup, characters.utf8.count == 1 else {
      output.append(contentsOf: characters.utf8)
      return
    }
    switch characters {
    case "<": output.append("&lt;")
    case ">": output.append("&gt;")
    case "&": output.append("&amp;")
    case "\"": output.append("&quot;")
    default: output.append(contentsOf: characters.utf8)
    }
  }
}
