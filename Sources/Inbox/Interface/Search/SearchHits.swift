import Messages

/// The number of messages that match a search, as far as they were counted, and the index of the selected one.
struct SearchHits: Hashable, Sendable {
  /// The position of the selected message, from 1, or `nil` if it isn't known.
  var position: Int?
  var count: Int
  /// Whether there are more matches than `count`.
  var isMore: Bool
}

/// A request to scroll to a match in a message, which waits until the message is loaded and laid out.
struct HitSearch: Hashable, Sendable {
  var message: MessageID
  var isForward: Bool
  /// Whether the next message is opened if no match is found in this one.
  var goesOn: Bool
}
