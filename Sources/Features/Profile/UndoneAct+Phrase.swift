import Messages
package import Storage
import Words

extension Phrase {
  /// The undone act, for a number of messages.
  init(_ act: UndoneAct.Kind) {
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

extension UserAct {
  package init(_ act: UndoneAct) {
    self =
      switch act.kind {
      case .read: .read(act.messages)
      case .unread: .unread(act.messages)
      case .star: .star(act.messages)
      case .unstar: .unstar(act.messages)
      case .dismiss: .dismiss(act.messages)
      case .undismiss: .undismiss(act.messages)
      case .rule: .rule(act.messages)
      case .settings: .settings(act.edit ?? SettingsAct(.changed, ""))
      case .readAll: .readAll(InboxQuery())
      case .snooze: .snooze(act.messages, until: act.at)
      }
  }
}
