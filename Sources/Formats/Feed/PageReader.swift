import Foundation
import HTML
import Limits

/// Reads the links to feeds in an HTML page (`<link rel="alternate">`).
enum PageReader {

  static func read(_ bytes: UnsafeBufferPointer<UInt8>, address: String) -> FeedReading {
    let sink = PageSink()
    HTMLStream(sink: sink, reading: .text).run(UnsafeBufferPointer(rebasing: bytes.prefix(Limits.pageBytes)))
    let base = sink.base.map { LinkReference.resolve($0, against: address) } ?? address
    var seen: Set<String> = []
    let alternates = sink.links.compactMap { link -> FeedLink? in
      let url = LinkReference.resolve(link.url, against: base)
      guard seen.insert(url).inserted else { return nil }
      return FeedLink(url: url, title: link.title, mediaType: link.mediaType)
    }
    let title = HTMLText.plain(sink.title)
    return .page(title: title.isEmpty ? nil : title, alternates: alternates)
  }
}

private final class PageSink: HTMLSink {
  private(set) var links: [FeedLink] = []
  private(set) var base: String?
  private(set) var title = ""
  private var isInTitle = false

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    if name.isName("link") {
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
    if name.isName("title") { isInTitle = false }
  }

  func characters(_ text: UnsafeBufferPointer<UInt8>) {
    // The title is parsed again as a fragment: resolved references must stay text then.
    if isInTitle, title.utf8.count < Limits.pageTitleBytes {
      title += String(decoding: text, as: UTF8.self).replacingOccurrences(of: "&", with: "&amp;")
        .replacingOccurrences(of: "<", with: "&lt;")
    }
  }

  private func readLink(_ attributes: HTMLAttributes) {
    guard links.count < Limits.pageFeeds, let address = attributes["href"], !address.isEmpty else {
      return
    }
    let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    let type = attributes["type"]?.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    guard relations.contains("feed") || relations.contains("alternate") && Self.isFeed(type) else { return }
    let title = attributes["title"].map(AuthorName.collapsed).flatMap { $0.isEmpty ? nil : $0 }
    links.append(FeedLink(url: address, title: title, mediaType: type))
  }

  private static func isFeed(_ type: String?) -> Bool {
    switch type {
    case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
      "application/json", "application/xml", "text/xml", "application/x-rss+xml", "text/rss+xml":
      true
    default: false
    }
  }
}
