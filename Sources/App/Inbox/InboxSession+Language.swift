import Formats
import Interface
import Messages
import Storage

extension InboxSession {
  /// Puts the stored messages into the reader's language, the newest first; nothing where they stand in it already.
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
