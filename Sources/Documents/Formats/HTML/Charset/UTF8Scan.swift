import Basics

/// Counts the well-formed and malformed sequences of bytes that are read as UTF-8.
package struct UTF8Scan {
  /// The number of well-formed sequences of two bytes.
  private(set) var pairs = 0
  /// The number of well-formed sequences of three or four bytes.
  private(set) var longer = 0
  /// The number of bytes outside well-formed sequences.
  private(set) var invalid = 0
  /// Whether there are C0 controls other than tab and line ends, C1 controls, U+FFFE or U+FFFF.
  package private(set) var hasUnwanted = false

  package var isValid: Bool { invalid == 0 }
  package var hasNonASCII: Bool { pairs + longer > 0 }

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let count = bytes.count
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    var i = 0
    while i < count {
      // Eight bytes are read at a time while they are plain ASCII.
      while i + 8 <= count {
        let word = raw.loadUnaligned(fromByteOffset: i, as: UInt64.self)
        let low = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
        if word & 0x8080_8080_8080_8080 != 0 || low != 0 { break }
        i += 8
      }
      guard i < count else { break }
      let byte = bytes[i]
      if byte < 0x80 {
        if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { hasUnwanted = true }
        i += 1
        continue
      }
      let length = UTF8Sequence.length(at: i, in: bytes)
      switch length {
      case 2:
        pairs += 1
        if byte == 0xC2, bytes[i + 1] < 0xA0 { hasUnwanted = true }
      case 3:
        longer += 1
        if byte == 0xEF, bytes[i + 1] == 0xBF, bytes[i + 2] >= 0xBE { hasUnwanted = true }
      case 4: longer += 1
      default: invalid += 1
      }
      i += max(1, length)
    }
  }
}

/// Recognises the well-formed sequences of Unicode's table 3-7.
enum UTF8Sequence {
  /// Returns the length of the sequence at `i`, or 0 if it isn't well-formed.
  static func length(at i: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let first = bytes[i]
    if first < 0x80 { return 1 }
    func continues(_ k: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      i + k < bytes.count && range.contains(bytes[i + k])
    }
    switch first {
    case 0xC2...0xDF:
      return continues(1) ? 2 : 0
    case 0xE0...0xEF:
      let second: ClosedRange<UInt8> =
        first == 0xE0 ? 0xA0...0xBF : first == 0xED ? 0x80...0x9F : 0x80...0xBF
      return continues(1, second) && continues(2) ? 3 : 0
    case 0xF0...0xF4:
      let second: ClosedRange<UInt8> =
        first == 0xF0 ? 0x90...0xBF : first == 0xF4 ? 0x80...0x8F : 0x80...0xBF
      return continues(1, second) && continues(2) && continues(3) ? 4 : 0
    default:
      return 0
    }
  }
}
