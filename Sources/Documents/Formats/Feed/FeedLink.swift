import Basics

/// A feed that a page offers.
package struct FeedLink: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var mediaType: String?

  package init(url: String, title: String? = nil, mediaType: String? = nil) {
    self.url = url
    self.title = title
    self.mediaType = mediaType
  }

  /// A link as written in a page or a header; nil if it isn't one to a feed.
  ///
  /// - Parameters:
  ///   - base: what a relative address is resolved against.
  ///   - isFeed: whether its relation says so, whatever its type.
  package init?(_ address: String, base: String, title: String?, type: String?, isFeed: Bool) {
    let type = type?.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    guard !address.isEmpty, isFeed || Self.feedTypes.contains(type ?? "") else { return nil }
    let url = LinkReference.resolve(address, against: base)
    // WordPress offers its posts as JSON of its own, and what embeds a page, in the same way.
    let path = url.prefix { $0 != "#" }.lowercased()
    guard !path.contains("/wp-json/"), !path.contains("rest_route="), !path.contains("oembed") else {
      return nil
    }
    self.init(
      url: url, title: title.map(AuthorName.collapsed).flatMap { $0.isEmpty ? nil : $0 }, mediaType: type)
  }

  /// Whether it has what readers wrote, by its address and title.
  package var isOfComments: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    if path.split(exactly: "/").dropFirst(2).contains(where: { $0.hasPrefix("comment") }) { return true }
    let title = title?.lowercased() ?? ""
    return Self.commentWords.contains { title.contains($0) }
  }

  /// Each address once, those of posts before those of comments.
  package static func inOrder(_ links: [FeedLink]) -> [FeedLink] {
    var seen: Set<String> = []
    let links = links.filter { seen.insert($0.url).inserted }
    return links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
  }

  private static let feedTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/json", "application/xml", "text/xml", "application/x-rss+xml", "text/rss+xml",
  ]

  /// "Comments" as WordPress has it in the languages of most sites.
  private static let commentWords = [
    "comment", "kommentar", "coment", "commenti", "reactie", "yorum", "коммент", "комент", "コメント", "评论", "評論",
    "留言", "回响", "迴響", "댓글", "टिप्पणी", "تعليق",
  ]
}
