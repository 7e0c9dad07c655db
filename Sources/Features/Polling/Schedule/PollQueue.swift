/// The sources that wait to be polled, in their order, so that the next one is found without examining the others. A
/// source is identified by its index in `PollSchedule.entries`.
struct PollQueue: Sendable {
  /// The position of an entry in the queue: forced refreshes come first, then the entries that have waited longest.
  struct Place: Comparable, Sendable {
    /// The priority of the entry: 0 for a forced refresh, otherwise 1. The lower number comes first.
    var rank: Int
    /// The time since which the entry has waited, in seconds since 1970.
    var since: Double
    /// The order of entries with the same time.
    var order: Int
    /// The index of the entry in `PollSchedule.entries`.
    var index: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.rank, one.since, one.order) < (other.rank, other.since, other.order)
    }
  }

  private var sorted: [Place] = []
  /// The position of each entry in the queue, keyed by the entry's index.
  private var places: [Int: Place] = [:]

  /// The entries of the queue, in ascending order.
  var entries: [Int] { places.keys.sorted() }

  func contains(_ index: Int) -> Bool { places[index] != nil }

  /// Gives an entry this position in the queue, or removes it from the queue if `place` is `nil`.
  mutating func set(_ index: Int, to place: Place?) {
    let old = places[index]
    guard old != place else { return }
    if let old { sorted.remove(at: position(of: old)) }
    places[index] = place
    if let place { sorted.insert(place, at: position(of: place)) }
  }

  /// Returns the index in the sorted list at which a position is, or would be inserted.
  private func position(of place: Place) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The positions of a queue's entries and those of other entries, merged into one sorted sequence.
  struct Merged: IteratorProtocol {
    private var queued: ArraySlice<Place>
    private var others: ArraySlice<Place>

    init(_ queue: PollQueue, _ others: [Place]) { (queued, self.others) = (queue.sorted[...], others[...]) }

    var isEmpty: Bool { queued.isEmpty && others.isEmpty }

    mutating func next() -> Place? {
      guard let first = queued.first else { return others.popFirst() }
      if let other = others.first, other < first { return others.popFirst() }
      return queued.popFirst()
    }
  }
}
