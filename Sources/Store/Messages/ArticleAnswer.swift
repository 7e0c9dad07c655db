package import Foundation

/// The result of a request for the article of a message.
package enum ArticleAnswer: Hashable, Sendable {
  case found(Article)
  /// The article isn't stored, and was not to be fetched.
  case notStored
  /// The fetch failed. `kept` is an older article, which may not match the current message.
  case failed(ArticleFailure, kept: Article?)
}

/// The reason why there is no article; the message's own text is shown instead.
package enum ArticleFailure: Error, Hashable, Sendable {
  case noAddress
  case fetch(FetchFailure, host: String)
  /// The response isn't a page; `type` is the media type as the server wrote it.
  case notAPage(type: String, host: String)
  /// The page contains no article.
  case noText(host: String)
  /// The server's Retry-After has not passed; no request was sent.
  case heldBack(host: String, until: Date)
}
