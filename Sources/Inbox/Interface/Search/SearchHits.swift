import Messages

/// The number of messages that match a search, as far as they were counted, and the index of the selected one.
struct SearchHits: Hashable, Sendable {
  /// The position of the selected message, from 1, or `nil` if it isn't known.
  var position: Int?
  var count: Int
  /// Whether there are more than the count.
  var isMore: Bool
}

/// A match to be shown in a message that is being opened, or laid out further.
struct HitSearch: Hashable, Sendable {
  var message: MessageID
  var isForward: Bool
  /// Whether the next message follows if this one has no match.
  var goesOn: Bool
}
