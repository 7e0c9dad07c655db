import Interface
import Storage

extension Phrase {
  /// What was taken back, about a number of messages.
  init(_ act: UndoneAct.Kind) {
    self =
      switch act {
      case .read: .undoneRead
      case .unread: .undoneUnread
      case .star: .undoneStar
      case .unstar: .undoneUnstar
      case .dismiss: .undoneDismiss
      case .readAll: .undoneReadAll
      }
  }
}
