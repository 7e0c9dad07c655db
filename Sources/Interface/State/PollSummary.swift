import Foundation
import Messages

/// What the polls of the sources come to whose messages the list shows.
struct PollSummary: Hashable {
  /// How many are polled at all.
  var count = 0
  var isPolling = false
  /// The end of the last attempt.
  var last: Date?
  /// The next poll.
  var next: Date?
  /// Whether the next poll is the first one after the start.
  var isFirst = false
  /// How many failed, or are gone.
  var failed = 0
}

extension AppState {
  /// Every frame asks for it, so it goes through the sources once and copies none of them.
  var pollSummary: PollSummary {
    var summary = PollSummary()
    let listed = shown.sources.sources(in: shown.list.query.scope)
    for index in shown.sources.statuses.indices {
      guard shown.sources.statuses[index].source.kind != .local else { continue }
      let id = shown.sources.statuses[index].source.id
      if let listed, !listed.contains(id) { continue }
      summary.count += 1
      if let last = shown.sources.statuses[index].state.lastAttemptEnd, last > summary.last ?? .distantPast {
        summary.last = last
      }
      if shown.sources.statuses[index].state.isFailing || shown.sources.statuses[index].state.isGone {
        summary.failed += 1
      }
      guard let standing = polling[id] else { continue }
      if standing.phase == .polling { summary.isPolling = true }
      if let next = standing.next, next < summary.next ?? .distantFuture {
        summary.next = next
        summary.isFirst = standing.rule == .initialDelay
      }
    }
    return summary
  }

  /// Seconds until the first poll after the start; nil unless it comes within a minute.
  func secondsToFirstPoll(_ polls: PollSummary) -> Int? {
    guard polls.isFirst, let wait = polls.next?.timeIntervalSince(now), wait > 0, wait <= 60 else {
      return nil
    }
    return Int(wait.rounded(.up))
  }

  /// Whether a visible source is being polled, or an address is being checked.
  func isBusy(_ polls: PollSummary) -> Bool {
    if case .add(_, .asking)? = dialog.prompt { return true }
    if layout.sources == nil || polls.isPolling { return polls.isPolling }
    return shown.sources.statuses.indices.contains {
      polling[shown.sources.statuses[$0].source.id]?.phase == .polling
    }
  }
}
