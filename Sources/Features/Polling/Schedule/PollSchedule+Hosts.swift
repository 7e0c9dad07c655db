package import Foundation
package import Messages

/// The limits and holds that sources of the same host share.
extension PollSchedule {
  /// Returns the hold on the host of an address: the time until which it must not receive requests, or `nil` if it may.
  package func hold(onHostOf address: String, at now: Date) -> HostHold? {
    guard let host = HostName.of(address), let hold = holds[host], hold.until > now else { return nil }
    return HostHold(host: host, until: hold.until)
  }

  /// Returns the hold after a 429 without Retry-After, which lasts as long as the wait of the source, but at least a
  /// minute. Returns `nil` for other failures.
  func hold(of failure: FetchFailure, _ hints: PollHints, _ state: PollState, _ source: Source) -> HostHold? {
    guard case .status(429, _) = failure, hints.retryAfter == nil, let end = state.lastAttempt,
      let host = hints.retryAfterFrom.flatMap(HostName.of) ?? host(of: source.id)
    else { return nil }
    let wait = max(60, PollWait.periodic(state, source.polling).seconds)
    return HostHold(host: host, until: end + wait)
  }

  /// Returns the hold that the Retry-After of a response requests, or `nil` if there is none. It applies to the host
  /// that answered, possibly after redirects.
  package func hold(_ hints: PollHints, of id: SourceID) -> HostHold? {
    guard let until = hints.retryAfter,
      let host = hints.retryAfterFrom.flatMap(HostName.of) ?? host(of: id)
    else { return nil }
    return HostHold(host: host, until: until)
  }

  /// A shortage of turns: so many sources share the limited number of polls at the same time that each source is polled
  /// less often than its interval.
  package struct Crowd: Hashable, Sendable {
    /// The number of sources that share the limited number of polls.
    package var sources: Int
    /// The host to which only a limited number of polls is made at the same time, or `nil` if the limit is
    /// that of all hosts together.
    package var host: String?
    /// The maximum number of polls at the same time.
    package var turns: Int
    /// The average time that a poll takes, in seconds.
    package var seconds: TimeInterval
    /// The time from one poll of a source to its next one, in seconds, which results from the shortage.
    package var period: TimeInterval
  }

  /// Returns the shortage (see `Crowd`) because of which a source is polled less often than its interval,
  /// computed from the durations of the last polls, or `nil` if there is none.
  package func crowd(of id: SourceID) -> Crowd? {
    guard let index = indices[id], let host = entries[index].host else { return nil }
    let all = entries.filter(\.isPeriodic)
    let crowds = [
      crowd(all.filter { $0.host == host }, host, limits.perHost), crowd(all, nil, limits.total),
    ]
    return crowds.compactMap(\.self).filter { $0.period > entries[index].usualPeriod * 1.2 }
      .max { $0.period < $1.period }
  }

  /// Returns the shortage of turns among some sources, or `nil` if each of them can be polled at its
  /// interval.
  ///
  /// - Parameter turns: the maximum number of these sources that are polled at the same time.
  private func crowd(_ entries: [ScheduledSource], _ host: String?, _ turns: Int) -> Crowd? {
    let times = entries.map(\.lastSeconds)
    let total = times.reduce(0, +)
    // The share of the time in which turns are in use if each source is polled at its interval.
    let load = zip(entries, times).reduce(0) { $0 + $1.1 / max($1.0.usualPeriod, 0.001) }
    guard entries.count > turns, load > Double(turns) else { return nil }
    return Crowd(
      sources: entries.count, host: host, turns: turns, seconds: total / Double(entries.count),
      period: total / Double(turns))
  }
}

extension ScheduledSource {
  /// Whether the source is polled periodically, and has been polled.
  fileprivate var isPeriodic: Bool {
    source.kind.row.isPolled && !source.settings.isPaused && !state.isGone && state.lastAttemptEnd != nil
  }

  /// The seconds between the source's polls if there were no other sources: its wait, and the duration of a poll.
  fileprivate var usualPeriod: TimeInterval {
    PollWait.periodic(state, source.polling).seconds + lastSeconds
  }

  /// The seconds that its last poll took.
  fileprivate var lastSeconds: TimeInterval {
    guard let start = state.lastAttemptStart, let end = state.lastAttemptEnd else { return 0 }
    return min(max(0, end.timeIntervalSince(start)), source.polling.pollDeadline.timeInterval)
  }
}
