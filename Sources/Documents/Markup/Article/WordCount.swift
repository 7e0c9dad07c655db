/// Counts words in UTF-8. In scripts without spaces between words it counts characters instead: two of Chinese or
/// Japanese, or four of Thai, Lao, Khmer or Burmese, count as one word.
struct WordCount: Hashable {
  /// The number of words, in quarters of a word.
  private(set) var quarters = 0
  private var isInWord = false

  /// Ends the current word, so that the next text is not a part of it.
  mutating func endWord() { isInWord = false }

  /// Counts the words of more text.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        addASCII(byte)
        index += 1
        continue
      }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      var value = UInt32(byte) & (0xFF >> UInt32(length + 1))
      for next in text[index...].dropFirst().prefix(length - 1) { value = value << 6 | UInt32(next & 0x3F) }
      add(value)
      index += length
    }
  }

  private mutating func addASCII(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      letter()
    case 0...0x20: isInWord = false
    default: break
    }
  }

  /// Counts a code point outside of ASCII.
  private mutating func add(_ value: UInt32) {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: character(quarters: 1)
    case 0x3041...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: character(quarters: 2)
    // These are spaces, and the punctuation of Chinese and Japanese.
    case 0xA0, 0x2000...0x200B, 0x2028, 0x2029, 0x3000...0x3040, 0xFF00...0xFF0F, 0xFF1A...0xFF20:
      isInWord = false
    // These are punctuation, arrows, symbols and pictures.
    case 0x80...0xBF, 0x200C...0x2BFF, 0x1F000...0x1FAFF: break
    default: letter()
    }
  }

  /// Counts a letter: it begins a word, unless it continues one.
  private mutating func letter() {
    if !isInWord { quarters += 4 }
    isInWord = true
  }

  /// Counts a character of a script without spaces.
  private mutating func character(quarters count: Int) {
    quarters += count
    isInWord = false
  }
}
