import Messages

/// The newest of the messages that a first poll brings: they arrive unread.
///
/// Which they are is known only at the end, so they wait here; the others go on at once.
struct NewestArrivals {
  struct Arrival {
    /// As it's stored, but for what rules change.
    var message: IncomingMessage
    /// Of what the source sent.
    var hash: Int64
    /// The message's, as text in UTF-8.
    var extras: [UInt8]?
    /// Whether nothing that is set changes it.
    var isIgnored: Bool
    /// Whether its rows are there already, as those of a read message.
    var isWritten = false
    var id: Int64
    /// The message of another source that it is a copy of.
    var first: Int64?
  }

  /// How many messages of a first poll arrive unread.
  static let count = 20

  /// The newest one first.
  private var waiting: [(key: ListKey, arrival: Arrival)] = []

  /// - Returns: what isn't among the newest: the message itself, one that it replaces, or nil.
  mutating func add(_ arrival: Arrival, _ head: MessageHead) -> Arrival? {
    guard head.isShown else { return arrival }
    if waiting.count == Self.count, let least = waiting.last, head.key < least.key { return arrival }
    let place = waiting.firstIndex { $0.key < head.key } ?? waiting.count
    waiting.insert((head.key, arrival), at: place)
    return waiting.count > Self.count ? waiting.removeLast().arrival : nil
  }

  /// All that wait, in the order of their ids.
  mutating func takeAll() -> [Arrival] {
    defer { waiting = [] }
    return waiting.map(\.arrival).sorted { $0.id < $1.id }
  }
}
