import Basics
import Foundation
package import Messages
import Screen

/// A message's article that is asked for.
package struct ArticleRequest: Hashable, Sendable {
  /// Counts up; only the answer to the last one is shown.
  package let number: Int
  package let message: MessageID
  /// http or https, as it may be opened.
  package let address: String
  /// Whether it is fetched if it isn't stored. A preview fetches nothing, so that the publisher learns nothing.
  package let mayFetch: Bool
}

/// The article of the message that is shown.
struct ArticleSlot: Hashable, Sendable {
  private enum State: Hashable {
    case unasked
    case asked(ArticleRequest)
    /// It isn't stored.
    case notStored
    case failed
    case here(Article)
  }

  private var state = State.unasked
  /// Whether a server is being asked.
  private(set) var isFetching = false
  /// Whether the person wants to see it, if there is one.
  private(set) var isWanted = true

  /// The article, whether it is shown or not.
  var article: Article? { if case .here(let article) = state { article } else { nil } }
  /// What is shown instead of the message's text.
  var shown: Article? { isWanted ? article : nil }

  /// Whether a source that shows articles should ask for this one.
  ///
  /// - Parameter isOpen: whether the message is open, not only beside the list.
  func isUndecided(isOpen: Bool) -> Bool {
    switch state {
    case .unasked: true
    case .notStored: isOpen
    case .asked(let request): isOpen && !request.mayFetch
    case .failed, .here: false
    }
  }

  /// Whether a request is under way that may lead to a server.
  var isAsked: Bool { if case .asked(let request) = state { request.mayFetch } else { false } }

  mutating func ask(_ request: ArticleRequest) {
    state = .asked(request)
    isFetching = false
    isWanted = true
  }

  mutating func toggle() { isWanted.toggle() }

  mutating func fetchBegan(_ number: Int) {
    if case .asked(let request) = state, request.number == number { isFetching = true }
  }

  /// - Returns: why there isn't one; nil if there is, or if it is the answer to an older request.
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
  /// The host that it came from.
  var host: SafeText { SafeText(untrusted: HostName.of(address) ?? "") }
}
