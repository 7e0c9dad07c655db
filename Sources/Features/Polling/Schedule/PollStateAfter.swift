package import Foundation
package import Messages

extension PollState {
  /// Returns the state after a poll, which is written in the same transaction as the poll's result.
  ///
  /// - A success clears the failures, and a source that was gone is polled again.
  /// - Every failure counts, unless the user forced the poll: repeated attempts must not make the source wait longer. A
  ///   source that was gone stays so until a poll succeeds.
  /// - A poll that was held back after a redirect is an attempt, and changes nothing else.
  /// - A response with a body replaces `minimumWait`, `skipHours` and `skipDays`. A response without one (304, a
  ///   failure) keeps the values of the last body, and may only replace a `max-age` or add to a `ttl` (RFC 9111 section
  ///   3.2: a field that a 304 lacks keeps its stored value).
  /// - `jitter` is the random part of the interval for the wait that begins, 0 to 0.1.
  package func after(
    _ outcome: PollOutcome, _ trigger: PollTrigger, start: Date, end: Date, jitter: Double
  ) -> PollState {
    var next = self
    next.lastAttemptStart = start
    next.lastAttemptEnd = end
    next.jitter = jitter
    let hints = outcome.hints

    switch outcome {
    case .content:
      next.succeed(at: end, isGone: hints.isGone)
      next.minimumWait = hints.minimumWait
      next.minimumWaitRule = hints.minimumWaitRule
      next.skipHours = hints.skipHours
      next.skipDays = hints.skipDays
      next.nextPoll = hints.nextPoll
    case .notModified:
      next.succeed(at: end, isGone: hints.isGone)
      next.learn(hints)
    case .failed(_, let hints) where hints.heldBack != nil:
      // This is no failure: the server redirected to a host that is held now.
      break
    case .failed(let failure, _):
      if trigger != .forced { next.failures += 1 }
      next.lastFailure = failure.naming(hints)
      next.isGone = isGone || hints.isGone || failure == .gone
      next.learn(hints)
    }
    return next
  }

  /// Clears the failures after a success.
  private mutating func succeed(at end: Date, isGone: Bool) {
    lastSuccess = end
    failures = 0
    lastFailure = nil
    self.isGone = isGone
  }

  /// The host that held back the last poll, if a redirect or another address led to it. Its hold applies to this source
  /// too.
  var holdingHost: String? {
    if case .heldBack(_, let host) = lastFailure { host } else { nil }
  }

  /// Applies the hints of a response without a body.
  private mutating func learn(_ hints: PollHints) {
    if !hints.skipHours.isEmpty { skipHours = hints.skipHours }
    if !hints.skipDays.isEmpty { skipDays = hints.skipDays }
    guard let wait = hints.minimumWait else { return }
    if minimumWaitRule == .ttl, let ttl = minimumWait, ttl >= wait { return }
    minimumWait = wait
    minimumWaitRule = hints.minimumWaitRule
  }

  /// The end of the last attempt, or its start if it has no end. Waits and the grace period are counted from this time.
  package var lastAttempt: Date? { lastAttemptEnd ?? lastAttemptStart }
}

extension FetchFailure {
  /// Returns the failure with the host that sent Retry-After, if it was held back.
  fileprivate func naming(_ hints: PollHints) -> FetchFailure {
    guard case .heldBack(let status, nil) = self else { return self }
    return .heldBack(status: status, host: hints.retryAfterFrom.flatMap(HostName.of))
  }
}
