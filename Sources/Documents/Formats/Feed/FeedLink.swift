import Basics

/// A link to a feed, in an HTML page or an HTTP header.
package struct FeedLink: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var mediaType: String?

  package init(url: String, title: String? = nil, mediaType: String? = nil) {
    self.url = url
    self.title = title
    self.mediaType = mediaType
  }

  /// Creates a link as written in a page or a header, or returns `nil` if it does not link to a feed.
  ///
  /// - Parameters:
  ///   - base: the base of relative URLs.
  ///   - isFeed: whether the link's relation marks it as a feed, whatever its type.
  package init?(_ address: String, base: String, title: String?, type: String?, isFeed: Bool) {
    let type = type?.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    guard !address.isEmpty, isFeed || Self.feedTypes.contains(type ?? "") else { return nil }
    let url = LinkReference.resolve(address, against: base)
    // WordPress also offers its posts as its own JSON, and data for embedding a page, in the same form.
    let path = url.prefix { $0 != "#" }.lowercased()
    guard !path.contains("/wp-json/"), !path.contains("rest_route="), !path.contains("oembed") else {
      return nil
    }
    self.init(
      url: url, title: title.map(AuthorName.collapsed).flatMap { $0.isEmpty ? nil : $0 }, mediaType: type)
  }

  /// Whether the feed contains readers' comments, judging by its URL and title.
  package var isOfComments: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    if path.split(onBytes: "/").dropFirst(2).contains(where: { $0.hasPrefix("comment") }) { return true }
    let title = title?.lowercased() ?? ""
    return Self.commentWords.contains { title.contains($0) }
  }

  /// Returns the links with distinct URLs, those of posts before those of comments.
  package static func inOrder(_ links: [FeedLink]) -> [FeedLink] {
    var seen: Set<String> = []
    let links = links.filter { seen.insert($0.url).inserted }
    return links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
  }

  /// The media types of feeds.
  private static let feedTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/json", "application/xml", "text/xml", "application/x-rss+xml", "text/rss+xml",
  ]

  /// The words for "comments" that WordPress uses in the languages of most sites.
  private static let commentWords = [
    "comment", "kommentar", "coment", "commenti", "reactie", "yorum", "коммент", "комент", "コメント", "评论", "評論",
    "留言", "回响", "迴響", "댓글", "टिप्पणी", "تعليق",
  ]
}
