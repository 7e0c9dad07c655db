import Basics
import Foundation
package import Messages

/// The course of one poll, from the cross-process lock to the completion of all refreshes that wait for it.
extension Poller {
  /// The way in which a poll ended.
  enum Ending {
    /// The poll was recorded, including its last part.
    case recorded(PollReport, PollCounts)
    /// Another process made the poll: the state and the attempt that it recorded.
    case elsewhere(PollState, PollAttempt?)
    /// Another process stored a hold on the host.
    case heldBack(HostHold)
    /// The store failed, and nothing of the poll was stored.
    case failed(FetchFailure, PollReport?)
    /// The poll was stopped, and nothing was recorded.
    case dropped
    /// Another process held the source's lock for longer than any poll may take.
    case gaveUp(after: Duration)
  }

  /// The number of attempts to get a source's lock, if another process releases it without having recorded anything.
  private static let tries = 3

  /// Makes a poll, and then updates the schedule, the timeline and the waiting refreshes.
  func conduct(_ source: Source, _ trigger: PollTrigger) async {
    let ending = await ending(source, trigger)
    let at = now()
    let id = source.id
    let since = flights[id]?.since ?? at
    flights[id] = nil
    generations[id, default: 0] += 1
    forgetNotes(of: id)

    switch ending {
    case .recorded(let report, let counts):
      schedule.pollEnded(
        id, state: report.state, hold: report.hold, wantsRefresh: wantsRefresh(report.outcome), at: at)
      move(id, report.outcome)
      finish(report.attempt(counts))
    case .failed(let failure, let report):
      // The state is not stored, but kept in memory: if the disk is full, polls must not be repeated every second.
      let outcome = PollOutcome.failed(failure, report?.outcome.hints ?? PollHints())
      let state = schedule.state(of: id) ?? PollState()
      schedule.pollEnded(
        id, state: state.after(outcome, trigger, start: report?.start ?? at, end: at, jitter: jitter()),
        hold: report?.hold, at: at)
      finish(
        PollAttempt(
          source: id, trigger: trigger, start: report?.start ?? since, end: at, result: .failed(failure)))
    case .elsewhere(let state, let attempt):
      schedule.pollEndedElsewhere(id, state: state, at: at)
      complete(id, attempt.map { RefreshResult($0.result) } ?? .nothingNew)
      wake()
      guard trigger == .soft || trigger == .forced else { return }
      let line = PollAttempt(source: id, trigger: trigger, start: since, end: at, result: .joined)
      await addToTimeline([line], isStored: trigger == .forced)
    case .heldBack(let hold):
      schedule.pollDropped(id, at: at)
      complete(id, .heldBack(until: hold.until, rule: .retryAfter(host: hold.host)))
      wake()
    case .gaveUp(let wait):
      schedule.pollDropped(id, isPostponed: true, at: at)
      finish(
        PollAttempt(
          source: id, trigger: trigger, start: since, end: at,
          result: .failed(.timedOut(.poll, seconds: wait.timeInterval))))
    case .dropped:
      schedule.pollDropped(id, at: at)
      complete(id, .failed(.cancelled))
      wake()
    }
  }

  /// Sends a finished attempt to observers and to the refreshes that wait for it.
  private func finish(_ attempt: PollAttempt) {
    send(.attempt(attempt))
    complete(attempt.source, RefreshResult(attempt.result))
    wake()
  }

  private func wantsRefresh(_ outcome: PollOutcome) -> Bool {
    if case .content(let content, _) = outcome { content.wantsRefresh } else { false }
  }

  /// Records in the schedule that permanent redirects gave a source another address, or that they ended.
  private func move(_ id: SourceID, _ outcome: PollOutcome) {
    switch outcome {
    case .content(let content, _): schedule.addressMoved(id, to: content.position.permanentAddress)
    case .notModified(let position, _): schedule.addressMoved(id, to: position.permanentAddress)
    case .failed: break
    }
  }

  // MARK: Across processes

  /// Makes a poll once this process has the source's lock. If another process polls in the meantime, its result is
  /// used.
  private func ending(_ source: Source, _ trigger: PollTrigger) async -> Ending {
    let limit = source.polling.pollDeadline + .seconds(30)
    do throws(FetchFailure) {
      for _ in 0..<Self.tries {
        if isStopped(source.id) { return .dropped }
        if let turn = try await recording.turn(of: source.id) {
          let ending = await ending(of: turn, source, trigger)
          await turn.lease.release()
          return ending
        }
        let deadline = Deadline<FetchFailure?>()
        tie(deadline, to: source.id)
        let waited = await deadline.run(for: limit, alarms) { [recording] in
          do throws(FetchFailure) { try await recording.waitUntilFree(source.id) } catch { return error }
          return nil
        }
        switch waited {
        case .answered(nil): break
        case .answered(let failure?): throw failure
        case .late: return .gaveUp(after: limit)
        case .stopped: return .dropped
        }
        let memory = try await recording.memory(of: [source.id])
        if let elsewhere = try await recordedElsewhere(source.id, memory), !Self.asksAnyway(source, trigger) {
          return elsewhere
        }
      }
    } catch {
      return .failed(error, nil)
    }
    return .gaveUp(after: limit)
  }

