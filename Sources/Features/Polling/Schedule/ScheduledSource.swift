import Foundation
import Messages

/// A rule that delays a refresh, and the time until which it does so.
struct Obstacle: Hashable {
  var until: Date
  var rule: WaitRule
}

/// The scheduling state of one source, and the polling rules that depend only on that source.
struct ScheduledSource: Sendable {
  /// A refresh that waits for its turn.
  struct Request: Hashable {
    var trigger: PollTrigger
    var at: Date
    /// The order of refreshes that were requested at the same time.
    var order: Int
  }

  private(set) var source: Source
  /// The host whose limits and holds apply to the source, or `nil` if the source has no host.
  private(set) var host: String?
  private(set) var state: PollState
  /// The end of the last attempt, from which waits and the grace period are counted. It is moved if the clock is set
  /// back before it.
  var anchor: Date?
  /// The time of the first poll after the program's start, until it is made or the time has passed.
  var initialAt: Date?
  /// The time of a soft refresh that the last poll requested (`content-available`), or `nil` if there is none.
  private var followUpAt: Date?
  /// Whether the poll in flight is a refresh that the previous poll requested (`content-available`).
  private var isFollowUp = false
  var request: Request?
  var isInFlight = false
  /// The next poll without a refresh by the user; `plan` updates it.
  private(set) var next = NextPoll(date: nil, rule: .notPolled)
  private var nextTrigger = PollTrigger.periodic

  /// Creates the state of a source that the schedule did not know before.
  ///
  /// - Parameter movedTo: the address after permanent redirects, if there is one.
  init(_ source: Source, state: PollState, movedTo: String?, at now: Date) {
    self.source = source
    self.state = state
    host = HostName.of(movedTo ?? source.address)
    // A stored attempt in the future was written before the clock was set back; it is ignored.
    anchor = state.lastAttempt.flatMap {
      $0 > now + PollSchedule.clockTolerance ? nil : min($0, now)
    }
  }

  /// The hosts whose holds apply to the source: its own, and the host that held back its last poll.
  var holdingHosts: [String] {
    [host, state.holdingHost].compactMap { $0 }
  }

  // MARK: Changes

  /// Applies changed settings or another address after redirects.
  mutating func replace(_ source: Source, movedTo: String?) {
    self.source = source
    host = HostName.of(movedTo ?? source.address)
  }

  /// Records that a poll begins, and returns its trigger.
  mutating func begin() -> PollTrigger {
    let trigger = request?.trigger ?? nextTrigger
    isFollowUp = request == nil && nextTrigger == .soft
    isInFlight = true
    request = nil
    initialAt = nil
    followUpAt = nil
    return trigger
  }

  /// Records the end of a poll with the source's state after it.
  ///
  /// - Parameter wantsRefresh: whether the poll requested another refresh (`content-available`).
  mutating func end(_ state: PollState, wantsRefresh: Bool, at now: Date) {
    isInFlight = false
    self.state = state
    anchor = state.lastAttempt.map { min($0, now) } ?? now
    if wantsRefresh && !isFollowUp { followUpAt = anchor.map { $0 + source.polling.grace.timeInterval } }
    isFollowUp = false
  }

  /// Applies a state that another process has stored.
  mutating func learn(_ state: PollState, at now: Date) {
    if state.lastAttempt != self.state.lastAttempt { anchor = state.lastAttempt.map { min($0, now) } }
    self.state = state
    if let initialAt, initialAt <= now { self.initialAt = nil }
  }

  /// Shortens waits after the clock was set back, so that none exceeds its length.
  mutating func clockMovedBack(to now: Date) {
    if let anchor, anchor > now { self.anchor = now }
    if let at = initialAt { initialAt = min(at, now + source.polling.initialDelay.timeInterval) }
    if let at = followUpAt { followUpAt = min(at, now + source.polling.grace.timeInterval) }
    if let at = request?.at { request?.at = min(at, now) }
  }

  // MARK: Refreshes

  /// Returns the rule that delays a refresh now, or `nil` if it may be made.
  func obstacle(to trigger: PollTrigger, at now: Date, hold: PollSchedule.Hold?) -> Obstacle? {
    switch trigger {
    // A report of a push channel is handled as a request of the user: neither waits for the grace period.
    case .forced, .stream: obstacleToForced(at: now, hold: hold)
    case .periodic: obstacleToPeriodic(at: now)
    case .initial, .soft, .act: obstacleToSoft(at: now, hold: hold)
    }
  }

  /// Returns what delays a forced refresh: only a host's Retry-After or the source's daily limit. A source that is gone
  /// (410) is polled too.
  func obstacleToForced(at now: Date, hold: PollSchedule.Hold?) -> Obstacle? {
    if !source.kind.row.isPolled { return Obstacle(until: .distantFuture, rule: .notPolled) }
    return [held(at: now, by: hold), full(at: now)].compactMap(\.self).max { $0.until < $1.until }
  }

