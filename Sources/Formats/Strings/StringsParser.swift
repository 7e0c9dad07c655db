import Foundation

/// The grammar of `.strings` files, an old-style property list without its braces.
struct StringsParser {
  private let units: [UInt16]
  private var place = 0

  init(_ units: [UInt16]) { self.units = units }

  static func decode(_ bytes: Data) throws(StringsFailure) -> [UInt16] {
    let bytes = [UInt8](bytes)
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      let isBig = bytes[0] == 0xFE
      guard bytes.count.isMultiple(of: 2) else { throw StringsFailure(line: 1, reason: .encoding) }
      return stride(from: 2, to: bytes.count, by: 2).map {
        let (first, second) = (UInt16(bytes[$0]), UInt16(bytes[$0 + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      let valid = bytes[start...].prefix(validUTF8Prefix(of: bytes[start...]))
      throw StringsFailure(line: 1 + valid.count { $0 == 0x0A }, reason: .encoding)
    }
    return Array(text.utf16)
  }

  mutating func run() throws(StringsFailure) -> LocalizableStrings {
    var strings = LocalizableStrings()
    skipSpace()
    while place < units.count {
      let key = try text()
      skipSpace()
      if take("=") {
        skipSpace()
        let start = place
        let value = try text()
        skipSpace()
        guard take(";") else { throw failure(.missingSemicolon, at: start) }
        strings.set(key, value)
      } else if take(";") {
        strings.set(key, key)
      } else {
        throw failure(.missingSemicolon, at: place)
      }
      skipSpace()
    }
    return strings
  }

  private func failure(_ reason: StringsFailure.Reason, at place: Int) -> StringsFailure {
    var line = 1
    for (index, unit) in units[..<place].enumerated() {
      let endsLine = unit == 0x0A || unit == 0x0D && (index + 1 == units.count || units[index + 1] != 0x0A)
      if endsLine { line += 1 }
    }
    return StringsFailure(line: line, reason: reason)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < units.count, units[place] == UInt16(UInt8(ascii: character)) else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < units.count {
      switch units[place] {
      case 0x09...0x0D, 0x20, 0x2028, 0x2029: place += 1
      case 0x2F where place + 1 < units.count && units[place + 1] == 0x2F:
        while place < units.count, ![0x0A, 0x0D, 0x2028, 0x2029].contains(units[place]) { place += 1 }
      case 0x2F where place + 1 < units.count && units[place + 1] == 0x2A:
        // Two further on, so that the star of `/*/` does not close what it opens.
        place += 3
        while place < units.count, units[place] != 0x2F || units[place - 1] != 0x2A { place += 1 }
        // One that is never closed swallows the rest.
        place = min(place + 1, units.count)
      default: return
      }
    }
  }

  private mutating func text() throws(StringsFailure) -> String {
    guard place < units.count else { throw failure(.unexpected("the end"), at: place) }
    let unit = units[place]
    if unit == 0x22 || unit == 0x27 { return try quoted(by: unit) }
    let start = place
    while place < units.count, Self.isBare(units[place]) { place += 1 }
    guard place > start else {
      let found = Unicode.Scalar(unit).map { "\"\(Character($0))\"" } ?? "half a character"
      throw failure(.unexpected(found), at: place)
    }
    return String(decoding: units[start..<place], as: UTF16.self)
  }

  private static func isBare(_ unit: UInt16) -> Bool {
    guard let byte = UInt8(exactly: unit) else { return false }
    return isAlphanumeric(byte) || "_$/:.-".utf8.contains(byte)
  }

  private mutating func quoted(by quote: UInt16) throws(StringsFailure) -> String {
    let opening = place
    place += 1
    var text: [UInt16] = []
    while place < units.count {
      let unit = units[place]
      place += 1
      if unit == quote { return String(decoding: text, as: UTF16.self) }
      if unit == 0x5C { escape(into: &text) } else { text.append(unit) }
    }
    throw failure(.missingQuote, at: opening)
  }

  /// Behind a backslash.
  private mutating func escape(into text: inout [UInt16]) {
    guard place < units.count else { return }
    let unit = units[place]
    place += 1
    switch unit {
    case UInt16(UInt8(ascii: "a")): text.append(0x07)
    case UInt16(UInt8(ascii: "b")): text.append(0x08)
    case UInt16(UInt8(ascii: "f")): text.append(0x0C)
    case UInt16(UInt8(ascii: "n")): text.append(0x0A)
    case UInt16(UInt8(ascii: "r")): text.append(0x0D)
    case UInt16(UInt8(ascii: "t")): text.append(0x09)
    case UInt16(UInt8(ascii: "v")): text.append(0x0B)
    case UInt16(UInt8(ascii: "U")):
      // Pairs of surrogates join when the text is decoded; a lone one becomes U+FFFD there.
      var code: UInt16 = 0
      var digits = 0
      while digits < 4, place < units.count, let byte = UInt8(exactly: units[place]),
        let digit = hexDigit(byte)
      {
        code = code << 4 | UInt16(digit)
        digits += 1
        place += 1
      }
      text.append(digits > 0 ? code : unit)
    case 0x30...0x37:
      var code = unit - 0x30
      var digits = 1
      while digits < 3, place < units.count, (0x30...0x37).contains(units[place]) {
        code = code << 3 | (units[place] - 0x30)
        digits += 1
        place += 1
      }
      text.append(NextStepLatin.unit(UInt8(truncatingIfNeeded: code)))
    default: text.append(unit)
    }
  }
}

/// The encoding of octal escapes: ASCII below 0x80.
private enum NextStepLatin {
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
