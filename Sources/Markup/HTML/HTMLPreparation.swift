/// What libxml2's HTML parser (of HTML 4) must not see as it is, put right in one pass over the bytes:
/// NUL, which ends its input; numeric references that HTML 5 reads as windows-1252 or as U+FFFD (HTML
/// section 13.2.5.80); references by names newer than HTML 4. Its tags are those that `TagRepair` leaves, and so
/// are read alike by all. Scripts and styles stay as they are, but for NUL.
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

  /// Copies a tag, and what it makes raw.
  private mutating func tag(at start: Int) -> Int {
    // In these, quotes mean nothing to libxml2.
    let isEnd = matches("</", at: start) && start + 2 < source.count && isLetter(source[start + 2])
    if isEnd { return bracket(after: start) }
    guard start + 1 < source.count, isLetter(source[start + 1]) else { return start + 1 }
    let (end, isEmpty) = attributes(from: start + 1)
    for name in ["script", "style"] where matches(name, at: start + 1) && !isEmpty {
      let next = start + 1 + name.utf8.count
      guard next <= end, next < source.count, !isNamePart(source[next]) else { continue }
      return raw(from: end, until: "</" + name)
    }
    return end
  }

  private mutating func bracket(after start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: ">") {
      if source[index] == 0 { replace(index..<index + 1, with: "\u{FFFD}") }
      index += 1
    }
    return index
  }

  /// Leaves everything as it is up to an end tag, which is none where its name goes on.
  private mutating func raw(from start: Int, until end: String) -> Int {
    var index = start
    while index < source.count {
      if source[index] == 0 { replace(index..<index + 1, with: "\u{FFFD}") }
      if matches(end, at: index) {
        let next = index + end.utf8.count
        if next == source.count || !isNamePart(source[next]) { return index + 1 }
      }
      index += 1
    }
    return index
  }

  /// Whether lower-case text stands there, in whatever case.
  private func matches(_ text: String, at index: Int) -> Bool {
    var index = index
    for byte in text.utf8 {
      guard index < source.count else { return false }
      let isUpper = (0x41...0x5A).contains(source[index])
      guard byte == (isUpper ? source[index] | 0x20 : source[index]) else { return false }
      index += 1
    }
    return true
  }

  /// - Returns: where the tag ends, and whether it closes its element (`/>`).
  private mutating func attributes(from start: Int) -> (end: Int, isEmpty: Bool) {
    var index = start
    var isEmpty = false
    while index < source.count, source[index] != UInt8(ascii: ">") {
      isEmpty = false
      switch source[index] {
      case UInt8(ascii: "="):
        index += 1
        while index < source.count, isSpace(source[index]) { index += 1 }
        guard index < source.count else { return (index, false) }
        if source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "'") {
          index = min(value(quoted: source[index], from: index + 1), source.count)
        } else {
          index = value(bareFrom: index)
        }
      case UInt8(ascii: "/"), 0x09...0x0D, 0x20:
        while index < source.count, isSpace(source[index]) || source[index] == UInt8(ascii: "/") {
          index += 1
        }
        isEmpty = source[index - 1] == UInt8(ascii: "/")
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return (index, isEmpty)
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

  /// Quotes and slashes stand for themselves in it.
  private mutating func value(bareFrom start: Int) -> Int {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: ">"), !isSpace(source[index]) {
      switch source[index] {
      case UInt8(ascii: "&"): index = reference(at: index)
      case 0:
        replace(index..<index + 1, with: "\u{FFFD}")
        index += 1
      default: index += 1
      }
    }
    return index
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  private func isAlphanumeric(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || isLetter(byte) }

  private func isNamePart(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-_:.".utf8.contains(byte)
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
