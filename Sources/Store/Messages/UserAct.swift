package import Foundation

/// An act of the user, on messages or on the settings. The journal has a row for each, which can be undone.
package struct UserAct: Hashable, Sendable {
  /// The kind of an act. The raw values are stored in the journal and never change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case read, unread, star, unstar, dismiss
    /// Marks every message of a list as read, not only those on the screen.
    case readAll
    /// Hides messages until a time; then they are unread and at the top.
    case snooze
    /// Restores messages to the lists after a dismissal, or despite a rule that hides them.
    case undismiss
    /// Applies rules to stored messages. This happens outside of the inbox, but the inbox can undo it.
    case rule
    /// Edits the settings. A separate effect or command writes the edit itself.
    case settings
  }

  package var kind: Kind
  package var messages: MessageSelection
  /// The end of a snooze.
  package var until: Date?
  /// The list of `readAll`.
  package var list: InboxQuery?
  /// The newest message of `list` at the time of the user's decision: later ones are not included. `nil` means all
  /// messages.
  package var newest: MessageID?
  /// The edit of `settings`.
  package var edit: SettingsAct?
  /// The message of an earlier act that this one joins. If the last step of the journal is the same act on
  /// only that message, both acts become one step.
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

  /// Returns the act, joined with an earlier act on another message, so that one undo reverts both.
  package func joining(_ message: MessageID?) -> UserAct {
    var act = self
    act.joined = message
    return act
  }
}

extension UserAct.Kind {
  /// Returns the marks that the act sets on its messages.
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
    // Other code performs these acts.
    case .rule, .settings: []
    }
  }
}
