import Basics
import Synchronization

/// A list whose changes readers wait for. Each change gets a greater id.
enum WatchedList: Hashable, Sendable {
  case feed(FeedName)
  /// The objects of a user's machines.
  case objects(person: Int)
}

/// The state of the feeds that this hub knows without a query, and the readers who wait for the next change of a list.
final class FeedWatch: Sendable {
  private typealias Waiter = (
    since: Int64, end: ContinuousClock.Instant, continuation: CheckedContinuation<Void, Never>
  )

  private struct State {
    var feeds: [FeedName: HubFeed] = [:]
    /// The number of the last change of each user's objects, for users who connected since the start.
    var objects: [Int: Int64] = [:]
    var waiters: [WatchedList: [Waiter]] = [:]
    var count = 0
    var isStopping = false
    /// The time since which the store is unavailable.
    var awaySince: ContinuousClock.Instant?

    /// Returns the greatest known id of a list, or `nil` for a feed that does not exist.
    func lastID(_ list: WatchedList) -> Int64? {
      switch list {
      case .feed(let name): feeds[name]?.lastID
      case .objects(let person): objects[person] ?? 0
      }
    }

    /// Removes the waiters that meet a condition, and returns them.
    mutating func remove(from list: WatchedList, where holds: (Waiter) -> Bool) -> [Waiter] {
      guard let all = waiters[list] else { return [] }
      let removed = all.filter(holds)
      if !removed.isEmpty {
        let rest = all.filter { !holds($0) }
        waiters[list] = rest.isEmpty ? nil : rest
        count -= removed.count
      }
      return removed
    }
  }

  private let state = Mutex(State())
  private let waitingLimit: Int

  init(waitingLimit: Int) { self.waitingLimit = waitingLimit }

  var isStopping: Bool { state.withLock { $0.isStopping } }
  var isStoreAway: Bool { state.withLock { $0.awaySince != nil } }

  /// Whether the store has been unavailable for so long that the known state may be outdated.
  func isOld(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { $0.awaySince.map { now - $0 > .seconds(Limits.hubMemorySeconds) } ?? false }
  }

  /// The number of waiting readers.
  var waiting: Int { state.withLock { $0.count } }

  func setStoreAway(_ isAway: Bool, at now: ContinuousClock.Instant) {
    state.withLock { $0.awaySince = isAway ? $0.awaySince ?? now : nil }
  }

  func feed(_ name: FeedName) -> HubFeed? { state.withLock { $0.feeds[name] } }

  /// The feeds, sorted by name.
  var feeds: [HubFeed] { state.withLock { $0.feeds.values.sorted { $0.name < $1.name } } }

  /// Replaces the feeds by those that were read from the store. A known last id is never replaced by a lower
  /// one, since the store may have been read before that id was assigned.
  func replace(_ feeds: [HubFeed]) {
    wake { state in
      var known: [FeedName: HubFeed] = [:]
      for var feed in feeds {
        feed.lastID = max(feed.lastID, state.feeds[feed.name]?.lastID ?? 0)
        known[feed.name] = feed
      }
      state.feeds = known
      return Array(state.waiters.keys).flatMap { list in
        let last = state.lastID(list) ?? .max
        return state.remove(from: list) { $0.since < last }
      }
    }
  }

  /// Records new ids, and wakes the readers who wait for them.
  func grew(_ lastIDs: [WatchedList: Int64]) {
    wake { state in
      lastIDs.flatMap { list, id in
        guard let known = state.lastID(list), id > known else { return [Waiter]() }
        switch list {
        case .feed(let name): state.feeds[name]?.lastID = id
        case .objects(let person): state.objects[person] = id
        }
        return state.remove(from: list) { $0.since < id }
      }
    }
  }

  /// The users whose machines wait for changes of their objects.
  var waitingPersons: Set<Int> {
    state.withLock { state in
      Set(state.waiters.keys.compactMap { if case .objects(let person) = $0 { person } else { nil } })
    }
  }

  /// Waits until the list has a greater id than `since`, until the time `end`, or until the hub stops.
  /// Returns immediately if too many readers already wait.
  func wait(for list: WatchedList, past since: Int64, until end: ContinuousClock.Instant) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let waits = state.withLock { state in
        guard !state.isStopping, state.count < waitingLimit, let known = state.lastID(list), known <= since
        else { return false }
        state.waiters[list, default: []].append((since, end, continuation))
        state.count += 1
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Ends the waits whose time is up. One timer for all costs less than one for each.
  func endOverdue(at now: ContinuousClock.Instant) {
    wake { state in Array(state.waiters.keys).flatMap { state.remove(from: $0) { $0.end <= now } } }
  }

  /// Ends all waits, so that everyone gets a response.
  func stop() {
    wake { state in
      state.isStopping = true
      return Array(state.waiters.keys).flatMap { state.remove(from: $0) { _ in true } }
    }
  }

  /// Ends the waits of the readers that `choose` returns.
  private func wake(_ choose: (inout State) -> [Waiter]) {
    for waiter in state.withLock({ choose(&$0) }) { waiter.continuation.resume() }
  }
}
