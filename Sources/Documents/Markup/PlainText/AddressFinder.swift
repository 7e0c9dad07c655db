import Basics
import Formats

/// Finds URLs and mail addresses in text, as mail readers do. They begin with a scheme and end at white space, quotes
/// or angle brackets, without the sentence's punctuation.
enum AddressFinder {
  private static let schemes = LinkScheme.allCases.map { Array($0.rawValue.utf8) }

  /// Returns the ranges of the addresses, in UTF-8 offsets, in order.
  static func addresses(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      index = colon + 1
      guard let start = schemeStart(bytes, before: colon, from: found.last?.upperBound ?? 0) else { continue }
      let isWeb = bytes[start] | 0x20 == UInt8(ascii: "h")
      // This is checked before the end is searched: most colons are not part of a URL.
      if isWeb { guard bytes[(colon + 1)...].starts(with: [0x2F, 0x2F]) else { continue } }
      let end = end(of: bytes, from: colon + 1)
      guard end >= colon + (isWeb ? 4 : 2) else { continue }
      found.append(start..<end)
      index = end
    }
    return found
  }

  /// Returns the start of the scheme before a colon, but not before `least`, or `nil` if there is no known scheme.
  private static func schemeStart(_ bytes: [UInt8], before colon: Int, from least: Int) -> Int? {
    var start = colon
    while start > least, colon - start < 8,
      bytes[start - 1].isASCIILetter || bytes[start - 1].isASCIIDigit
    { start -= 1 }
    let name = bytes[start..<colon].map { $0 | 0x20 }
    return schemes.contains(name) ? start : nil
  }

  /// Returns the end of a URL, whose part after the scheme begins at `start`.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var end = start
    var open = 0
    while end < bytes.count {
      let byte = bytes[end]
      if byte <= 0x20 || byte == 0x7F || "<>\"`".utf8.contains(byte) { break }
      // Ideographic and full-width punctuation, no-break space and typographic quotes end a sentence instead of
      // belonging to a URL.
      if byte == 0xE3, end + 1 < bytes.count, bytes[end + 1] == 0x80 { break }
      if byte == 0xEF, end + 1 < bytes.count, bytes[end + 1] == 0xBC || bytes[end + 1] == 0xBD { break }
      if byte == 0xC2, end + 1 < bytes.count, bytes[end + 1] == 0xA0 { break }
      if byte == 0xE2, end + 1 < bytes.count, bytes[end + 1] == 0x80 { break }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { open += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") {
        if open == 0 { break }
        open -= 1
      }
      end += 1
    }
    while end > start, ".,;:!?'*_~([{|".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }
}

extension LinkCollector {
  /// Returns the text as spans, with its addresses as numbered links.
  mutating func spans(of text: String, _ emphasis: Emphasis) -> [Span] {
    let whole = [Span(text: text, emphasis)]
    let bytes = Array(text.utf8)
    let ranges = AddressFinder.addresses(in: bytes)
    guard !ranges.isEmpty else { return whole }
    var spans: [Span] = []
    var start = 0
    func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    for range in ranges {
      let address = slice(range)
      if range.lowerBound > start { spans.append(Span(text: slice(start..<range.lowerBound), emphasis)) }
      start = range.upperBound
      let number = number(for: address)
      spans.append(Span(text: address, emphasis, link: number))
      guard let number else { continue }
      addLabel(address.utf8, to: number)
      finishLabel(number)
      if let mark = LinkCollector.number(number, inside: emphasis) { spans.append(mark) }
    }
    if start < bytes.count { spans.append(Span(text: slice(start..<bytes.count), emphasis)) }
    return spans
  }
}
