import Messages

/// The newest messages of a first poll, which arrive unread.
///
/// They are known only at the end, so they wait here; the others are stored immediately.
struct NewestArrivals {
  /// The number of messages of a first poll that arrive unread.
  static let count = 20

  /// The waiting messages, the newest first.
  private var waiting: [(key: ListKey, new: NewMessage)] = []

  /// Adds a message if it is among the newest.
  ///
  /// - Returns: the message that isn't among the newest: the given one or one that it replaces, or `nil`.
  mutating func add(_ new: NewMessage, _ head: MessageHead) -> NewMessage? {
    guard head.isShown else { return new }
    if waiting.count == Self.count, let least = waiting.last, head.key < least.key { return new }
    let place = waiting.firstIndex { $0.key < head.key } ?? waiting.count
    waiting.insert((head.key, new), at: place)
    return waiting.count > Self.count ? waiting.removeLast().new : nil
  }

  /// Removes all waiting messages, and returns them in the order of their ids.
  mutating func removeAll() -> [NewMessage] {
    defer { waiting = [] }
    return waiting.map(\.new).sorted { $0.id < $1.id }
  }
}
