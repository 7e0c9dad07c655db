import Basics

/// Makes the links of HTML fragments absolute.
enum FragmentLinks {
  /// Returns the fragment with all relative links resolved. Everything else stays unchanged. Once the allowance is
  /// spent, the remaining links stay relative.
  static func resolved(_ fragment: String, against base: String, allowance: Allowance) -> String {
    var fragment = fragment
    return fragment.withUTF8 { bytes in
      var scanner = LinkScanner(bytes)
      var output: [UInt8] = []
      var copied = 0
      while let (value, isQuoted) = scanner.next() {
        guard let link = resolved(bytes[value], base) else { continue }
        guard allowance.spend(link.utf8.count) else { break }
        output.append(contentsOf: bytes[copied..<value.lowerBound])
        if !isQuoted { output.append("\"") }
        // The value may be in single quotes.
        output += link.markupEscaped.replacingBytes("'", with: "&#39;").utf8
        if !isQuoted { output.append("\"") }
        copied = value.upperBound
      }
      guard copied > 0 else { return nil }
      output.append(contentsOf: bytes[copied...])
      return String(decoding: output, as: UTF8.self)
    } ?? fragment
  }

  /// Returns the absolute URL of a link, or `nil` if the link stays unchanged: it is absolute, empty, or only a
  /// `#fragment`.
  private static func resolved(_ value: Slice<UnsafeBufferPointer<UInt8>>, _ base: String) -> String? {
    let value = UnsafeBufferPointer(rebasing: value).trimmed
    guard let first = value.first, first != UInt8(ascii: "#"), !LinkReference.hasScheme(utf8: value) else {
      return nil
    }
    var decoded: [UInt8] = []
    CharacterReferences.decode(value, for: .text, into: &decoded)
    let link = String(decoding: decoded, as: UTF8.self)
    if LinkReference.hasScheme(link) { return nil }
    return LinkReference.resolve(link, against: base)
  }
}

/// Finds the attributes that contain links.
private struct LinkScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// The tag whose attributes are being read, or `nil` between two tags.
  private var tag: TagScanner?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns the range of the next link without its quotes, and whether it has quotes.
  mutating func next() -> (place: Range<Int>, isQuoted: Bool)? {
    while true {
      while let attribute = tag?.next() {
        // A value with an unclosed quote is skipped.
        guard let value = attribute.value, isLinkName(attribute.name),
          !attribute.isQuoted || value.upperBound < bytes.count
        else { continue }
        return (value, attribute.isQuoted)
      }
      if let tag { position = tag.position }
      tag = nil
      guard let open = bytes.index(of: UInt8(ascii: "<"), from: position) else { return nil }
      position = open + 1
      if position < bytes.count, bytes[position].isASCIILetter {
        tag = TagScanner(bytes, name: position)
      }
    }
  }

  /// Whether an attribute with this name contains a link.
  private func isLinkName(_ range: Range<Int>) -> Bool {
    switch range.count {
    case 3: bytes.hasSequence(inAnyCase: "src", at: range.lowerBound)
    case 4:
      bytes.hasSequence(inAnyCase: "href", at: range.lowerBound)
        || bytes.hasSequence(inAnyCase: "cite", at: range.lowerBound)
    case 6:
      bytes.hasSequence(inAnyCase: "poster", at: range.lowerBound)
        || bytes.hasSequence(inAnyCase: "action", at: range.lowerBound)
    default: false
    }
  }
}
