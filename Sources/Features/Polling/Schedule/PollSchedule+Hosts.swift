package import Foundation
package import Messages

/// What sources of one host have in common.
extension PollSchedule {
  /// The hold on the host of an address, if any.
  package func hold(onHostOf address: String, at now: Date) -> HostHold? {
    guard let host = HostName.of(address), let hold = holds[host], hold.until > now else { return nil }
    return HostHold(host: host, until: hold.until)
  }

  /// The hold after a 429 without Retry-After: the wait of the source, and at least a minute.
  func hold(of failure: FetchFailure, _ hints: PollHints, _ state: PollState, _ source: Source) -> HostHold? {
    guard case .status(429, _) = failure, hints.retryAfter == nil, let end = state.lastAttempt,
      let host = hints.retryAfterFrom.flatMap(HostName.of) ?? host(of: source.id)
    else { return nil }
    let wait = max(60, PollWait.periodic(state, source.polling).seconds)
    return HostHold(host: host, until: end + wait)
  }

  /// The hold that an outcome asks for: on the host that answered, which redirects may have led to.
  package func hold(_ hints: PollHints, of id: SourceID) -> HostHold? {
    guard let until = hints.retryAfter,
      let host = hints.retryAfterFrom.flatMap(HostName.of) ?? host(of: id)
    else { return nil }
    return HostHold(host: host, until: until)
  }

  /// How far apart the polls of a source are where others wait for the same turns.
  package struct Crowd: Hashable, Sendable {
    /// The sources that share the turns.
    package var sources: Int
    /// The host whose turns they are; nil: those of all hosts.
    package var host: String?
    /// Polls at the same time.
    package var turns: Int
    /// Seconds that a poll took, on average.
    package var seconds: TimeInterval
    /// Seconds from one poll of each source to its next one.
    package var period: TimeInterval
  }

  /// Why a source is polled less often than its interval asks, by how long the last polls took; nil: it isn't.
  package func crowd(of id: SourceID) -> Crowd? {
    guard let index = indices[id], let host = entries[index].host else { return nil }
    let all = entries.filter(\.isPeriodic)
    let crowds = [
      crowd(all.filter { $0.host == host }, host, limits.perHost), crowd(all, nil, limits.total),
    ]
    return crowds.compactMap(\.self).filter { $0.period > entries[index].usualPeriod * 1.2 }
      .max { $0.period < $1.period }
  }

  private func crowd(_ entries: [ScheduledSource], _ host: String?, _ turns: Int) -> Crowd? {
    let times = entries.map(\.lastSeconds)
    let total = times.reduce(0, +)
    // The share of the time in which turns are taken, were each polled at its interval.
    let load = zip(entries, times).reduce(0) { $0 + $1.1 / max($1.0.usualPeriod, 0.001) }
    guard entries.count > turns, load > Double(turns) else { return nil }
    return Crowd(
      sources: entries.count, host: host, turns: turns, seconds: total / Double(entries.count),
      period: total / Double(turns))
  }
}

extension ScheduledSource {
  /// Whether it is polled again and again, and was polled.
  fileprivate var isPeriodic: Bool {
    source.kind.row.isPolled && !source.settings.isPaused && !state.isGone && state.lastAttemptEnd != nil
  }

  /// Seconds between its polls without others: its waits, and how long a poll takes.
  fileprivate var usualPeriod: TimeInterval {
    PollWait.periodic(state, source.polling).seconds + lastSeconds
  }

  /// How long its last poll took.
  fileprivate var lastSeconds: TimeInterval {
    guard let start = state.lastAttemptStart, let end = state.lastAttemptEnd else { return 0 }
    return min(max(0, end.timeIntervalSince(start)), source.polling.pollDeadline.timeInterval)
  }
}
