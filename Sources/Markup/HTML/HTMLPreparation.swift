/// What libxml2's HTML parser (of HTML 4) must not see as it is, put right in one pass over the bytes:
/// NUL, which ends its input; numeric references that HTML 5 reads as windows-1252 or as U+FFFD (HTML
/// section 13.2.5.80); references by names newer than HTML 4; elements with attributes without end.
struct HTMLPreparation {
  private let source: [UInt8]
  private var output: [UInt8] = []
  /// Where the bytes begin that were not copied yet.
  private var copied = 0

  static func prepared(_ source: [UInt8]) -> [UInt8] {
    var preparation = HTMLPreparation(source: source)
    return preparation.run()
  }

  private init(source: [UInt8]) { self.source = source }

  private mutating func run() -> [UInt8] {
    var index = 0
    while index < source.count {
      switch source[index] {
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      case UInt8(ascii: "&"): index = reference(at: index, isInText: true)
      case UInt8(ascii: "<"): index = tag(at: index)
      default: index += 1
      }
    }
    if copied == 0 { return source }
    output += source[copied...]
    return output
  }

  private mutating func replace(_ range: Range<Int>, with text: String) {
    output += source[copied..<range.lowerBound]
    output += text.utf8
    copied = range.upperBound
  }

  private mutating func reference(at start: Int, isInText: Bool = false) -> Int {
    let next = start + 1
    guard next < source.count else { return next }
    if source[next] == UInt8(ascii: "#") { return numericReference(at: start) }
    var end = next
    while end < source.count, end - next < 24, isAlphanumeric(source[end]) { end += 1 }
    guard end > next else { return next }
    guard end < source.count, source[end] == UInt8(ascii: ";") else {
      // Old names need no semicolon, but in an address `&copy=1` is none.
      if isInText,
        let value = CharacterReference.oldNames[String(decoding: source[next..<end], as: UTF8.self)]
      {
        replace(start..<end, with: "&#\(value);")
      }
      return end
    }
    if let text = CharacterReference.newerNames[String(decoding: source[next..<end], as: UTF8.self)] {
      // Punctuation stays a reference, so that it neither opens a tag nor makes another reference.
      let isPunctuation = text.utf8.count == 1 && text != " "
      replace(
        start..<end + 1, with: isPunctuation ? text.unicodeScalars.map { "&#\($0.value);" }.joined() : text)
    }
    return end + 1
  }

  private mutating func numericReference(at start: Int) -> Int {
    var index = start + 2
    let isHex = index < source.count && source[index] | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let digits = index
    var value: UInt32 = 0
    while index < source.count, let digit = digit(source[index], isHex: isHex) {
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
      index += 1
    }
    guard index > digits else {
      // No number: libxml2 would drop the characters.
      replace(start..<start + 1, with: "&#38;")
      return index
    }
    let end = index < source.count && source[index] == UInt8(ascii: ";") ? index + 1 : index
    if let text = CharacterReference.corrected(value) { replace(start..<end, with: text) }
    return end
  }

  /// Copies a start tag, without the attributes beyond the limit.
  private mutating func tag(at start: Int) -> Int {
    guard start + 1 < source.count, (0x41...0x5A).contains(source[start + 1] & 0xDF) else { return start + 1 }
    var index = start + 1
    var attributes = 0
    while index < source.count, source[index] != UInt8(ascii: ">") {
      switch source[index] {
      case UInt8(ascii: "="):
        index += 1
        while index < source.count, isSpace(source[index]) { index += 1 }
        guard index < source.count else { return index }
        if source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "'") {
          index = value(quoted: source[index], from: index + 1)
          attributes += 1
        }
      case UInt8(ascii: "/"), 0x09...0x0D, 0x20:
        attributes += 1
        while index < source.count, isSpace(source[index]) || source[index] == UInt8(ascii: "/") {
          index += 1
        }
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
      if attributes > Limits.attributes {
        let rest = index
        while index < source.count, source[index] != UInt8(ascii: ">") { index += 1 }
        replace(rest..<index, with: "")
        return index
      }
    }
    return index
  }

  private mutating func value(quoted quote: UInt8, from start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != quote {
      switch source[index] {
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return index + 1
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }

  private func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46 where isHex: UInt32(byte - 0x37)
    case 0x61...0x66 where isHex: UInt32(byte - 0x57)
    default: nil
    }
  }
}
