import Messages

extension MessageList {
  /// Where the selection goes when the rows that were asked for arrive.
  enum Landing: Hashable, Sendable {
    case start, end
    /// On that message, or the one that follows it; it may be opened then.
    case message(ListKey, opens: Bool)
    /// That many rows from a message.
    case steps(Int, from: ListKey)
  }

  enum Taken: Hashable {
    /// Of another list, or of a window that is not needed any more.
    case ignored
    case taken(opens: Bool)
    /// The selected message is outside the rows that came: another window must be loaded.
    case misses
  }
}