  /// Whether a poll is made even though another process has just polled: the control files of banners are requested
  /// each time that the inbox opens.
  private static func asksAnyway(_ source: Source, _ trigger: PollTrigger) -> Bool {
    source.kind == .banners && trigger != .periodic
  }

  /// Returns the poll that another process has recorded since the state was last read, or `nil` if there is none.
  private func recordedElsewhere(_ id: SourceID, _ memory: PollMemory) async throws(FetchFailure) -> Ending? {
    let at = now()
    learn(memory.holds, at: at)
    let state = memory.states[id] ?? PollState()
    guard let last = known[id] else {
      known[id] = state
      return nil
    }
    guard last != state else { return nil }
    let attempt = try await recording.lastAttempt(of: id)
    known[id] = state
    return .elsewhere(state, attempt)
  }

  // MARK: Requests and recording

  /// Fetches and records a poll while this process has the source's lock.
  private func ending(of turn: PollTurn, _ source: Source, _ trigger: PollTrigger) async -> Ending {
    do throws(FetchFailure) {
      // Another process may have polled between the decision and the lock; then its result is used.
      if let elsewhere = try await recordedElsewhere(source.id, turn.memory),
        !Self.asksAnyway(source, trigger)
      {
        return elsewhere
      }
      if let hold = schedule.hostHold(of: source.id, at: now()) { return .heldBack(hold) }
      if isStopped(source.id) { return .dropped }

      let start = now()
      send(
        .attempt(
          PollAttempt(source: source.id, trigger: trigger, start: start, end: start, result: .started)))
      var position = turn.position
      // A server may report by mistake that nothing is new.
      if trigger == .forced { position.validators = Validators() }
      let answer = trigger == .stream ? answers.removeValue(forKey: source.id) : nil
      if let answer, answer.isFrom(position) {
        return await record(answer.outcome, source, trigger, start: start)
      }
      guard let outcome = await outcome(source, position) else { return .dropped }
      return await record(outcome, source, trigger, start: start)
    } catch {
      return .failed(error, nil)
    }
  }

  /// Records the parts of a poll, and fetches the next part while the last one is stored. It ends when the list ends,
  /// when one poll has read its maximum number of parts, or when its deadline has passed.
  ///
  /// Each part is stored in a separate transaction, with the position after it, so that a later failure loses nothing
  /// of it.
  private func record(
    _ outcome: PollOutcome, _ source: Source, _ trigger: PollTrigger, start: Date
  ) async -> Ending {
    var part = (outcome: outcome, start: start)
    var earlier: EarlierParts?
    var parts = 1
    while true {
      let at = now()
      if parts >= part.outcome.hints.partsAtMost ?? Limits.pollParts {
        part.outcome.sayThatMoreIsLeft(after: parts)
      }
      let rest = rest(part.outcome, after: parts, source, since: start, at: at)
      // Whether this part reaches the daily limit is known only once it is stored.
      let isLast = rest != nil && mayBeFull(part.outcome, source, at: at)
      async let next =
        rest == nil || isLast
        ? nil : self.outcome(source, rest?.position ?? PollPosition(), within: rest?.time)
      let ending = await recordPart(part.outcome, source, trigger, start: part.start, earlier: earlier)
      guard rest != nil, case .recorded(let report, let counts) = ending else {
        if rest != nil { flights[source.id]?.stop?() }
        _ = await next
        return ending
      }
      var following = await next
      if isLast, let rest, source.settings.pause(after: known[source.id]?.day, at: at) == nil {
        following = await self.outcome(source, rest.position, within: rest.time)
      }
      guard let outcome = following else { return ending }
      let line = report.attempt(counts)
      earlier = EarlierParts(
        start: start, new: (earlier?.new ?? 0) + counts.new,
        updated: (earlier?.updated ?? 0) + counts.updated, back: (earlier?.back ?? 0) + counts.back,
        problems: line.problems.limited(to: Limits.storedProblems), identity: line.identity)
      parts += 1
      part = (wantsRefresh(part.outcome) ? outcome.wantingRefresh : outcome, at)
    }
  }

  /// Whether a source may have reached its daily limit once a part is stored, if all of its messages are new.
  private func mayBeFull(_ outcome: PollOutcome, _ source: Source, at now: Date) -> Bool {
    guard case .content(let content, _) = outcome else { return false }
    var day = known[source.id]?.day ?? PollDay(start: now, messages: 0, bytes: 0)
    if now >= day.end { day = PollDay(start: now, messages: 0, bytes: 0) }
    day.messages += content.messages.count
    day.bytes += content.messages.reduce(0) { $0 + $1.textBytes }
    return content.stream != nil || source.settings.pause(after: day, at: now) != nil
  }

