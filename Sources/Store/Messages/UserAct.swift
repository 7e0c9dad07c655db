package import Foundation

/// An act of the user: on messages, or an edit of the settings. The journal has a row for each, which can be undone.
package struct UserAct: Hashable, Sendable {
  /// The raw values are stored in the journal and never change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case read, unread, star, unstar, dismiss
    /// Every message of a list becomes read, not only those on the screen.
    case readAll
    /// Removed from the lists until a time; then unread and at the top.
    case snooze
    /// Back in the lists, after a dismissal or in spite of a rule that hides the message.
    case undismiss
    /// Rules are applied to stored messages, outside of the inbox, which can undo it.
    case rule
    /// An edit of the settings, by a separate effect or command.
    case settings
  }

  package var kind: Kind
  package var messages: MessageSelection
  /// The end of a snooze.
  package var until: Date?
  /// The list of `readAll`.
  package var list: InboxQuery?
  /// The newest message of `list` when the user decided: later ones are not meant. `nil`: all are.
  package var newest: MessageID?
  /// The edit of `settings`.
  package var edit: SettingsAct?
  /// If the last step of the journal is the same act on this message alone, both become one step.
  package var joined: MessageID?

  package init(_ kind: Kind, _ messages: MessageSelection, until: Date? = nil) {
    (self.kind, self.messages, self.until) = (kind, messages, until)
  }

  private init(_ kind: Kind, _ ids: [MessageID], until: Date? = nil) {
    self.init(kind, MessageSelection(ids), until: until)
  }

  package static func read(_ ids: [MessageID]) -> UserAct { UserAct(.read, ids) }
  package static func unread(_ ids: [MessageID]) -> UserAct { UserAct(.unread, ids) }
  package static func star(_ ids: [MessageID]) -> UserAct { UserAct(.star, ids) }
  package static func unstar(_ ids: [MessageID]) -> UserAct { UserAct(.unstar, ids) }
  package static func dismiss(_ ids: [MessageID]) -> UserAct { UserAct(.dismiss, ids) }
  package static func undismiss(_ ids: [MessageID]) -> UserAct { UserAct(.undismiss, ids) }
  package static func rule(_ ids: [MessageID]) -> UserAct { UserAct(.rule, ids) }

  package static func snooze(_ ids: [MessageID], until: Date) -> UserAct {
    UserAct(.snooze, ids, until: until)
  }

  package static func readAll(_ list: InboxQuery, newest: MessageID? = nil) -> UserAct {
    var act = UserAct(.readAll, [])
    (act.list, act.newest) = (list, newest)
    return act
  }

  package static func settings(_ edit: SettingsAct) -> UserAct {
    var act = UserAct(.settings, [])
    act.edit = edit
    return act
  }

  /// The act as one step with the same act on another message.
  package func joining(_ message: MessageID?) -> UserAct {
    var act = self
    act.joined = message
    return act
  }
}

extension UserAct.Kind {
  /// The marks that messages get.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - until: the end of a snooze, in milliseconds since 1970.
  package func marks(at now: Milliseconds, until: Milliseconds?) -> [Mark] {
    switch self {
    case .read, .readAll: [.read(true)]
    case .unread: [.read(false)]
    case .star: [.starred(true)]
    case .unstar: [.starred(false)]
    case .dismiss: [.dismissed(at: now)]
    case .undismiss: [.dismissed(at: nil), .hidden(nil)]
    case .snooze: [.snoozed(until: until)]
    // Other code performs these.
    case .rule, .settings: []
    }
  }
}
