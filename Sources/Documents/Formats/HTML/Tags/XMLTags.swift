import Basics

/// Finds XML tags for which libxml2 needs quadratic time, since it compares all pairs of a tag's attributes.
package enum XMLTags {
  /// Returns the index of the first start tag with more attributes than `Limits.attributes`, or `nil` if there is none.
  ///
  /// The document is read by the grammar of XML 1.0. No tag is missed up to the first error, where a strict parser
  /// stops.
  package static func firstWithTooManyAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = 0
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      position = open + 1
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "!"):
        guard let end = declarationEnd(bytes, open) else { return nil }
        position = end
      case UInt8(ascii: "?"):
        guard let end = bytes.index(of: "?>", from: position) else { return nil }
        position = end + 2
      case UInt8(ascii: "/"): break
      default:
        var attributes = 0
        var quote: UInt8 = 0
        scan: while position < bytes.count {
          let byte = bytes[position]
          if quote != 0 {
            // Searching for the quote skips long values fast.
            guard let end = bytes.index(of: quote, from: position) else { return nil }
            position = end + 1
            quote = 0
            continue
          }
          switch byte {
          case UInt8(ascii: ">"): break scan
          case UInt8(ascii: "\""), UInt8(ascii: "'"):
            quote = byte
            attributes += 1
            if attributes > Limits.attributes { return open }
          default: break
          }
          position += 1
        }
      }
    }
    return nil
  }

  /// Returns the index after the comment, CDATA section or document type (with its internal subset) that begins at
  /// `open`, or `nil` if it has no end.
  package static func declarationEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ open: Int) -> Int? {
    if bytes.hasSequence("<!--", at: open) { return bytes.index(of: "-->", from: open + 4).map { $0 + 3 } }
    if bytes.hasSequence("<![CDATA[", at: open) {
      return bytes.index(of: "]]>", from: open + 9).map { $0 + 3 }
    }
    var position = open + 2
    var isInSubset = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = bytes.index(of: bytes[position], from: position + 1) else { return nil }
        position = end
      case UInt8(ascii: "["): isInSubset = true
      case UInt8(ascii: "]"): isInSubset = false
      case UInt8(ascii: "<"):
        if bytes.hasSequence("<!--", at: position) {
          guard let end = bytes.index(of: "-->", from: position + 4) else { return nil }
          position = end + 2
        } else if bytes.hasSequence("<?", at: position) {
          guard let end = bytes.index(of: "?>", from: position + 2) else { return nil }
          position = end + 1
        }
      case UInt8(ascii: ">"): if !isInSubset { return position + 1 }
      default: break
      }
      position += 1
    }
    return nil
  }
}
