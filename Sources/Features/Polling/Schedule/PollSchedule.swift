package import Foundation
package import Messages

/// Decides when each source is polled: the rules of polling as a state machine without clock, randomness or I/O.
///
/// Every input includes the time. Periodic polls begin after `programStarted(at:)`; refreshes may be
/// requested earlier.
///
/// The clock may be changed. If it is set forward, an overdue poll is due once. If it is set back, every
/// current wait ends at the latest after its full length, counted from the moment at which the change is
/// noticed.
package struct PollSchedule: Sendable {
  /// The maximum numbers of polls that may be in flight, in total and per host.
  package struct Limits: Hashable, Sendable {
    package var total: Int
    package var perHost: Int

    package init(total: Int = 8, perHost: Int = 2) {
      self.total = total
      self.perHost = perHost
    }
  }

  /// The result of a request for a refresh.
  package enum Decision: Hashable, Sendable {
    /// The refresh is in the queue, and begins as soon as the limits allow.
    case poll
    /// A poll of this source is in flight or in the queue, and completes this refresh too.
    case join
    /// No poll is made. For example, a soft refresh within the grace period is held back by the rule `.grace`.
    case heldBack(until: Date, rule: WaitRule)
  }

  /// The decisions of `begin(at:)`.
  package struct Beginning: Sendable {
    /// The polls to make now; they count as in flight until `pollEnded` or `pollDropped`.
    package var starts: [(source: Source, trigger: PollTrigger)] = []
    /// Refreshes that are no longer in the queue, because a rule holds them back now.
    package var refusals: [(source: SourceID, until: Date, rule: WaitRule)] = []
  }

  /// A time until which a host must not receive requests.
  struct Hold: Hashable {
    var host: String
    var since: Date
    var until: Date
    /// The end of the hold, as the server or the store specified it; if the clock is set back, it is not moved.
    var stated: Date
  }

  /// The number of seconds by which the clock may go back before it counts as set back.
  static let clockTolerance: TimeInterval = 5

  let limits: Limits
  /// The sources, in the order of the settings.
  var entries: [ScheduledSource] = []
  var indices: [SourceID: Int] = [:]
  var holds: [String: Hold] = [:]
  /// The time at which each entry is due without a refresh, in seconds since 1970; infinite while the entry is in
  /// flight. These times and their minimum, `earliest`, are stored apart from the entries, so that frequent operations
  /// do not examine every source.
  private var dues: [TimeInterval] = []
  private var earliest = TimeInterval.infinity
  private var queue = PollQueue()
  /// Whether the waiting refreshes were checked against the rules and nothing has changed since, and the hour of that
  /// check, since the rules of hours and days change at the beginning of an hour.
  private var isJudged = false
  private var judgedHour = 0
  private var inFlight: Set<Int> = []
  /// The entries whose plan, request or flight may have changed since `popChanged()`.
  private var changed: Set<Int> = []
  private var isStarted = false
  /// The time of the last input.
  private var latest: Date?
  /// The number of refreshes so far, which orders those of the same time.
  private var requestCount = 0

  package init(limits: Limits = Limits()) { self.limits = limits }

  // MARK: Inputs

  /// Sets the configured sources and their stored state; sources that were already known keep their current activity.
  package mutating func sourcesChanged(_ sources: [Source], memory: PollMemory, at now: Date) {
    notice(now)
    let before = entries
    entries = sources.map { source in
      if var entry = indices[source.id].map({ before[$0] }) {
        entry.replace(source, movedTo: memory.addresses[source.id])
        return entry
      }
      var entry = ScheduledSource(
        source, state: memory.states[source.id] ?? PollState(), movedTo: memory.addresses[source.id], at: now)
      if isStarted { entry.initialAt = now + source.polling.initialDelay.timeInterval }
      return entry
    }
    indices = Dictionary(
      entries.indices.map { (entries[$0].source.id, $0) }, uniquingKeysWith: { first, _ in first })
    dues = entries.map { _ in .infinity }
    (earliest, queue, inFlight, changed) = (.infinity, PollQueue(), [], [])
    for (host, until) in memory.holds { hold(host, stated: until, isStored: true, at: now) }
    for index in entries.indices { plan(index) }
  }

  /// Begins periodic polls, each for the first time after its initial delay.
  package mutating func programStarted(at now: Date) {
    notice(now)
    isStarted = true
    for index in entries.indices {
      entries[index].initialAt = now + entries[index].source.polling.initialDelay.timeInterval
      plan(index)
    }
  }

  /// Handles a request for a refresh. A periodic refresh is held back until the planned time.
  package mutating func refreshRequested(_ id: SourceID, _ trigger: PollTrigger, at now: Date) -> Decision {
    notice(now)
    guard let index = indices[id] else { return .heldBack(until: .distantFuture, rule: .notPolled) }
    if entries[index].isInFlight { return .join }
    if entries[index].request != nil {
      if trigger == .forced { entries[index].request?.trigger = .forced }
      updateQueues(index)
      return .join
    }
    if let obstacle = obstacle(index, trigger, now) {
      return .heldBack(until: obstacle.until, rule: obstacle.rule)
    }
    requestCount += 1
    entries[index].request = .init(trigger: trigger, at: now, order: requestCount)
    updateQueues(index)
    return .poll
  }

  /// Removes the entries that may be polled now from the queue, and returns them in its order.
  package mutating func begin(at now: Date) -> Beginning {
    notice(now)
    var beginning = Beginning()
    let hour = Int(now.timeIntervalSince1970 / 3600)
    if !isJudged || hour != judgedHour {
      for index in queue.entries {
        guard let request = entries[index].request, let obstacle = obstacle(index, request.trigger, now)
        else { continue }
        entries[index].request = nil
        updateQueues(index)
        beginning.refusals.append((entries[index].source.id, obstacle.until, obstacle.rule))
      }
      (isJudged, judgedHour) = (true, hour)
    }
    for index in ready(at: now) {
      let trigger = entries[index].begin()
      updateQueues(index)
      beginning.starts.append((entries[index].source, trigger))
    }
    return beginning
  }

  /// Records the end of a poll. `state` is the source's state after it (`PollState.after`), even if it could not be
  /// stored.
  ///
  /// `wantsRefresh` (`content-available`) requests one soft refresh as soon as the grace period has passed. A poll that
  /// was such a refresh cannot request another one: a server may only make polls less frequent.
  package mutating func pollEnded(
    _ id: SourceID, state: PollState, hold: HostHold? = nil, wantsRefresh: Bool = false, at now: Date
  ) {
    notice(now)
    if let hold { self.hold(hold.host, stated: hold.until, isStored: false, at: now) }
    guard let index = indices[id] else { return }
    entries[index].end(state, wantsRefresh: wantsRefresh, at: now)
    plan(index)
  }

  /// Records that a poll was not made. If `isPostponed`, the source waits for its interval, because nothing else would
  /// prevent an immediate new attempt.
  package mutating func pollDropped(_ id: SourceID, isPostponed: Bool = false, at now: Date) {
    notice(now)
    guard let index = indices[id] else { return }
    entries[index].isInFlight = false
    if isPostponed { entries[index].anchor = now }
    plan(index)
  }

  /// Records that a removed source was added again while its poll is still ending.
  package mutating func pollStillInFlight(_ id: SourceID) {
    guard let index = indices[id] else { return }
    entries[index].isInFlight = true
    updateQueues(index)
  }

  /// Records that another process has stored a poll of the source.
  package mutating func stateChangedElsewhere(_ id: SourceID, state: PollState, at now: Date) {
    notice(now)
    guard let index = indices[id] else { return }
    entries[index].learn(state, at: now)
    plan(index)
  }

  /// Records that another process made the poll that is in flight here; `state` is the state that it stored.
  package mutating func pollEndedElsewhere(_ id: SourceID, state: PollState, at now: Date) {
    if let index = indices[id] { entries[index].isInFlight = false }
    stateChangedElsewhere(id, state: state, at: now)
  }

  /// Adds a stored hold on a host. The longer of two holds applies.
  package mutating func hostHeld(_ hold: HostHold, at now: Date) {
    notice(now)
    self.hold(hold.host, stated: hold.until, isStored: true, at: now)
  }

  /// Records that a permanent redirect gave the source another address, or that this address is no longer used (`nil`).
  package mutating func addressMoved(_ id: SourceID, to address: String?) {
    guard let index = indices[id] else { return }
    let source = entries[index].source
    entries[index].replace(source, movedTo: address)
    plan(index)
  }

  /// Clears the queue of refreshes and returns their sources.
  package mutating func dropRequests() -> [SourceID] {
    var dropped: [SourceID] = []
    for index in queue.entries {
      entries[index].request = nil
      updateQueues(index)
      dropped.append(entries[index].source.id)
    }
    return dropped
  }

  /// Shortens waits after the wall clock was set back. Other inputs notice such a change too.
  package mutating func clockMovedBack(to now: Date) {
    latest = now
    for (host, hold) in holds where hold.since > now {
      holds[host]?.since = now
      holds[host]?.until = now + max(0, hold.until.timeIntervalSince(hold.since))
    }
    for index in entries.indices {
      entries[index].clockMovedBack(to: now)
      plan(index)
    }
  }

  // MARK: Outputs

  package var sources: [Source] { entries.map(\.source) }

  /// Returns the sources whose plan, request or flight may have changed since the last call, in the settings' order.
  package mutating func popChanged() -> [SourceID] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed.sorted().map { entries[$0].source.id }
  }

  package func state(of id: SourceID) -> PollState? { indices[id].map { entries[$0].state } }

  /// Returns the sources that `begin(at:)` would poll now, in the queue's order.
  package func due(at now: Date) -> [SourceID] {
    ready(at: now).map { entries[$0].source.id }
  }

  /// Returns the time at which `begin(at:)` will have something to do without another input, or `nil` if it never will.
  ///
  /// A wait for the end of a poll does not matter, because that end is a separate input.
  package func nextWake(at now: Date) -> Date? {
    if !ready(at: now).isEmpty { return now }
    guard isStarted else { return nil }
    if earliest > now.timeIntervalSince1970 {
      return earliest.isFinite ? Date(timeIntervalSince1970: earliest) : nil
    }
    return entries.indices.lazy.filter { dues[$0].isFinite }
      .compactMap { entries[$0].due(at: now).date }.filter { $0 > now }.min()
  }

  /// Returns the next periodic poll of the source, never before `now`, and the rule that set it.
  package func nextPoll(of id: SourceID, at now: Date) -> NextPoll? {
    guard let index = indices[id] else { return nil }
    var next = entries[index].due(at: now)
    if let date = next.date { next.date = max(date, now) }
    return next
  }

  /// Returns the hold on the source's host, or on the host that held it back last, if it has not ended. It also applies
  /// to a forced refresh.
  package func hostHold(of id: SourceID, at now: Date) -> HostHold? {
    guard let index = indices[id], let hold = hold(on: index), hold.until > now else { return nil }
    return HostHold(host: hold.host, until: hold.until)
  }

  /// Returns the host whose limits and holds the source shares.
  package func host(of id: SourceID) -> String? { indices[id].flatMap { entries[$0].host } }

  /// Returns the trigger of the source's refresh in the queue, or `nil` if there is none.
  package func request(of id: SourceID) -> PollTrigger? {
    indices[id].flatMap { entries[$0].request?.trigger }
  }

  /// Returns the planned next poll of a source, even if it is overdue.
  func plan(of id: SourceID) -> NextPoll? { indices[id].map { entries[$0].next } }

  // MARK: Helpers

  /// Returns the rule that delays a refresh now, or `nil` if it may be made.
  private func obstacle(_ index: Int, _ trigger: PollTrigger, _ now: Date) -> Obstacle? {
    entries[index].obstacle(to: trigger, at: now, hold: hold(on: index))
  }

  /// Computes the next poll of an entry.
  private mutating func plan(_ index: Int) {
    entries[index].plan(hold: hold(on: index))
    updateQueues(index)
  }

  /// Returns the hold on the hosts of an entry that ends last, or `nil` if there is none.
  private func hold(on index: Int) -> Hold? {
    if holds.isEmpty { return nil }
    return entries[index].holdingHosts.compactMap { holds[$0] }.max { $0.until < $1.until }
  }

  /// Updates the queue of refreshes, the due times and the sets of entries after an entry has changed.
  private mutating func updateQueues(_ index: Int) {
    let isInFlight = entries[index].isInFlight
    if isInFlight { inFlight.insert(index) } else { inFlight.remove(index) }
    changed.insert(index)
    updateQueue(index)
    let old = dues[index]
    let new = isInFlight ? .infinity : entries[index].next.date?.timeIntervalSince1970 ?? .infinity
    dues[index] = new
    if new <= earliest {
      earliest = new
    } else if old == earliest {
      earliest = dues.min() ?? .infinity
    }
  }

  /// Adds the entry's refresh to the queue, moves it, or removes it.
  private mutating func updateQueue(_ index: Int) {
    let place = entries[index].request.map {
      PollQueue.Place(
        rank: $0.trigger == .forced ? 0 : 1, since: $0.at.timeIntervalSince1970, order: $0.order, index: index
      )
    }
    queue.set(index, to: place)
    // The entry has changed, and its obstacle may have changed too.
    if place != nil { isJudged = false }
  }

  /// Records the time of an input, and handles a clock that was set back.
  private mutating func notice(_ now: Date) {
    if let latest, now < latest - Self.clockTolerance { clockMovedBack(to: now) }
    latest = now
  }

  /// Adds a hold on a host unless a longer one already applies.
  ///
  /// - Parameters:
  ///   - stated: the end of the hold.
  ///   - isStored: whether the hold was read from the store, so that it may be from before the clock was set back.
  private mutating func hold(_ host: String, stated: Date, isStored: Bool, at now: Date) {
    if let current = holds[host], current.stated == stated { return }
    // The hold was stored before the clock was set back: its length is counted from the time of the response.
    let answered = entries.lazy.filter { isStored && $0.holdingHosts.contains(host) }.compactMap(
      \.state.lastAttempt
    )
    .filter { $0 > now + Self.clockTolerance && $0 < stated }.max()
    let until = answered.map { now + stated.timeIntervalSince($0) } ?? stated
    guard until > max(now, holds[host]?.until ?? now) else { return }
    isJudged = false
    holds[host] = Hold(host: host, since: now, until: until, stated: stated)
    for index in entries.indices where entries[index].holdingHosts.contains(host) { plan(index) }
  }

  /// Returns the entries whose polls may begin now: forced refreshes first, then the entries that have waited longest.
  /// A host at its limit does not block others.
  private func ready(at now: Date) -> [Int] {
    var total = inFlight.count
    guard total < limits.total else { return [] }
    var places = PollQueue.Merged(queue, overdue(at: now))
    guard !places.isEmpty else { return [] }
    let hosts = inFlight.compactMap { entries[$0].host }
    var perHost = Dictionary(hosts.map { ($0, 1) }, uniquingKeysWith: +)
    var chosen: [Int] = []
    while total < limits.total, let index = places.next()?.index {
      if let request = entries[index].request {
        guard obstacle(index, request.trigger, now) == nil else { continue }
      } else {
        guard let date = entries[index].due(at: now).date, date <= now else { continue }
      }
      if let host = entries[index].host {
        guard perHost[host, default: 0] < limits.perHost else { continue }
        perHost[host, default: 0] += 1
      }
      total += 1
      chosen.append(index)
    }
    return chosen
  }

  /// Returns the entries that are due without a refresh, including those in skipped hours, in the queue's order.
  private func overdue(at now: Date) -> [PollQueue.Place] {
    let limit = now.timeIntervalSince1970
    guard isStarted, earliest <= limit else { return [] }
    return dues.indices.filter { dues[$0] <= limit && !queue.contains($0) }
      .map { PollQueue.Place(rank: 1, since: dues[$0], order: $0, index: $0) }.sorted()
  }
}
