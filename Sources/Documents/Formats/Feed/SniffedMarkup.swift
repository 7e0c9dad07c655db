import Basics

/// The kind of a document, detected from its first bytes.
struct SniffedMarkup {
  enum Kind: Equatable {
    case xml
    case html
    /// A feed that is preceded by other text, for example a script's warning.
    case embeddedFeed
    case text
  }

  private(set) var kind: Kind
  /// The position at which reading begins, after white space and the XML declaration.
  private(set) var offset: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    offset = XMLDeclaration.end(bytes)
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
    kind = .text
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "<") {
      let name = Self.firstName(bytes, from: offset)
      kind = Self.htmlNames.contains(name ?? "") ? .html : .xml
    }
    // Comments may precede a feed.
    if kind != .xml, let feed = Self.feedStart(bytes) {
      kind = .embeddedFeed
      offset = feed
    }
  }

  /// Returns the lowercase name of the first element, or of the document type.
  private static func firstName(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String? {
    var position = start
    while let open = bytes.index(of: UInt8(ascii: "<"), from: position) {
      if bytes.hasSequence("<!--", at: open) {
        guard let end = bytes.index(of: "-->", from: open + 4) else { return nil }
        position = end + 3
        continue
      }
      var nameStart = open + 1
      if bytes.hasSequence("<!", at: open) {
        nameStart = open + 2
        // The document type is `<!DOCTYPE html …>`.
        while nameStart < bytes.count, bytes[nameStart].isASCIILetter { nameStart += 1 }
        while nameStart < bytes.count, bytes[nameStart].isXMLSpace { nameStart += 1 }
      } else if bytes.hasSequence("<?", at: open) {
        guard let end = bytes.index(of: UInt8(ascii: ">"), from: open) else { return nil }
        position = end + 1
        continue
      }
      let end = bytes[nameStart..<min(bytes.count, nameStart + 40)].firstIndex {
        !$0.isASCIILetter && !$0.isASCIIDigit && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "-")
      }
      return String(decoding: bytes[nameStart..<(end ?? nameStart)], as: UTF8.self).lowercased()
    }
    return nil
  }

  /// Returns the position of a feed's root element near the beginning of the bytes.
  private static func feedStart(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let head = UnsafeBufferPointer(rebasing: bytes.prefix(Limits.markupStartBytes))
    let starts: [StaticString] = ["<rss ", "<rss>", "<rdf:RDF", "<feed xmlns", "<feed version"]
    return starts.lazy.compactMap { head.index(of: $0, from: 0) }.min()
  }

  /// The names of elements with which HTML documents begin.
  private static let htmlNames: Set<String> = [
    "html", "head", "body", "title", "meta", "link", "script", "style", "div", "p", "h1", "h2", "table", "br",
    "b", "center", "font", "a", "span", "pre", "noscript", "base", "main", "header", "nav",
  ]
}
