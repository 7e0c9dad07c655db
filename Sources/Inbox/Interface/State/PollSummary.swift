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
  /// Every key asks for it, so of each source only what it needs is looked at.
  func pollSummary() -> PollSummary {
    var summary = PollSummary()
    let listed = shown.sources.sources(in: shown.list.query.scope)
    for source in shown.sources.polled {
      if let listed, !listed.contains(source.id) { continue }
      summary.count += 1
      if let last = source.last, last > summary.last ?? .distantPast { summary.last = last }
      if source.hasFailed { summary.failed += 1 }
      guard let standing = polling[source.id] else { continue }
      if standing.phase == .polling { summary.isPolling = true }
      if let next = standing.next, next < summary.next ?? .distantFuture {
        summary.next = next
        summary.isFirst = standing.rule == .initialDelay
      }
    }
    return summary
  }

  /// Seconds until the first poll after the start; nil unless it comes within a minute.
  var secondsToFirstPoll: Int? {
    guard polls.isFirst, let wait = polls.next?.timeIntervalSince(now), wait > 0, wait <= 60 else {
      return nil
    }
    return Int(wait.rounded(.up))
  }

  /// The next poll of the list on screen.
  var nextPoll: Date? { shownSource.map { polling[$0]?.next } ?? polls.next }

  /// Whether a visible source is being polled, or an address is being checked.
  var isBusy: Bool {
    if case .add(_, .asking)? = dialog.prompt { return true }
    if layout.sources == nil || polls.isPolling { return polls.isPolling }
    return shown.sources.polled.contains { polling[$0.id]?.phase == .polling }
  }
}
