/// Text in the form for the search index, which queries must match.
///
/// The tokenizer makes a word of every sequence of letters, but Chinese, Japanese, Thai and some other languages have
/// no spaces between words. So each of their characters becomes a separate word, and a query for several of them
/// becomes a phrase. The phrase matches anywhere in a sentence, even if it has only one or two characters. All letters
/// are folded (`SearchFolding`).
package enum SearchText {
  /// Returns the text in the form for the index, or the text itself if nothing changes, which is cheap to find out. The
  /// case of ASCII is kept, since the tokenizer folds it.
  package static func indexed(_ text: String) -> String {
    var text = text
    guard !text.withUTF8(isASCII) else { return text }
    return text.withUTF8 { bytes in
      // A character of three bytes needs at most a space before it and two bytes, or three bytes.
      String(unsafeUninitializedCapacity: bytes.count * 3 + 1) { indexed(bytes, into: $0) }
    }
  }

  /// Writes text in the form for the index, byte by byte: such text is long, and appending character by
  /// character takes ten times as long.
  ///
  /// - Returns: the number of bytes written.
  private static func indexed(
    _ bytes: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var written = 0
    var index = 0
    var isAfterCharacter = false
    func put(_ byte: UInt8) {
      result[written] = byte
      written += 1
    }
    while index < bytes.count {
      // Most bytes of most text are handled here, eight at a time.
      if !isAfterCharacter, index + 8 <= bytes.count {
        let eight = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if eight & 0x8080_8080_8080_8080 == 0 {
          UnsafeMutableRawBufferPointer(result).storeBytes(of: eight, toByteOffset: written, as: UInt64.self)
          index += 8
          written += 8
          continue
        }
      }
      let first = bytes[index]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      var value = UInt32(first) & (length == 1 ? 0x7F : 0x7F >> UInt32(length))
      for next in bytes[index + 1..<min(index + length, bytes.count)] {
        value = value << 6 | UInt32(next & 0x3F)
      }
      index += length
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isCharacter = length >= 3 && standsAlone(scalar)
      let joins = isAfterCharacter && isSoundMark(scalar)
      if isCharacter || isAfterCharacter, !joins { put(0x20) }
      isAfterCharacter = isCharacter || joins
      if length == 1 { put(first) } else { SearchFolding.append(scalar, put) }
    }
    return written
  }

  /// Returns text without case, accents and width, for comparing words and names.
  package static func folded(_ text: String) -> String {
    // ASCII needs no examination of each character.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { SearchFolding.append(scalar) { bytes.append($0) } }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the character is indexed as a separate word: ideographs, kana and Hangul syllables, and letters and vowel
  /// signs of Thai, Lao, Burmese and Khmer.
  package static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0E01: false
    case 0x0E01...0x0E3A, 0x0E40...0x0E4E: true  // Thai
    case 0x0E81...0x0EBD, 0x0EC0...0x0ECE, 0x0EDC...0x0EDF: true  // Lao
    case 0x1000...0x103F, 0x1050...0x108F, 0x109A...0x109D, 0xA9E0...0xA9EF, 0xA9FA...0xA9FE, 0xAA60...0xAA7F:
      true  // Burmese
    case 0x1780...0x17D3, 0x17D7, 0x17DC...0x17DD: true  // Khmer
    case 0x2E80...0x2FDF: true  // radicals
    case 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x303B...0x303C: true  // 々〆〇 and kin
    case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF: true  // kana
    case 0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF: true  // bopomofo, small kana
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true  // ideographs
    case 0xAC00...0xD7A3: true  // Hangul
    case 0xFF66...0xFF9D: true  // half-width katakana
    case 0x1AFF0...0x1B16F, 0x20000...0x3FFFD: true  // kana and ideographs beyond the first plane
    default: false
    }
  }

  /// Whether a character is a part of the kana before it.
  package static func isSoundMark(_ scalar: Unicode.Scalar) -> Bool { KanaFolding.isMark(scalar) }

  /// Whether a character is a letter, digit or mark, of which the tokenizer's words consist.
  package static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default:
      false
    }
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    // Eight bytes are checked at a time, since every stored text is converted here.
    while index + 8 <= bytes.count {
      if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      index += 8
    }
    return bytes[index...].allSatisfy { $0 < 0x80 }
  }
}
