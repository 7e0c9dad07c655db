import Messages

extension MessageList {
  /// The target of the selection when the requested rows arrive.
  enum Landing: Hashable, Sendable {
    case start, end
    /// The message, or the one that follows it; it may be opened then.
    case message(ListKey, opens: Bool)
    /// A number of rows from a message, at an offset below the first row on screen; `nil` for any offset.
    case steps(Int, from: ListKey, offset: Int?)
    /// A number of pages from the one that begins with a message, with the selection at an offset below the first row
    /// on screen.
    case pages(Int, from: ListKey, offset: Int)
  }

  /// The result of applying a snapshot to the list.
  enum Taken: Hashable {
    /// The snapshot is of another list, or of a window that is no longer needed.
    case ignored
    /// The snapshot is shown. `opens` is whether the message that is selected now is to be opened.
    case taken(opens: Bool)
    /// The selected message is outside the new rows: another window must be loaded.
    case misses
  }

  /// Returns the index of a message's row; if there is none, the index of the row that follows it, or of the last row.
  func place(of key: ListKey, in rows: [MessageRow]) -> Int {
    rows.firstIndex { $0.standsFor(key.id) } ?? rows.firstIndex { query.isBefore(key, $0.key) }
      ?? max(0, rows.count - 1)
  }

  /// Whether a message may be in the list, but outside the rows of a snapshot.
  func isBeyond(_ key: ListKey, _ rows: [MessageRow], _ snapshot: InboxSnapshot) -> Bool {
    guard let first = rows.first, let last = rows.last else { return false }
    return snapshot.hasMoreBefore && query.isBefore(key, first.key)
      || snapshot.hasMoreAfter && query.isBefore(last.key, key)
  }

  /// Returns rows with the user's pending acts applied; rows of dismissed and snoozed messages are left out.
  static func applying(_ differences: [MessageID: PendingActs.Difference], to rows: [MessageRow])
    -> [MessageRow]
  {
    guard !differences.isEmpty else { return rows }
    return rows.compactMap { row in
      guard let difference = differences[row.id] else { return row }
      guard !difference.isHidden else { return nil }
      var row = row
      row.isUnread = difference.isUnread ?? row.isUnread
      row.isStarred = difference.isStarred ?? row.isStarred
      return row
    }
  }
}
