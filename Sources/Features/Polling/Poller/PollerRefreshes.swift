import Foundation
package import Messages

/// Refreshes, and their lines in the timeline if they made no poll.
extension Poller {
  /// Refreshes one source, and returns when that is done.
  ///
  /// A cancelled call returns `.failed(.cancelled)` immediately, while a poll that has begun continues.
  package func refresh(_ source: SourceID, _ trigger: PollTrigger) async -> RefreshResult {
    await refresh([source], trigger, isNoted: true)[source]
      ?? .heldBack(until: .distantFuture, rule: .notPolled)
  }

  /// Stores the response to a request that the source's server held open, as the first part of a poll. If another poll
  /// has moved the source's position in the meantime, the response is dropped, and the poll sends a request.
  ///
  /// - Parameter answer: the response; at most one at a time for each source.
  package func refresh(_ source: SourceID, with answer: HeldAnswer) async -> RefreshResult {
    answers[source] = answer
    defer { answers[source] = nil }
    return await refresh(source, .stream)
  }

  /// Refreshes all sources: when the inbox is opened (`.soft`), or on `R` (`.forced`).
  package func refreshAll(_ trigger: PollTrigger) async -> [SourceID: RefreshResult] {
    await load()
    return await refresh(schedule.sources.map(\.id), trigger)
  }

  /// Refreshes some sources, in this order if the limits make them wait.
  ///
  /// If soft refreshes of many sources are held back, they leave no lines in the timeline.
  package func refresh(_ sources: [SourceID], _ trigger: PollTrigger) async -> [SourceID: RefreshResult] {
    await refresh(sources, trigger, isNoted: trigger == .forced)
  }

  /// Refreshes sources, and waits for the results of their polls.
  ///
  /// - Parameter isNoted: whether refreshes without a poll are stored in the timeline.
  private func refresh(
    _ ids: [SourceID], _ trigger: PollTrigger, isNoted: Bool
  ) async -> [SourceID: RefreshResult] {
    await prepare()
    await reread(ids)
    let at = now()
    var results: [SourceID: RefreshResult] = [:]
    var pending: [(id: SourceID, answers: AsyncStream<RefreshResult>)] = []
    var notes: [PollAttempt] = []
    for id in ids where results[id] == nil {
      guard !isStopping else {
        results[id] = .failed(.cancelled)
        continue
      }
      switch schedule.refreshRequested(id, trigger, at: at) {
      case .heldBack(let until, let rule): results[id] = .heldBack(until: until, rule: rule)
      case .poll: pending.append((id, wait(for: id)))
      case .join:
        pending.append((id, wait(for: id)))
        notes.append(PollAttempt(source: id, trigger: trigger, start: at, end: at, result: .joined))
      }
    }
    wake()

    notes += Set(ids).sorted().compactMap { id in results[id].flatMap { heldBackNote(id, trigger, $0) } }
    await addToTimeline(notes, isStored: isNoted)
    for (id, answers) in pending where results[id] == nil {
      results[id] = .failed(.cancelled)
      for await answer in answers { results[id] = answer }
      if let result = results[id], let line = heldBackNote(id, trigger, result) {
        await addToTimeline([line], isStored: isNoted)
      }
    }
    return results
  }

  /// Returns a stream that yields the result of the source's next poll.
  private func wait(for id: SourceID) -> AsyncStream<RefreshResult> {
    let (answers, waiter) = AsyncStream.makeStream(of: RefreshResult.self)
    waiters[id, default: []].append(waiter)
    return answers
  }

  /// Passes a result to all refreshes that wait for this source, and removes them.
  func complete(_ id: SourceID, _ result: RefreshResult) {
    for waiter in waiters.removeValue(forKey: id) ?? [] {
      waiter.yield(result)
      waiter.finish()
    }
  }

  // MARK: The timeline

  /// Returns the line of the timeline for a refresh that was held back, or `nil` for other results.
  private func heldBackNote(_ id: SourceID, _ trigger: PollTrigger, _ result: RefreshResult) -> PollAttempt? {
    guard case .heldBack(let until, let rule) = result, rule != .notPolled else { return nil }
    let at = now()
    return PollAttempt(
      source: id, trigger: trigger, start: at, end: at, result: .heldBack(until: until, rule: rule))
  }

  /// Sends lines of the timeline (attempts) to observers, and stores them if `isStored`. A source whose
  /// refreshes are held back is stored once, not at every key press.
  func addToTimeline(_ attempts: [PollAttempt], isStored: Bool) async {
    let fresh = attempts.filter { attempt in
      guard case .heldBack = attempt.result, isStored else { return isStored }
      return noted[attempt.source, default: []].insert(RefreshResult(attempt.result)).inserted
    }
    if !fresh.isEmpty {
      do throws(FetchFailure) { try await recording.addToTimeline(fresh) } catch {
        send(.recordingFailed(error))
      }
    }
    for attempt in attempts { send(.attempt(attempt)) }
  }

  /// Removes the record of a source's held-back refreshes, so that they are added to the timeline again.
  func forgetNotes(of id: SourceID) { noted[id] = nil }
}
