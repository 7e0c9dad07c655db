package import Messages

extension Phrase {
  /// Returns the phrase for an action on a number of messages.
  package init(_ act: UserAct.Kind) {
    self =
      switch act {
      case .read: .undoneRead
      case .unread: .undoneUnread
      case .star: .undoneStar
      case .unstar: .undoneUnstar
      case .dismiss: .undoneDismiss
      case .undismiss: .undoneUndismiss
      case .rule: .undoneRule
      // `Words.edit` names them.
      case .settings: .undoneChanged
      case .readAll: .undoneReadAll
      case .snooze: .undoneSnooze
      }
  }
}
