import Foundation
import Messages

/// A summary of the polls of the list's sources.
struct PollSummary: Hashable {
  /// The number of sources that are polled at all.
  var count = 0
  var isPolling = false
  /// The number of sources in the current poll run, and the number of those whose poll has begun.
  var round = 0
  var begun = 0
  /// The time at which the last attempt to poll one of the sources ended.
  var last: Date?
  /// The time of the next poll.
  var next: Date?
  /// Whether the next poll is the first one after the start.
  var isFirst = false
  /// The number of sources that failed, or no longer exist.
  var failed = 0
}

extension AppState {
  /// Summarises the polls. This runs after every key, so it examines only the necessary part of each source.
  mutating func sumUpPolls() {
    var summary = PollSummary()
    let listed = shown.sources.sources(in: shown.list.query.scope)
    var isRoundOver = true
    for source in shown.sources.polled {
      let isListed = listed?.contains(source.id) ?? true
      guard isListed || !round.isEmpty else { continue }
      let standing = polling[source.id]
      if let standing, standing.phase != .idle { isRoundOver = false }
      guard isListed else { continue }
      summary.count += 1
      if let last = source.last, last > summary.last ?? .distantPast { summary.last = last }
      if source.hasFailed { summary.failed += 1 }
      guard let standing else { continue }
      if !round.isEmpty, round.contains(source.id) {
        summary.round += 1
        if standing.phase != .queued { summary.begun += 1 }
      }
      if standing.phase == .polling { summary.isPolling = true }
      if let next = standing.next, next < summary.next ?? .distantFuture {
        summary.next = next
        summary.isFirst = standing.rule == .initialDelay
      }
    }
    polls = summary
    if isRoundOver { round = [] }
  }

  /// The time until the first poll after the start, in seconds; `nil` unless it comes within a minute.
  var secondsToFirstPoll: Int? {
    guard polls.isFirst, let wait = polls.next?.timeIntervalSince(now), wait > 0, wait <= 60 else {
      return nil
    }
    return Int(wait.rounded(.up))
  }

  /// Whether a visible source is being polled, or a URL is being checked.
  var isBusy: Bool {
    if let prompt = dialog.prompt, prompt.subject == .add, prompt.phase.isAsking { return true }
    if layout.sources == nil || polls.isPolling { return polls.isPolling }
    return shown.sources.polled.contains { polling[$0.id]?.phase == .polling }
  }
}
