package import Foundation
package import Messages

/// When each source is polled: the rules of polling as a state machine without clock, randomness or I/O.
///
/// Every input has the time. Periodic polls begin after `programStarted(at:)`; refreshes are
/// always answered. The clock may be set: forward, an overdue poll is due once; back, no wait exceeds its length
/// from the instant at which the change was noticed.
package struct PollSchedule: Sendable {
  /// How many polls may be in flight.
  package struct Limits: Hashable, Sendable {
    package var total: Int
    package var perHost: Int

    package init(total: Int = 8, perHost: Int = 2) {
      self.total = total
      self.perHost = perHost
    }
  }

  /// What happens to a refresh.
  package enum Decision: Hashable, Sendable {
    /// It is in the queue, and begins as soon as the limits allow.
    case poll
    /// A poll of this source is in flight or in the queue, and answers this refresh too.
    case join
    /// No poll. A soft refresh within grace, which "does nothing", is held back by `.grace`.
    case heldBack(until: Date, rule: WaitRule)
  }

  /// What `begin(at:)` decided.
  package struct Beginning: Sendable {
    /// Polls to make now; they count as in flight until `pollEnded` or `pollDropped`.
    package var starts: [(source: Source, trigger: PollTrigger)] = []
    /// Refreshes that were in the queue when a rule began to hold them back.
    package var refusals: [(source: SourceID, until: Date, rule: WaitRule)] = []
  }

  struct Hold: Hashable {
    var host: String
    var since: Date
    var until: Date
    /// From the server or the store; a clock that is set back does not move it.
    var stated: Date
  }

  /// Clocks of one machine may disagree by this much before one of them counts as having jumped.
  static let clockTolerance: TimeInterval = 5

  let limits: Limits
  var entries: [ScheduledSource] = []
  var indices: [SourceID: Int] = [:]
  var holds: [String: Hold] = [:]
  /// When each entry is due by itself, in seconds since 1970; infinite while it is in flight. Kept apart from the
  /// entries, with their minimum, so that what happens often does not look at every source.
  private var dues: [TimeInterval] = []
  private var earliest = TimeInterval.infinity
  private var queue = PollQueue()
  /// Whether a rule may have begun to hold a waiting refresh back since they were last judged, and the hour of that: rules
  /// for hours and days begin with an hour.
  private var isJudged = false
  private var judgedHour = 0
  private var inFlight: Set<Int> = []
  /// Whose plan, request or flight may have changed since `popChanged()`.
  private var changed: Set<Int> = []
  private var isStarted = false
  private var latest: Date?
  private var requestCount = 0

  package init(limits: Limits = Limits()) { self.limits = limits }

  // MARK: Inputs

  /// The configured sources and what is stored of them; sources known before keep what they are doing.
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

  /// A refresh was asked for. A periodic one is held back until the plan has its time.
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

  /// Takes from the queue what may be polled now, in its order.
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

  /// A poll ended; `state` is the source's after it (`PollState.after`), whether it could be stored or not.
  ///
  /// `wantsRefresh` (`content-available`) asks for one soft refresh as soon as grace is over. A poll that was
  /// such a refresh cannot ask for another: a server may only slow us down.
  package mutating func pollEnded(
    _ id: SourceID, state: PollState, hold: HostHold? = nil, wantsRefresh: Bool = false, at now: Date
  ) {
    notice(now)
    if let hold { self.hold(hold.host, stated: hold.until, isStored: false, at: now) }
    guard let index = indices[id] else { return }
    entries[index].end(state, wantsRefresh: wantsRefresh, at: now)
    plan(index)
  }

  /// A poll was not made. `isPostponed`: nothing else would keep it from being tried again at once, so it
  /// waits its interval.
  package mutating func pollDropped(_ id: SourceID, isPostponed: Bool = false, at now: Date) {
    notice(now)
    guard let index = indices[id] else { return }
    entries[index].isInFlight = false
    if isPostponed { entries[index].anchor = now }
    plan(index)
  }

  /// A removed source is back while its poll is still ending.
  package mutating func pollStillInFlight(_ id: SourceID) {
    guard let index = indices[id] else { return }
    entries[index].isInFlight = true
    updateQueues(index)
  }

  /// Another process recorded an attempt.
  package mutating func stateChangedElsewhere(_ id: SourceID, state: PollState, at now: Date) {
    notice(now)
    guard let index = indices[id] else { return }
    entries[index].learn(state, at: now)
    plan(index)
  }

  /// The poll in flight was made by another process; `state` is what that recorded.
  package mutating func pollEndedElsewhere(_ id: SourceID, state: PollState, at now: Date) {
    if let index = indices[id] { entries[index].isInFlight = false }
    stateChangedElsewhere(id, state: state, at: now)
  }

  /// The store has a hold on a host. Of two holds the longer one counts.
  package mutating func hostHeld(_ hold: HostHold, at now: Date) {
    notice(now)
    self.hold(hold.host, stated: hold.until, isStored: true, at: now)
  }

  /// A permanent redirect gave the source another address, or removed it again.
  package mutating func addressMoved(_ id: SourceID, to address: String?) {
    guard let index = indices[id] else { return }
    let source = entries[index].source
    entries[index].replace(source, movedTo: address)
    plan(index)
  }

  /// Clears the queue of refreshes; returns their sources.
  package mutating func dropRequests() -> [SourceID] {
    var dropped: [SourceID] = []
    for index in queue.entries {
      entries[index].request = nil
      updateQueues(index)
      dropped.append(entries[index].source.id)
    }
    return dropped
  }

  /// The wall clock was set back; inputs notice it too.
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

  /// The sources whose plan, request or flight may have changed since the last call, in the settings' order.
  package mutating func popChanged() -> [SourceID] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed.sorted().map { entries[$0].source.id }
  }

  package func state(of id: SourceID) -> PollState? { indices[id].map { entries[$0].state } }

  /// The sources that `begin(at:)` would poll now, in the queue's order.
  package func due(at now: Date) -> [SourceID] {
    ready(at: now).map { entries[$0].source.id }
  }

  /// When `begin(at:)` will have something to do if nothing else happens before; nil: never.
  ///
  /// What only waits for the end of a poll does not count: that end is an input of its own.
  package func nextWake(at now: Date) -> Date? {
    if !ready(at: now).isEmpty { return now }
    guard isStarted else { return nil }
    if earliest > now.timeIntervalSince1970 {
      return earliest.isFinite ? Date(timeIntervalSince1970: earliest) : nil
    }
    return entries.indices.lazy.filter { dues[$0].isFinite }
      .compactMap { entries[$0].due(at: now).date }.filter { $0 > now }.min()
  }

  /// The next periodic poll of the source, and the rule that set it. Never before `now`.
  package func nextPoll(of id: SourceID, at now: Date) -> NextPoll? {
    guard let index = indices[id] else { return nil }
    var next = entries[index].due(at: now)
    if let date = next.date { next.date = max(date, now) }
    return next
  }

  /// The hold on the source's host, or on the host that held it back last, if any. A forced refresh obeys it too.
  package func hostHold(of id: SourceID, at now: Date) -> HostHold? {
    guard let index = indices[id], let hold = hold(on: index), hold.until > now else { return nil }
    return HostHold(host: hold.host, until: hold.until)
  }

  /// The host whose limits and holds the source shares.
  package func host(of id: SourceID) -> String? { indices[id].flatMap { entries[$0].host } }

  /// What the source is asked for: nil when it is neither queued nor in flight.
  package func request(of id: SourceID) -> PollTrigger? {
    indices[id].flatMap { entries[$0].request?.trigger }
  }

  /// The next poll, whatever the time is.
  func plan(of id: SourceID) -> NextPoll? { indices[id].map { entries[$0].next } }

  // MARK: Inside

  /// What holds a refresh back now; nil if nothing does.
  private func obstacle(_ index: Int, _ trigger: PollTrigger, _ now: Date) -> Obstacle? {
    entries[index].obstacle(to: trigger, at: now, hold: hold(on: index))
  }

  private mutating func plan(_ index: Int) {
    entries[index].plan(hold: hold(on: index))
    updateQueues(index)
  }

  /// Of several the last to end.
  private func hold(on index: Int) -> Hold? {
    if holds.isEmpty { return nil }
    return entries[index].holdingHosts.compactMap { holds[$0] }.max { $0.until < $1.until }
  }

  /// Updates the queues after an entry has changed.
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

  private mutating func updateQueue(_ index: Int) {
    let place = entries[index].request.map {
      PollQueue.Place(
        rank: $0.trigger == .forced ? 0 : 1, since: $0.at.timeIntervalSince1970, order: $0.order, index: index
      )
    }
    queue.set(index, to: place)
    // The entry has changed, perhaps with what holds it back.
    if place != nil { isJudged = false }
  }

  private mutating func notice(_ now: Date) {
    if let latest, now < latest - Self.clockTolerance { clockMovedBack(to: now) }
    latest = now
  }

  private mutating func hold(_ host: String, stated: Date, isStored: Bool, at now: Date) {
    if let current = holds[host], current.stated == stated { return }
    // Stored before the clock was set back: such a hold is as long as it was when the answer came.
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

  /// The polls that may begin now: forced refreshes first, then the longest waiting. A full host does not block others.
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

  /// What is due by itself, though perhaps in skipped hours, in the queue's order.
  private func overdue(at now: Date) -> [PollQueue.Place] {
    let limit = now.timeIntervalSince1970
    guard isStarted, earliest <= limit else { return [] }
    return dues.indices.filter { dues[$0] <= limit && !queue.contains($0) }
      .map { PollQueue.Place(rank: 1, since: dues[$0], order: $0, index: $0) }.sorted()
  }
}
