import Messages

/// Several messages that one act changes.
struct Several: Hashable, Sendable {
  /// The loaded messages.
  var rows: [MessageRow]
  /// All messages: the loaded ones by their ids, the others as parts of the list.
  var selection: MessageSelection
  /// Whether any message is unread, and whether all are starred, as far as is known.
  var areUnread: Bool
  var areStarred: Bool

  /// Returns the selection without the rows that the act does not change, so that an undo does not change them either.
  func selection(for act: UserAct.Kind) -> MessageSelection {
    let idle = Set(rows.filter { !$0.isChanged(by: act) }.map(\.id))
    var selection = selection
    selection.ids.removeAll(where: idle.contains)
    return selection
  }
}

extension MessageRow {
  /// Whether an act changes the message.
  func isChanged(by act: UserAct.Kind) -> Bool {
    switch act {
    case .read: isUnread
    case .unread: !isUnread
    case .star: !isStarred
    case .unstar: isStarred
    case .dismiss, .snooze: isDismissable
    case .readAll, .undismiss, .rule, .settings: true
    }
  }
}
