import Formats
import Interface
import Messages
import Storage

extension InboxSession {
  /// Changes the stored messages to the user's language, the newest first; does nothing if they are in it already.
  func translate() {
    let language = workspace.language
    let store = workspace.store
    translation?.cancel()
    translation = Task { [weak self] in
      do {
        var before: MessageID?
        repeat {
          before = try await store.inBackground { [before] store throws(StoreFailure) in
            try store.translate(into: language, before: before) {
              LanguageChoice.index(for: language, in: $0)
            }
          }
        } while before != nil && !Task.isCancelled
      } catch {
        self?.report(error)
      }
    }
  }
}
