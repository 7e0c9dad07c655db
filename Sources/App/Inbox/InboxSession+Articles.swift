import Interface
import Messages
import Polling
import Storage

@MainActor
extension InboxSession {
  /// Answers with the stored article, else with that of the page if it may be fetched.
  func find(_ request: ArticleRequest) {
    Task { [weak self, articles, reader] in
      do throws(StoreFailure) {
        if let article = try await articles.stored(request.message) {
          self?.happened(.articleAnswered(request, .found(article)))
          return
        }
        let message =
          request.mayFetch
          ? try await reader.read({ store throws(StoreFailure) in try store.message(request.message) }) : nil
        guard let message else {
          self?.happened(.articleAnswered(request, .notStored))
          return
        }
        self?.happened(.articleRequested(request.number))
        let answer = await articles.fetch(message, from: request.address)
        // A new hold is for polls too.
        if case .failed(.heldBack, _) = answer { await self?.poller.storeChanged() }
        self?.happened(.articleAnswered(request, answer))
      } catch {
        self?.report(error)
        self?.happened(.articleAnswered(request, .notStored))
      }
    }
  }
}
