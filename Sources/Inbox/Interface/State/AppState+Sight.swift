package import Messages

/// The messages on the screen.
extension AppState {
  /// Whether a message that arrives appears in the list on the screen.
  package func shows(_ message: MessageID, of source: SourceID) -> Bool {
    let layout = layout
    guard !dialog.coversPanes, !layout.isCovered, layout.messages != nil, shown.list.isLoaded,
      shown.list.query.search == nil
    else { return false }
    switch shown.list.query.scope {
    case .all, .folder, .source: return isShown(source)
    // Only the store knows these messages. A message that has just arrived is among the rows of its snapshot.
    case .list: return shown.list.rows.contains { $0.standsFor(message) }
    case .starred, .snoozed, .dismissed, .hidden, .waiting: return false
    }
  }

  /// The messages whose rows are on the screen, in a terminal with the focus.
  package var messagesInSight: Set<MessageID> {
    let layout = layout
    guard terminal.hasFocus, !dialog.coversPanes, !layout.isCovered, layout.messages != nil else {
      return []
    }
    let rows = shown.list.rows
    let first = min(shown.list.top, rows.count)
    let count = shown.list.count(from: first, in: messageLines(layout))
    return Set(rows[first...].prefix(count).flatMap(\.all).map(\.id))
  }
}
