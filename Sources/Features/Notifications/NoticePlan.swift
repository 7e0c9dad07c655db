package import Basics
package import Foundation
package import Messages
package import Queries

/// A message that waits for its notification.
package struct NoticeCandidate: Hashable, Sendable {
  package var message: MessageID
  package var source: SourceID
  /// The time at which the message arrived or appeared.
  package var at: Date
  /// Whether the user is notified even in the current quiet hours, because a rule marks the message as urgent or the
  /// hours allow it.
  package var isAllowed: Bool

  package init(message: MessageID, source: SourceID, at: Date, isAllowed: Bool = false) {
    (self.message, self.source, self.at, self.isAllowed) = (message, source, at, isAllowed)
  }
}

/// A notification that is to be shown.
package struct PlannedNotice: Hashable, Sendable {
  package var form: NoticeForm
  /// The messages in their order; all of one source if the form is `source`.
  package var messages: [MessageID]
  /// The summary that this notification replaces and includes.
  package var replaces: NoticeID?

  package init(_ form: NoticeForm, _ messages: [MessageID], replacing notice: NoticeID? = nil) {
    (self.form, self.messages, replaces) = (form, messages, notice)
  }
}

/// Plans the notifications for the messages that wait for a channel. A pure value: it uses neither the store nor a
/// clock.
package struct NoticePlan: Hashable, Sendable {
  /// The notifications in the order in which they are to be shown.
  package private(set) var notices: [PlannedNotice] = []
  /// The time of the next plan if nothing else happens, or `nil` if only other events need one.
  package private(set) var next: Date?

  /// The recent notifications of a channel, and its abilities.
  package struct Channel: Hashable, Sendable {
    /// The times at which the notifications of the last minute were shown, in any order.
    package var shown: [Date]
    /// The summary that is being shown, or `nil` if there is none or notifications cannot be replaced.
    package var digest: NoticeID?
    package var canReplace: Bool
    /// The time that a notification waits after the newest message, so that it includes the other messages of
    /// the same poll run.
    package var delay: Duration

    package init(
      shown: [Date] = [], digest: NoticeID? = nil, canReplace: Bool = false,
      delay: Duration = Limits.noticeDelay
    ) {
      (self.shown, self.digest, self.canReplace, self.delay) = (shown, digest, canReplace, delay)
    }
  }

  /// The maximum waiting time, in seconds, even if a poll run continues.
  private static let longestRound: TimeInterval = 10
  /// The number of seconds in a minute.
  private static let minute: TimeInterval = 60

  /// - Parameters:
  ///   - waiting: the messages, oldest first.
  ///   - now: the current time. The clock may have been set since the messages arrived: a message with a
  ///     later time is treated as an old one.
  package init(
    _ waiting: [NoticeCandidate], on channel: Channel, _ quiet: Quiet, at now: Date, in zone: ZoneClock
  ) {
    var told = waiting
    if case .on(let until, _) = quiet.state(at: now, in: zone) {
      told = waiting.filter(\.isAllowed)
      if told.count < waiting.count { next = until }
    }
    guard !told.isEmpty else { return }
    if let end = Self.endOfRound(told, channel, at: now) {
      next = min(end, next ?? end)
      return
    }
    var groups = Self.groups(told, quiet, in: zone)
    let shown = channel.shown.filter { now.timeIntervalSince($0) < Self.minute && $0 <= now }.sorted()
    let left = Limits.noticesPerMinute - shown.count
    if groups.count > max(0, left) {
      let all = told.map(\.message)
      if left > 0 || channel.canReplace {
        groups = [PlannedNotice(.digest, all, replacing: channel.digest)]
      } else {
        // Every message would be a further notification.
        let free = shown[shown.count - Limits.noticesPerMinute].addingTimeInterval(Self.minute)
        next = min(free, next ?? free)
        groups = []
      }
    }
    notices = groups
  }

  /// Returns the time at which the poll run of the newest message is complete, or `nil` if it already is.
  private static func endOfRound(_ told: [NoticeCandidate], _ channel: Channel, at now: Date) -> Date? {
    let delay = channel.delay / .seconds(1)
    func age(_ candidate: NoticeCandidate) -> TimeInterval { now.timeIntervalSince(candidate.at) }
    guard let newest = told.filter({ (0..<delay).contains(age($0)) }).map(\.at).max(),
      !told.contains(where: { age($0) >= longestRound || age($0) < 0 })
    else { return nil }
    return newest.addingTimeInterval(delay)
  }

  /// Groups the messages into notifications. All messages from quiet hours become one notification. Up to three other
  /// messages have one notification each; more have one per source.
  private static func groups(
    _ told: [NoticeCandidate], _ quiet: Quiet, in zone: ZoneClock
  ) -> [PlannedNotice] {
    let held = told.filter { !$0.isAllowed && quiet.isQuiet(at: $0.at, in: zone) }
    let heldMessages = Set(held.map(\.message))
    let fresh = told.filter { !heldMessages.contains($0.message) }
    var groups: [PlannedNotice] = []
    if let first = held.first {
      groups.append(
        held.count == 1
          ? PlannedNotice(.message, [first.message]) : PlannedNotice(.digest, held.map(\.message)))
    }
    if fresh.count <= Limits.singleNotices {
      return groups + fresh.map { PlannedNotice(.message, [$0.message]) }
    }
    var order: [SourceID] = []
    var bySource: [SourceID: [MessageID]] = [:]
    for candidate in fresh {
      if bySource[candidate.source] == nil { order.append(candidate.source) }
      bySource[candidate.source, default: []].append(candidate.message)
    }
    return groups
      + order.compactMap { bySource[$0] }.map { PlannedNotice($0.count == 1 ? .message : .source, $0) }
  }
}
