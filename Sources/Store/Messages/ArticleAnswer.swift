package import Foundation

/// The result of a request.
package enum ArticleAnswer: Hashable, Sendable {
  case found(Article)
  /// It isn't stored, and was not to be fetched.
  case notStored
  /// `kept` is an older one, which may not be that of the message as it is now.
  case failed(ArticleFailure, kept: Article?)
}

/// Why there isn't an article; the message's own text is shown instead.
package enum ArticleFailure: Error, Hashable, Sendable {
  case noAddress
  case fetch(FetchFailure, host: String)
  /// The media type as the server wrote it.
  case notAPage(type: String, host: String)
  case noText(host: String)
  /// The server's Retry-After.
  case heldBack(host: String, until: Date)
}
