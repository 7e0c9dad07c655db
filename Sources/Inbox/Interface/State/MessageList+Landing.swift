import Messages

extension MessageList {
  /// Where the selection goes when the rows that were asked for arrive.
  enum Landing: Hashable, Sendable {
    case start, end
    /// On that message, or the one that follows it; it may be opened then.
    case message(ListKey, opens: Bool)
    /// That many rows from a message, and so many rows below the first one on screen; nil: wherever that is.
    case steps(Int, from: ListKey, offset: Int?)
  }

  enum Taken: Hashable {
    /// Of another list, or of a window that is not needed any more.
    case ignored
    case taken(opens: Bool)
    /// The selected message is outside the rows that came: another window must be loaded.
    case misses
  }

  /// The index of a message's row; if it is not there, of the row that follows it, else of the last.
  func place(of key: ListKey, in rows: [MessageRow]) -> Int {
    rows.firstIndex { $0.standsFor(key.id) } ?? rows.firstIndex { query.isBefore(key, $0.key) }
      ?? max(0, rows.count - 1)
  }

  func isBeyond(_ key: ListKey, _ rows: [MessageRow], _ snapshot: InboxSnapshot) -> Bool {
    guard let first = rows.first, let last = rows.last else { return false }
    return snapshot.hasMoreBefore && query.isBefore(key, first.key)
      || snapshot.hasMoreAfter && query.isBefore(last.key, key)
  }

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
