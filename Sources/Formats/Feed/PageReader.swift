import HTML
import Limits

/// Reads the links to feeds in an HTML page: `<link rel="alternate">`, also as `<a>`.
enum PageReader {
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, address: String) -> FeedReading {
    let sink = PageSink()
    HTMLStream(sink: sink, reading: .page).run(UnsafeBufferPointer(rebasing: bytes.prefix(Limits.pageBytes)))
    let base = sink.base.map { LinkReference.resolve($0, against: address) } ?? address
    let alternates = sink.links.compactMap { link in
      FeedLink(link.address, base: base, title: link.title, type: link.type, isFeed: link.isFeed)
    }
    let title = AuthorName.collapsed(sink.title)
    return .page(title: title.isEmpty ? nil : title, alternates: FeedLink.inOrder(alternates))
  }
}

private final class PageSink: HTMLSink {
  struct Link {
    var address: String
    var title: String?
    var type: String?
    var isFeed: Bool
  }

  private(set) var links: [Link] = []
  private(set) var base: String?
  private(set) var title = ""
  private var isInTitle = false
  private var depth = 0

  var isFull: Bool { depth > Limits.openElements }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    depth += 1
    if name.isName("link") || name.isName("a") {
      readLink(attributes)
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
