import Basics

/// Decodes character references of HTML once (HTML, "Character reference state").
package enum CharacterReferences {
  /// The use of the decoded text.
  package enum Purpose {
    /// The text is final.
    case text
    /// The text will be parsed as markup: `<`, `>`, `&` and quotes stay references.
    case markup
  }

  /// Appends the bytes to the output, with their character references decoded.
  package static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, for purpose: Purpose, into output: inout [UInt8]
  ) {
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

  /// Returns the characters of the reference whose `&` is before `start`, and the end of the reference. Returns `nil`
  /// if there is no reference.
  package static func reference(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (characters: String, end: Int)? {
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "#") {
      return number(bytes, start + 1).map { (character($0.value), $0.end) }
    }
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
    // Without a semicolon the longest matching old name is used; none has more than six letters.
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

  /// Returns the number after `&#` and the end of the reference, including the semicolon. The number is limited to one
  /// more than Unicode's maximum.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (value: UInt32, end: Int)? {
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
    return (value, end)
  }

  /// Returns the character of a numeric reference, or U+FFFD for a number that is no character.
  package static func character(_ number: UInt32) -> String {
    meant(number) ?? Unicode.Scalar(number).map { String(Character($0)) } ?? "\u{FFFD}"
  }

  /// Returns the character to use for a numeric reference that libxml2 would read differently, or drop, as it
  /// drops noncharacters. Returns `nil` if libxml2 reads the reference correctly.
  static func corrected(_ number: UInt32) -> String? {
    if let meant = meant(number) { return meant }
    let isCharacter = Unicode.Scalar(number) != nil && number & 0xFFFE != 0xFFFE
    return isCharacter && !(0xFDD0...0xFDEF).contains(number) ? nil : "\u{FFFD}"
  }

  /// Returns the character of a number that does not mean the code point with that number (HTML, "Numeric character
  /// reference end state"), or `nil` for any other number. Control characters become U+FFFD.
  private static func meant(_ number: UInt32) -> String? {
    switch number {
    case 0x80...0x9F: Windows1252.scalar(of: UInt8(number)).map { String(Character($0)) } ?? "\u{FFFD}"
    case 0...8, 0xB, 0xE...0x1F, 0x7F: "\u{FFFD}"
    default: nil
    }
  }

  /// Appends decoded characters. For markup, a single ASCII character is escaped if necessary.
  private static func append(_ characters: String, for purpose: Purpose, to output: inout [UInt8]) {
    if purpose == .markup, characters.utf8.count == 1 {
      output.append(escapingMarkup: characters.utf8)
    } else {
      output.append(contentsOf: characters.utf8)
    }
  }
}
