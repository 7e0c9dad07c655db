import Basics
import Foundation
package import Messages
import Screen

/// A request for a message's article.
package struct ArticleRequest: Hashable, Sendable {
  /// The number of the request, which counts up. Only the response to the last one is shown.
  package let number: Int
  package let message: MessageID
  /// The http or https URL, checked and normalised for opening.
  package let address: String
  /// Whether the article is fetched if it isn't stored. A preview fetches nothing, so that the publisher doesn't learn
  /// which messages were selected.
  package let mayFetch: Bool
}

/// The state of the shown message's article, which is the text of the web page that the message links to.
struct ArticleSlot: Hashable, Sendable {
  private enum State: Hashable {
    case unasked
    /// The article was requested, and the response has not arrived.
    case asked(ArticleRequest)
    /// The article isn't stored.
    case notStored
    case failed
    /// The article has arrived.
    case here(Article)
  }

  private var state = State.unasked
  /// Whether a request to a server is under way.
  private(set) var isFetching = false
  /// Whether the user wants to see the article if there is one.
  private(set) var isWanted = true

  /// The article, whether it is shown or not.
  var article: Article? { if case .here(let article) = state { article } else { nil } }
  /// The article that replaces the message's text.
  var shown: Article? { isWanted ? article : nil }

  /// Whether the article of a message still has to be requested. The caller checks whether the message's
  /// source is set to show articles.
  ///
  /// - Parameter isOpen: whether the message is open, not only shown next to the list.
  func isUndecided(isOpen: Bool) -> Bool {
    switch state {
    case .unasked: true
    case .notStored: isOpen
    case .asked(let request): isOpen && !request.mayFetch
    case .failed, .here: false
    }
  }

  /// Whether a request is under way that is allowed to fetch the article from its server.
  var isAsked: Bool { if case .asked(let request) = state { request.mayFetch } else { false } }

  /// Records a request; the article is shown once it arrives.
  mutating func ask(_ request: ArticleRequest) {
    state = .asked(request)
    isFetching = false
    isWanted = true
  }

  /// Switches between the article and the message's own text.
  mutating func toggle() { isWanted.toggle() }

  /// Records that the article of the request with this number is being fetched from its server.
  mutating func fetchBegan(_ number: Int) {
    if case .asked(let request) = state, request.number == number { isFetching = true }
  }

  /// Stores the response to a request.
  ///
  /// - Returns: the reason why the article could not be fetched, even if an older stored article is shown instead.
  ///   `nil` if there is no failure, or if this is the response to an older request.
  mutating func apply(_ answer: ArticleAnswer, for number: Int) -> ArticleFailure? {
    guard case .asked(let request) = state, request.number == number else { return nil }
    isFetching = false
    switch answer {
    case .found(let article): state = .here(article)
    case .notStored: state = .notStored
    case .failed(let failure, let kept):
      state = kept.map { .here($0) } ?? .failed
      return failure
    }
    return nil
  }
}

extension Article {
  /// The host of the article.
  var host: SafeText { SafeText(untrusted: HostName.of(address) ?? "") }
}