  /// Returns the rule that delays a soft refresh longest: the grace period, or a limit set by a server. Soft refreshes
  /// are frequent, and may not poll a failing or slow source more often than periodic polls would.
  ///
  /// The wait after failures (backoff) counts only if a server was reached: after a night without a network, the inbox
  /// is up to date as soon as it is opened.
  func obstacleToSoft(at now: Date, hold: PollSchedule.Hold?) -> Obstacle? {
    if let forced = obstacleToForced(at: now, hold: nil) { return forced }
    if source.settings.isPaused { return Obstacle(until: .distantFuture, rule: .paused) }
    if state.isGone { return Obstacle(until: .distantFuture, rule: .gone) }

    var obstacles: [Obstacle] = []
    // The first poll comes soon, and is a soft refresh itself.
    if let initialAt { obstacles.append(Obstacle(until: initialAt, rule: .initialDelay)) }
    if let hold = held(at: now, by: hold) { obstacles.append(hold) }
    if let anchor {
      // The grace period protects servers: a local file that is due is read even if its last poll was recent.
      let grace =
        source.isLocalFile ? nil : PollWait(seconds: source.polling.grace.timeInterval, rule: .grace)
      let isServerSpared = state.lastFailure?.mayHaveReachedServer ?? true
      let backoff = isServerSpared ? PollWait.backoff(state, source.polling) : nil
      let waits = [grace, backoff, PollWait.minimum(state)]
      obstacles += waits.compactMap { $0 }.map { Obstacle(until: anchor + $0.seconds, rule: $0.rule) }
    }
    if let skipped = SkippedTimes(state).end(from: now) {
      obstacles.append(Obstacle(until: skipped.date, rule: skipped.rule))
    }
    return obstacles.filter { $0.until > now }.max { $0.until < $1.until }
  }

  /// Returns the rule that delays a periodic poll: that of the planned next poll, which includes the holds of hosts. A
  /// poll that only its interval delays may be earlier by `PollWait.spread`; otherwise, a program that is started once
  /// in an interval would miss every second poll.
  func obstacleToPeriodic(at now: Date) -> Obstacle? {
    let plan = due(at: now)
    guard let date = plan.date else { return Obstacle(until: .distantFuture, rule: plan.rule) }
    let early = plan.rule == .interval ? PollWait.spread(state, source.polling) : 0
    return date > now + early ? Obstacle(until: date, rule: plan.rule) : nil
  }

  /// Returns the rule that delays the first poll after the program's start. A control file of banners is requested each
  /// time that the inbox opens: only a hold on its host or a backoff prevents that.
  private func obstacleToInitial(at now: Date, hold: PollSchedule.Hold?) -> Obstacle? {
    guard source.kind == .banners, !state.isGone, !source.settings.isPaused else {
      return obstacleToSoft(at: now, hold: hold)
    }
    if let hold = held(at: now, by: hold) { return hold }
    guard let anchor, state.lastFailure?.mayHaveReachedServer ?? true,
      let backoff = PollWait.backoff(state, source.polling)
    else { return nil }
    let end = Obstacle(until: anchor + backoff.seconds, rule: backoff.rule)
    return end.until > now ? end : nil
  }

  /// Returns the daily limit if the source has reached it.
  private func full(at now: Date) -> Obstacle? {
    source.settings.pause(after: state.day, at: now).map { Obstacle(until: $0, rule: .dailyLimit) }
  }

  /// Returns the Retry-After of a host if it has not passed.
  private func held(at now: Date, by hold: PollSchedule.Hold?) -> Obstacle? {
    guard let hold, hold.until > now else { return nil }
    return Obstacle(until: hold.until, rule: .retryAfter(host: hold.host))
  }

  // MARK: The next poll

  /// Returns the next poll. If it is overdue, it is delayed to the end of the hours or days that the feed excludes.
  func due(at now: Date) -> NextPoll {
    guard let date = next.date, date < now, let skipped = SkippedTimes(state).end(from: now) else {
      return next
    }
    return NextPoll(date: skipped.date, rule: skipped.rule)
  }

  /// Computes the next poll and its trigger.
  mutating func plan(hold: PollSchedule.Hold?) {
    let periodic = periodic(hold: hold)
    next = periodic
    nextTrigger = .periodic
    guard let periodicDate = periodic.date else { return }

    if let initialAt {
      guard obstacleToInitial(at: initialAt, hold: hold) == nil else { return }
      next = NextPoll(date: initialAt, rule: .initialDelay)
      nextTrigger = .initial
    } else if let followUpAt {
      let obstacle = obstacleToSoft(at: followUpAt, hold: hold)
      let date = obstacle?.until ?? followUpAt
      guard date < periodicDate else { return }
      next = NextPoll(date: date, rule: obstacle?.rule ?? .grace)
      nextTrigger = .soft
    } else if periodic.rule == .initialDelay {
      nextTrigger = .initial
    }
  }

  /// Returns the next periodic poll, delayed by every rule that applies.
  private func periodic(hold: PollSchedule.Hold?) -> NextPoll {
    if !source.kind.row.isPolled { return NextPoll(date: nil, rule: .notPolled) }
    if source.settings.isPaused { return NextPoll(date: nil, rule: .paused) }
    if state.isGone { return NextPoll(date: nil, rule: .gone) }

    var date = Date.distantPast
    var rule = WaitRule.initialDelay
    if let anchor {
      let wait = PollWait.periodic(state, source.polling)
      date = anchor + wait.seconds
      rule = wait.rule
      // A time known to the second is used without a change; after a failure, the usual wait applies. A calendar is
      // also polled for changes, and its alarms need no response.
      if source.kind == .calendar {
        // A failed poll keeps the time of the alarm that caused it: it is not repeated without a pause.
        if let next = state.nextPoll, next < date, !state.isFailing || next > anchor {
          date = next
          rule = .schedule
        }
      } else if let next = state.nextPoll, !state.isFailing {
        date = next
        rule = source.kind == .schedule ? .schedule : .backlog
      }
    }
    if let initialAt, initialAt > date {
      date = initialAt
      rule = .initialDelay
    }
    if let anchor, let full = full(at: anchor), full.until > date { (date, rule) = (full.until, full.rule) }
    if let hold, hold.until > date {
      date = hold.until
      rule = .retryAfter(host: hold.host)
    }
    if let skipped = SkippedTimes(state).end(from: date) {
      date = skipped.date
      rule = skipped.rule
    }
    return NextPoll(date: date, rule: rule)
  }
}
