import Messages

/// How many messages a search has found, as far as they were counted, and which of them is selected.
struct SearchHits: Hashable, Sendable {
  /// From 1; nil where it isn't known.
  var position: Int?
  var count: Int
  /// Whether there are more than that.
  var isMore: Bool
}

/// Where a message that is being opened, or laid out further, is to be shown.
struct HitSearch: Hashable, Sendable {
  var message: MessageID
  var isForward: Bool
  /// Whether the next message follows where nothing is found in this one.
  var goesOn: Bool
}
