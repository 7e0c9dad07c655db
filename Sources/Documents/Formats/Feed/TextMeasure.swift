import Basics

/// Measures the amount of text in one field of an entry, to choose between two fields.
struct TextMeasure {
  /// The number of bytes in words, without tags and white space. Bytes beyond `Limits.comparedTextBytes` are not
  /// counted.
  private(set) var words = 0
  /// Whether the text contains a picture, a recording or a frame.
  private(set) var hasMedia = false
  /// Whether the text contains tags.
  private(set) var isFormatted = false

  init(_ text: FeedText) {
    var raw = text.raw
    raw.withUTF8 { bytes in
      if text.kind == .html { read(html: bytes) } else { words = Self.words(bytes[...]) }
    }
  }

  /// Whether the text contains nothing to read or to open, for example only empty paragraphs, spaces or comments.
  var isBlank: Bool { words == 0 && !hasMedia }

  /// Measures HTML, without its tags.
  private mutating func read(html bytes: UnsafeBufferPointer<UInt8>) {
    var position = 0
    while position < bytes.count, words < Limits.comparedTextBytes {
      let open = bytes.index(of: UInt8(ascii: "<"), from: position) ?? bytes.count
      words += Self.words(bytes[position..<open])
      position = open == bytes.count ? open : tagEnd(bytes, open)
    }
  }

  /// Returns the index after the tag, comment or script that begins with the `<` at `open`. If the `<` begins
  /// none of them, returns the index after it.
  private mutating func tagEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ open: Int) -> Int {
    let next = open + 1
    guard next < bytes.count else { return next }
    if bytes.hasSequence("<!--", at: open) {
      return bytes.index(of: "-->", from: next).map { $0 + 3 } ?? bytes.count
    }
    guard bytes[next].isASCIILetter else {
      guard bytes[next] == UInt8(ascii: "/") || bytes[next] == UInt8(ascii: "!") else { return next }
      return bytes.index(of: UInt8(ascii: ">"), from: next).map { $0 + 1 } ?? bytes.count
    }
    isFormatted = true
    var tag = TagScanner(bytes, name: next)
    while tag.next() != nil {}
    let name = String(decoding: bytes[tag.name].prefix(16), as: UTF8.self).lowercased()
    if Self.media.contains(name) { hasMedia = true }
    for raw in [("script", "</script"), ("style", "</style")] as [(name: String, end: StaticString)]
    where raw.name == name {
      return bytes.index(of: raw.end, from: tag.position) ?? bytes.count
    }
    return min(tag.position + 1, bytes.count)
  }

  /// Returns the number of bytes that are neither white space nor a reference to it.
  private static func words(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var count = 0
    var index = bytes.startIndex
    while index < bytes.endIndex, count < Limits.comparedTextBytes {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&"), let length = spaces.first(where: { hasPrefix($0, bytes, at: index) }) {
        index += length.utf8CodeUnitCount
        continue
      }
      // These are U+00A0, and U+2000 to U+200F with the direction marks.
      if byte == 0xC2, index + 1 < bytes.endIndex, bytes[index + 1] == 0xA0 {
        index += 2
      } else if byte == 0xE2, index + 2 < bytes.endIndex, bytes[index + 1] == 0x80, bytes[index + 2] < 0x90 {
        index += 3
      } else {
        if byte > 0x20 { count += 1 }
        index += 1
      }
    }
    return count
  }

  private static func hasPrefix(
    _ prefix: StaticString, _ bytes: Slice<UnsafeBufferPointer<UInt8>>, at index: Int
  ) -> Bool {
    index + prefix.utf8CodeUnitCount <= bytes.endIndex
      && bytes.base.hasSequence(inAnyCase: prefix, at: index)
  }

  /// The character references that count as white space.
  private static let spaces: [StaticString] = [
    "&nbsp;", "&#160;", "&#xa0;", "&ensp;", "&emsp;", "&thinsp;", "&zwnj;", "&zwj;", "&#8203;", "&#xad;",
    "&shy;",
  ]

  /// The elements that show a picture, a recording or a frame.
  private static let media: Set<String> = [
    "img", "image", "picture", "video", "audio", "source", "iframe", "embed", "object", "svg", "amp-img",
    "amp-video", "amp-audio", "amp-iframe", "amp-youtube", "amp-vimeo", "lite-youtube", "lite-vimeo",
    "oembed",
    "math", "input",
  ]
}

extension FeedText {
  /// Returns the fuller of two descriptions of the same thing, or the first if they are equal.
  ///
  /// Formatted text loses only to text with more than twice its words, since it may have links and pictures that the
  /// other lacks.
  static func fuller(_ first: FeedText?, _ second: FeedText?) -> FeedText? {
    guard let first, let second else { return first ?? second }
    let (one, other) = (TextMeasure(first), TextMeasure(second))
    if one.isBlank { return other.isBlank ? first : second }
    let factor = one.isFormatted && !other.isFormatted ? 2 : 1
    return other.words > one.words * factor ? second : first
  }

  /// Whether the text contains nothing to read or to open.
  var isBlank: Bool { TextMeasure(self).isBlank }
}
