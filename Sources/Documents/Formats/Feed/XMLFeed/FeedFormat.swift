import Basics
import Foundation

extension ParsedFeed {
  /// Sets the base of the links in every HTML fragment without xml:base. It is the entry's own link, since the fragment
  /// is also on that page, or `base` if there is none.
  ///
  /// - Parameter base: the feed's link, or its URL if it has none.
  mutating func setBase(_ base: String) {
    title?.setBase(base)
    entries.changeEach { entry in
      let own = entry.link.flatMap { LinkReference.canBeBase($0) ? $0 : nil } ?? base
      entry.title?.setBase(own)
      entry.summary?.setBase(own)
      entry.content?.setBase(own)
    }
  }
}

extension FeedText {
  /// Sets the base of an HTML fragment that has none.
  fileprivate mutating func setBase(_ base: String) {
    if kind == .html, self.base == nil { self.base = base }
  }
}

/// Detects the format of an XML feed, and its version, from root element, namespace and version attribute.
enum FeedFormat {
  /// Returns the format of a document with this root element.
  static func of(_ root: FeedElement, _ name: XMLName, version: String?) -> ParsedFeed.Format {
    let uri = name.uri.map { String(cString: $0) } ?? ""
    if root == .feed || root == .item {
      return version == "0.3" || uri.hasPrefix("http://purl.org/atom/") ? .atom03 : .atom10
    }
    if root == .rdf { return .rss10 }
    switch version ?? "" {
    case "0.90", "0.9": return .rss090
    case "0.91": return .rss091
    case "0.92", "0.93", "0.94": return .rss092
    default: return .rss20
    }
  }

  /// Whether an element belongs to RSS 0.90. In RDF documents the namespace of the root's children shows the version.
  static func isRSS090(_ name: XMLName) -> Bool {
    name.uri.map { String(cString: $0).contains("netscape.com/rdf/simple/0.9") } ?? false
  }
}

/// Chooses the label of a link to an enclosure, a picture or a recording.
package enum AttachmentLabel {
  /// Returns the title, or if there is none the file name in the URL, the media type or the whole URL.
  package static func of(_ url: String, title: String?, type: String?) -> String {
    if let title = title.map(AuthorName.collapsed), !title.isEmpty { return title }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let file = path.split(onBytes: "/").last.map(String.init) ?? ""
    // `http://host.example` has no file name.
    let isFile = !LinkReference.hasScheme(url) || path.split(onBytes: "/").count > 2
    if isFile, file.contains(".") {
      return file.removingPercentEncoding ?? file
    }
    return type.map(AuthorName.collapsed).flatMap { $0.isEmpty ? nil : $0 } ?? url
  }
}

/// The days of RSS `skipDays`.
enum RSSDays {
  /// Returns the number of a day, from 1 for Monday to 7 for Sunday.
  static func number(_ name: String) -> Int? {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    return days.firstIndex(of: name.lowercased()).map { $0 + 1 }
  }
}

extension String {
  var trimmingXMLSpace: Substring {
    let start = utf8.firstIndex { !$0.isXMLSpace } ?? endIndex
    let end = utf8.lastIndex { !$0.isXMLSpace }.map { utf8.index(after: $0) } ?? start
    return self[start..<end]
  }
}
