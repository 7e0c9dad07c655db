/// Which letters a text may have next to each other, three at a time: found in one pass over its bytes, without cutting it
/// into words. Of many rules nearly all are about words that a message doesn't have.
///
/// It never says that a word is missing which the tokenizer would find.
struct LetterTraces {
  /// A bit for each three letters, by their hash.
  private var bits = [32 of UInt64](repeating: 0)
  /// Any word may be there.
  private var isOpen = false

  init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var last: UInt32 = 0
      for (index, byte) in bytes.enumerated() {
        if byte >= 0xC3, Self.mayBecomePlain(byte, index + 1 < bytes.count ? bytes[index + 1] : 0) {
          isOpen = true
          return
        }
        last = Self.joined(last, byte)
        let place = Self.place(last)
        bits[place >> 6] |= 1 << UInt64(place & 63)
      }
    }
  }

  /// Whether a character that begins with these bytes may become a plain letter or digit, or nothing at all, when the text
  /// is cut: letters with marks lose them, marks go, letters of full width become plain ones.
  private static func mayBecomePlain(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case 0xC3...0xCD, 0xE1: true  // U+00C0 to U+037F, U+1000 to U+1FFF
    case 0xE2: second == 0x84  // U+2100 to U+213F: the signs of Kelvin and Ångström
    case 0xEF: second == 0xBC || second == 0xBD  // U+FF00 to U+FF7F
    default: false
    }
  }

  private static func joined(_ last: UInt32, _ byte: UInt8) -> UInt32 {
    let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    return (last << 8 | UInt32(isCapital ? byte | 0x20 : byte)) & 0xFF_FFFF
  }

  /// 0 to 2047.
  private static func place(_ letters: UInt32) -> Int { Int((letters &* 2_654_435_769) >> 21) }

  /// The letters of one word.
  struct Word {
    /// The last ones: words of a kind differ there, as `release17` does. Repeated where there are fewer.
    fileprivate let places: SIMD4<UInt16>

    /// - Parameter word: as the tokenizer folded it.
    /// - Returns: nil where they say nothing: the word is too short, or not of plain letters and digits.
    init?(_ word: ArraySlice<UInt8>) {
      guard word.count >= 3, word.allSatisfy({ $0 < 0x80 }) else { return nil }
      var places = SIMD4<UInt16>()
      for lane in 0..<4 {
        let end = max(word.startIndex + 3, word.endIndex - lane)
        places[lane] = UInt16(LetterTraces.place(word[end - 3..<end].reduce(0, LetterTraces.joined)))
      }
      self.places = places
    }
  }

  /// false: the text doesn't have that word.
  func mayHave(_ word: Word) -> Bool {
    if isOpen { return true }
    for lane in 0..<4 {
      let place = Int(word.places[lane])
      if bits[place >> 6] & 1 << UInt64(place & 63) == 0 { return false }
    }
    return true
  }
}
