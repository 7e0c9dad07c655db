import Basics

/// Reads the links to feeds in an HTML page: `<link rel="alternate">` and `<a rel="alternate">`.
enum PageReader {
  /// Returns the title of a page and its links to feeds.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, address: String) -> FeedReading {
    let sink = PageSink()
    HTMLStream(sink: sink, reading: .page).run(UnsafeBufferPointer(rebasing: bytes.prefix(Limits.pageBytes)))
    let base = sink.base.map { LinkReference.resolve($0, against: address) } ?? address
    var alternates = sink.links.compactMap { link in
      FeedLink(link.address, base: base, title: link.title, type: link.type, isFeed: link.isFeed)
    }
    // This page only redirects.
    if alternates.isEmpty, let target = sink.target.map({ LinkReference.resolve($0, against: base) }),
      LinkReference.isWebAddress(target), target != address
    {
      alternates = [FeedLink(url: target)]
    }
    let title = AuthorName.collapsed(sink.title)
    return .page(title: title.isEmpty ? nil : title, alternates: FeedLink.inOrder(alternates))
  }
}

/// Collects the title, base and feed links of a page.
private final class PageSink: HTMLSink {
  /// A link as written in the page.
  struct Link {
    var address: String
    var title: String?
    var type: String?
    var isFeed: Bool
  }

  private(set) var links: [Link] = []
  private(set) var base: String?
  /// The URL that `<meta http-equiv="refresh">` opens after a few seconds.
  private(set) var target: String?
  private(set) var title = ""
  private var isInTitle = false
  private var depth = 0

  /// Whether the elements are nested too deeply to read on.
  var isFull: Bool { depth > Limits.openElements }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    depth += 1
    if name.isName("link") || name.isName("a") {
      readLink(attributes)
    } else if name.isName("meta") {
      target = target ?? Self.refresh(attributes)
    } else if name.isName("base") {
      base = base ?? attributes["href"]
    } else if name.isName("title") {
      isInTitle = title.isEmpty
    } else if name.isName("body") || name.isName("svg") {
      isInTitle = false
    }
  }

  func endElement(_ name: UnsafePointer<UInt8>) {
    depth -= 1
    if name.isName("title") { isInTitle = false }
  }

  func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if isInTitle, title.utf8.count < Limits.pageTitleBytes { title += String(decoding: text, as: UTF8.self) }
  }

  /// Returns the URL in the `content` of `<meta http-equiv="refresh">`: "0; url=/new", with or without quotes.
  private static func refresh(_ attributes: HTMLAttributes) -> String? {
    guard attributes["http-equiv"]?.lowercased() == "refresh", let content = attributes["content"],
      let split = content.firstIndex(where: { $0 == ";" || $0 == "," }),
      let seconds = Double(String(content[..<split]).trimmingXMLSpace), seconds <= Self.longestRefresh
    else { return nil }
    let rest = String(String(content[content.index(after: split)...]).trimmingXMLSpace)
    guard rest.lowercased().hasPrefix("url"), let sign = rest.firstIndex(of: "=") else { return nil }
    let address = String(rest[rest.index(after: sign)...]).trimmingXMLSpace.filter { !"\"'".contains($0) }
    return address.isEmpty || address.utf8.count > Limits.addressBytes ? nil : address
  }

  /// The maximum delay of a redirect, in seconds. Pages that reload themselves wait longer.
  private static let longestRefresh = 10.0

  /// Adds a link if its relation may be that of a feed.
  private func readLink(_ attributes: HTMLAttributes) {
    guard links.count < Limits.pageFeeds, let relation = attributes["rel"], let address = attributes["href"]
    else { return }
    let relations = relation.lowercased().split(whereSeparator: \.isWhitespace)
    let isFeed = relations.contains("feed")
    guard isFeed || relations.contains("alternate") else { return }
    links.append(
      Link(address: address, title: attributes["title"], type: attributes["type"], isFeed: isFeed))
  }
}