  /// Returns the position from which a poll continues, and the time left for it, or `nil` if the poll ends.
  private func rest(
    _ outcome: PollOutcome, after parts: Int, _ source: Source, since start: Date, at: Date
  ) -> (position: PollPosition, time: Duration)? {
    guard case .content(let content, let hints) = outcome, hints.hasMore,
      parts < hints.partsAtMost ?? Limits.pollParts,
      !isStopped(source.id), schedule.hold(hints, of: source.id) == nil,
      schedule.hostHold(of: source.id, at: at) == nil
    else { return nil }
    let passed = at.timeIntervalSince(start)
    // A clock that was set back must not make the poll endless.
    guard passed >= 0, passed < source.polling.pollDeadline.timeInterval else { return nil }
    var position = content.position
    position.isContinued = true
    return (position, source.polling.pollDeadline - .seconds(passed))
  }

  /// Fetches one part of a poll, and returns its outcome, or `nil` if the poller is stopped before the fetch
  /// ends.
  ///
  /// The poll ends at the deadline, even if its fetch continues. Until an abandoned fetch has returned, its
  /// source is not polled again: at most one fetch runs for each source.
  ///
  /// - Parameter left: the time left until the poll's deadline, for a later part. If it passes, the result is
  ///   `nil`, and the next poll continues.
  private func outcome(
    _ source: Source, _ position: PollPosition, within left: Duration? = nil
  ) async -> PollOutcome? {
    let limit = left ?? source.polling.pollDeadline
    let late: PollOutcome? =
      left == nil ? .failed(.timedOut(.poll, seconds: limit.timeInterval), PollHints()) : nil
    guard !fetches.contains(source.id) else { return late }
    let deadline = Deadline<PollOutcome>()
    tie(deadline, to: source.id)
    fetches.insert(source.id)
    let ending = await deadline.run(for: limit, alarms) { [fetching] in
      let outcome = await fetching.poll(source, from: position) { await self.hold(onHostOf: $0) }
      await self.fetchReturned(source.id)
      return outcome
    }
    switch ending {
    case .answered(let outcome): return outcome
    case .late: return late
    case .stopped: return nil
    }
  }

  /// Returns the hold on the host of an address: the time until which it must not receive requests, or `nil` if it may.
  package func hold(onHostOf address: String) -> HostHold? { schedule.hold(onHostOf: address, at: now()) }

  private func fetchReturned(_ id: SourceID) { fetches.remove(id) }

  /// Stores one part of a poll with the source's new state, and reads what was stored.
  private func recordPart(
    _ outcome: PollOutcome, _ source: Source, _ trigger: PollTrigger, start: Date, earlier: EarlierParts?
  ) async -> Ending {
    let end = now()
    let before = known[source.id] ?? PollState()
    let state = before.after(outcome, trigger, start: start, end: end, jitter: jitter())
    var hold = schedule.hold(outcome.hints, of: source.id)
    if case .failed(let failure, let hints) = outcome {
      hold = hold ?? schedule.hold(of: failure, hints, state, source)
    }
    var report = PollReport(
      source: source.id, trigger: trigger, start: start, end: end, outcome: outcome, state: state, hold: hold,
      earlier: earlier)
    if case .content(let content, _) = outcome, let stream = content.stream {
      // Its messages are made while they are stored, which takes a while: stopping the poll need not wait for that.
      flights[source.id]?.stop = { stream.end() }
      if isStopped(source.id) { stream.end() }
    }
    let counts: PollCounts
    do throws(FetchFailure) {
      counts = try await recording.record(report)
    } catch .cancelled {
      return .dropped
    } catch {
      return .failed(error, report)
    }
    do throws(FetchFailure) {
      known[source.id] =
        if let state = counts.state {
          state
        } else {
          try await recording.memory(of: [source.id]).states[source.id] ?? report.state
        }
    } catch {
      known[source.id] = report.state
      send(.recordingFailed(error))
    }
    report.state.day = known[source.id]?.day
    return .recorded(report, counts)
  }

  private func isStopped(_ id: SourceID) -> Bool { flights[id]?.isStopped ?? true }
}

extension PollOutcome {
  /// The outcome with the request for another refresh (`content-available`) added to it. It is used if an
  /// earlier part of the poll requests a refresh, because only the last part's outcome is checked.
  fileprivate var wantingRefresh: PollOutcome {
    guard case .content(var content, let hints) = self else { return self }
    content.wantsRefresh = true
    return .content(content, hints)
  }

  /// Adds a problem for the user if this poll had to stop and the next one continues.
  fileprivate mutating func sayThatMoreIsLeft(after parts: Int) {
    guard case .content(var content, let hints) = self, hints.hasMore else { return }
    content.problems.append(
      FormatProblem(
        at: "", message: "\(parts) pages were read, and there are more: the next poll continues there"))
    self = .content(content, hints)
  }
}
