import Messages

/// The newest of the messages that a first poll brings: they arrive unread.
///
/// Which they are is known only at the end, so they wait here; the others go on at once.
struct NewestArrivals {
  /// How many messages of a first poll arrive unread.
  static let count = 20

  /// The newest one first.
  private var waiting: [(key: ListKey, new: NewMessage)] = []

  /// - Returns: what isn't among the newest: the message itself, one that it replaces, or nil.
  mutating func add(_ new: NewMessage, _ head: MessageHead) -> NewMessage? {
    guard head.isShown else { return new }
    if waiting.count == Self.count, let least = waiting.last, head.key < least.key { return new }
    let place = waiting.firstIndex { $0.key < head.key } ?? waiting.count
    waiting.insert((head.key, new), at: place)
    return waiting.count > Self.count ? waiting.removeLast().new : nil
  }

  /// Removes all that wait, and returns them in the order of their ids.
  mutating func removeAll() -> [NewMessage] {
    defer { waiting = [] }
    return waiting.map(\.new).sorted { $0.id < $1.id }
  }
}
