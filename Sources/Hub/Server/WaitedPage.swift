import Synchronization

/// The page that readers have waited for. It is requested from the store once, for any number of readers.
final class WaitedPage: Sendable {
  private struct Question: Hashable {
    var feed: FeedName
    var since: Int64
    var limit: Int
    /// The feed's greatest known id when the page was requested. A reader that knows of a greater one
    /// requests the page again.
    var last: Int64
  }

  private typealias Asking = Task<Result<HubPage, HubFailure>, Never>

  /// One page is enough, since requests that wait for the same list are woken at the same time.
  private let newest = Mutex<(question: Question, asking: Asking)?>(nil)

  /// - Parameters:
  ///   - last: the feed's greatest known id.
  ///   - ask: queries the store.
  func page(
    of feed: FeedName, since: Int64, limit: Int, last: Int64,
    ask: @escaping @Sendable () async throws(HubFailure) -> HubPage
  ) async throws(HubFailure) -> HubPage {
    let question = Question(feed: feed, since: since, limit: limit, last: last)
    let asking = newest.withLock { newest in
      if let newest, newest.question == question { return newest.asking }
      let asking = Asking {
        do throws(HubFailure) { return .success(try await ask()) } catch { return .failure(error) }
      }
      newest = (question, asking)
      return asking
    }
    return try await asking.value.get()
  }
}
