import Foundation

/// Text as the index takes it, and as queries must match it.
///
/// The tokenizer makes a word of every run of letters; Chinese and Japanese have no spaces between words. So each
/// of their characters becomes a word of its own, and a query for several of them a phrase, which finds it
/// anywhere in a sentence, two characters long or one.
package enum SearchText {
  /// The text itself if nothing is to be separated, which is cheap to find out.
  package static func spread(_ text: String) -> String {
    var text = text
    guard text.withUTF8(mayNeedSpreading) else { return text }
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: spreadCapacity(bytes)) { spread(bytes, into: $0) }
    }
  }

  /// The most bytes that spread text may have: a space before each character of three bytes, and one after it.
  package static func spreadCapacity(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count * 2 + 1 }

  /// Byte by byte: text that needs spreading is long, and appending character by character costs ten times as much.
  ///
  /// - Parameter result: of at least `spreadCapacity`.
  /// - Returns: how many bytes were written.
  package static func spread(
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
      // Most bytes of most text, eight at once.
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
      if first < 0x80, !isAfterCharacter {
        put(first)
        index += 1
        continue
      }
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if length >= 3, index + length <= bytes.count {
        var value = UInt32(first) & (length == 3 ? 0x0F : 0x07)
        for next in bytes[index + 1..<index + length] { value = value << 6 | UInt32(next & 0x3F) }
        if let scalar = Unicode.Scalar(value) {
          if standsAlone(scalar) {
            put(0x20)
            for byte in bytes[index..<index + length] { put(byte) }
            isAfterCharacter = true
            index += length
            continue
          }
          let plain = narrow(scalar)
          if plain != scalar {
            if isAfterCharacter { put(0x20) }
            isAfterCharacter = false
            put(UInt8(plain.value))
            index += length
            continue
          }
        }
      }
      if isAfterCharacter { put(0x20) }
      isAfterCharacter = false
      for byte in bytes[index..<min(index + length, bytes.count)] { put(byte) }
      index += length
    }
    return written
  }

  /// Text without case, accents and width, for comparing names.
  package static func folded(_ text: String) -> String {
    // What Foundation does for ASCII as well, without making its own string first.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  /// Ideographs, kana and Hangul syllables.
  package static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x2E80: false
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

  /// Letters, digits and marks: runs of them are what the tokenizer sees as words.
  package static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default:
      false
    }
  }

  /// Full-width letters and digits are the plain ones.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  /// All of the above begin with a byte from E2 BA on; most text has none.
  package static func mayNeedSpreading(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      // Eight at once while they are ASCII: every text that is stored goes through here.
      while index + 8 <= bytes.count,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      let end = min(index + 8, bytes.count)
      while index < end {
        let byte = bytes[index]
        if byte > 0xE2 { return true }
        if byte == 0xE2, index + 1 < bytes.count, bytes[index + 1] >= 0xBA { return true }
        index += 1
      }
    }
    return false
  }
}
