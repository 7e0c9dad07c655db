import Foundation

/// Converts text to the form in which it is compared: composed characters (Unicode Annex 15, form C), with plain
/// quotes, dashes and spaces.
///
/// Publishers change typography without changing the message. Hashes of such text are stored, so the form is frozen;
/// tests check its values.
package enum ComparedText {
  /// Returns the text in the form in which it is compared, or `nil` if it contains only white space.
  package static func text(_ text: String) -> String? {
    var bytes: [UInt8] = []
    append(text, isFolded: false, to: &bytes)
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the hash of a string in its compared form, and whether it has at least `longText` characters, or `nil` if
  /// it is empty.
  ///
  /// - Parameters:
  ///   - isFolded: whether upper and lower case count as the same.
  ///   - scratch: memory for the bytes, reused by each call.
  static func hash(
    _ text: String, isFolded: Bool = false, _ scratch: inout [UInt8]
  ) -> (hash: Int64, isLong: Bool)? {
    scratch.removeAll(keepingCapacity: true)
    append(text, isFolded: isFolded, to: &scratch)
    if scratch.isEmpty { return nil }
    let isLong =
      scratch.count >= longText
      && (scratch.count >= 4 * longText || scratch.count(where: { $0 & 0xC0 != 0x80 }) >= longText)
    return (scratch.withUnsafeBytes { ContentHash.of(bytes: $0) }, isLong)
  }

  /// The minimum number of characters of equal bodies that show that two messages are the same, although
  /// their titles differ.
  package static let longText = 100

  /// Appends a string in its compared form, as UTF-8.
  private static func append(_ text: String, isFolded: Bool, to bytes: inout [UInt8]) {
    var text = text
    let isASCII = text.withUTF8 { source in
      var isBlank = false
      let start = bytes.count
      bytes.reserveCapacity(start + source.count)
      for byte in source {
        if byte >= 0x80 { return false }
        if byte <= 0x20 && (byte == 0x20 || (0x09...0x0D).contains(byte) || byte >= 0x1C) {
          isBlank = bytes.count > start
          continue
        }
        if isBlank {
          bytes.append(0x20)
          isBlank = false
        }
        bytes.append(isFolded && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
      return true
    }
    if isASCII { return }
    bytes.removeAll(keepingCapacity: true)
    if !text.unicodeScalars.allSatisfy(isSurelyComposed) { text = composed(text) }
    var isBlank = false
    for scalar in text.unicodeScalars {
      let scalar = plain(scalar)
      if isBlankSign(scalar) {
        isBlank = !bytes.isEmpty
        continue
      }
      if isBlank {
        bytes.append(0x20)
        isBlank = false
      }
      if !isFolded {
        bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      } else if scalar.value < 0x80 {
        bytes.append(scalar.properties.isUppercase ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
      } else {
        // The conversion uses capital letters, so that "ß" becomes "ss" as in Unicode's full case folding.
        bytes.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().utf8)
      }
    }
  }

  /// The number of Unicode scalars that are composed at once.
  private static let pieceLength = 2048

  /// Returns a string in form C. It is composed in pieces: each composed character moves everything after it, so the
  /// time for the whole string would be quadratic.
  private static func composed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var composed = ""
    var rest = scalars[...]
    while let end = scalars.index(rest.startIndex, offsetBy: pieceLength, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    {
      // The next piece begins with a character that does not combine with any before it. A piece without such a
      // character, even a blank, is cut at its end.
      let last = scalars[rest.startIndex..<end].lastIndex(where: isSurelyComposed) ?? rest.startIndex
      let cut = last > rest.startIndex ? last : end
      composed += String(rest[..<cut]).precomposedStringWithCanonicalMapping
      rest = rest[cut...]
    }
    return composed + String(rest).precomposedStringWithCanonicalMapping
  }

  /// Whether a character is white space (Unicode, PropList.txt, White_Space) or an ASCII separator (0x1C to 0x1F).
  private static func isBlankSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    case _: false
    }
  }

  /// Returns the plain quote, dash or space for a typographic one; all other characters are unchanged.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x201C, 0x201D, 0x201E: "\""
    case 0x2018, 0x2019: "'"
    case 0x2013, 0x2014: "-"
    case 0xA0: " "
    case _: scalar
    }
  }

  /// Whether a character neither combines with one before it nor has a composed form. It decides by ranges, so that few
  /// characters need to be looked up.
  private static func isSurelyComposed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300, 0x400..<0x483, 0x48A..<0x591, 0x2010..<0x2020, 0x20A0..<0x20C0, 0x3041..<0x3099,
      0x30A0..<0x3100, 0x3400..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFF5F, 0x1F300..<0x1FB00:
      true
    case _: false
    }
  }
}
