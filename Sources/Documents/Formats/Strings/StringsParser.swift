import Basics
import Foundation

/// Parses `.strings` files, which are old-style property lists without braces.
struct StringsParser {
  /// The file as valid UTF-8.
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Converts to UTF-8 without a byte order mark. A lone surrogate in UTF-16 becomes U+FFFD.
  static func decode(_ bytes: Data) throws(StringsFailure) -> [UInt8] {
    let bytes = [UInt8](bytes)
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      let isBig = bytes[0] == 0xFE
      guard bytes.count.isMultiple(of: 2) else { throw StringsFailure(line: 1, reason: .encoding) }
      let units = stride(from: 2, to: bytes.count, by: 2).map {
        let (first, second) = (UInt16(bytes[$0]), UInt16(bytes[$0 + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    guard String(validating: text, as: UTF8.self) != nil else {
      let valid = text.prefix(validUTF8Prefix(of: text))
      throw StringsFailure(line: 1 + valid.count { $0 == 0x0A }, reason: .encoding)
    }
    return text
  }

  /// Parses the whole file.
  mutating func run() throws(StringsFailure) -> LocalizableStrings {
    // This is about the number of strings in such a file.
    var strings = LocalizableStrings(capacity: bytes.count / 48)
    skipSpace()
    while place < bytes.count {
      let key = try text()
      skipSpace()
      if accept("=") {
        skipSpace()
        let start = place
        let value = try text()
        skipSpace()
        guard accept(";") else { throw failure(.missingSemicolon, at: start) }
        strings.set(key, value)
      } else if accept(";") {
        strings.set(key, key)
      } else {
        throw failure(.missingSemicolon, at: place)
      }
      skipSpace()
    }
    return strings
  }

  /// Returns a failure with the line of a position.
  private func failure(_ reason: StringsFailure.Reason, at place: Int) -> StringsFailure {
    var line = 1
    for (index, byte) in bytes[..<place].enumerated() {
      let endsLine = byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
      if endsLine { line += 1 }
    }
    return StringsFailure(line: line, reason: reason)
  }

  /// Skips this character if it is next, and returns whether it was.
  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Whether a line or paragraph separator, U+2028 or U+2029, is next.
  private var isAtSeparator: Bool {
    place + 2 < bytes.count && bytes[place] == 0xE2 && bytes[place + 1] == 0x80
      && bytes[place + 2] | 1 == 0xA9
  }

  /// Skips white space and comments.
  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x09...0x0D, 0x20: place += 1
      case 0xE2 where isAtSeparator: place += 3
      case 0x2F where place + 1 < bytes.count && bytes[place + 1] == 0x2F:
        while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D, !isAtSeparator { place += 1 }
      case 0x2F where place + 1 < bytes.count && bytes[place + 1] == 0x2A:
        // This skips two more bytes, so that the star of `/*/` does not also close the comment.
        place += 3
        while place < bytes.count, bytes[place] != 0x2F || bytes[place - 1] != 0x2A { place += 1 }
        // An unclosed comment ends at the end of the file.
        place = min(place + 1, bytes.count)
      default: return
      }
    }
  }

  /// Reads a quoted string or a bare word.
  private mutating func text() throws(StringsFailure) -> String {
    guard place < bytes.count else { throw failure(.unexpected("the end"), at: place) }
    let byte = bytes[place]
    if byte == 0x22 || byte == 0x27 { return try quoted(by: byte) }
    let start = place
    while place < bytes.count, Self.isBare(bytes[place]) { place += 1 }
    guard place > start else {
      let found = String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self).unicodeScalars
      throw failure(.unexpected(found.first.map { "\"\(Character($0))\"" } ?? "nothing"), at: place)
    }
    return string(from: start)
  }

  /// Returns the text from a position up to the current one.
  private func string(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }

  /// Whether the byte may be in a word without quotes.
  private static func isBare(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "_$/:.-".utf8.contains(byte)
  }

  /// Reads a quoted string, and resolves its escapes.
  private mutating func quoted(by quote: UInt8) throws(StringsFailure) -> String {
    let opening = place
    place += 1
    var text = ""
    var start = place
    // The characters of adjacent escapes.
    var escaped: [UInt16] = []
    while place < bytes.count {
      let byte = bytes[place]
      guard byte == quote || byte == 0x5C else {
        place += 1
        continue
      }
      // Most strings have no escape.
      if byte == quote, escaped.isEmpty, text.isEmpty {
        defer { place += 1 }
        return string(from: start)
      }
      if place > start || byte == quote {
        if !escaped.isEmpty { text += String(decoding: escaped, as: UTF16.self) }
        escaped = []
        text += string(from: start)
      }
      place += 1
      if byte == quote { return text }
      escape(into: &escaped)
      start = place
    }
    throw failure(.missingQuote, at: opening)
  }

  /// Reads an escape, whose backslash was already read, and appends its UTF-16 units.
  private mutating func escape(into text: inout [UInt16]) {
    // A character of several bytes stands for itself.
    guard place < bytes.count, bytes[place] < 0x80 else { return }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "U"):
      // Surrogate pairs are joined when the string is decoded; a lone surrogate becomes U+FFFD.
      var code: UInt16 = 0
      var digits = 0
      while digits < 4, place < bytes.count, let digit = bytes[place].hexDigit {
        code = code << 4 | UInt16(digit)
        digits += 1
        place += 1
      }
      text.append(digits > 0 ? code : UInt16(byte))
    case 0x30...0x37:
      var code = UInt16(byte) - 0x30
      var digits = 1
      while digits < 3, place < bytes.count, (0x30...0x37).contains(bytes[place]) {
        code = code << 3 | (UInt16(bytes[place]) - 0x30)
        digits += 1
        place += 1
      }
      text.append(NextStepLatin.unit(UInt8(truncatingIfNeeded: code)))
    default: text.append(UInt16(byte))
    }
  }
}

/// The NeXTSTEP encoding, which octal escapes use: ASCII below 0x80.
private enum NextStepLatin {
  /// Returns the UTF-16 unit of a byte.
  static func unit(_ byte: UInt8) -> UInt16 { byte < 0x80 ? UInt16(byte) : upper[Int(byte) - 0x80] }

  private static let upper: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC,
    0x00CD, 0x00CE, 0x00CF, 0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9, 0x00DA, 0x00DB,
    0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7, 0x00A9, 0x00A1, 0x00A2, 0x00A3, 0x2044, 0x00A5, 0x0192,
    0x00A7, 0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02, 0x00AE, 0x2013, 0x2020, 0x2021,
    0x00B7, 0x00A6, 0x00B6, 0x2022, 0x201A, 0x201E, 0x201D, 0x00BB, 0x2026, 0x2030, 0x00AC, 0x00BF, 0x00B9,
    0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9, 0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD,
    0x02DB, 0x02C7, 0x2014, 0x00B1, 0x00BC, 0x00BD, 0x00BE, 0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x00E4, 0x00E5,
    0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1,
    0x0141, 0x00D8, 0x0152, 0x00BA, 0x00F2, 0x00F3, 0x00F4, 0x00F5, 0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB,
    0x0131, 0x00FC, 0x00FD, 0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF, 0xFFFD, 0xFFFD,
  ]
}
