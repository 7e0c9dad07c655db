package import Basics
package import Foundation
package import Messages
package import Queries

/// A message that waits to be told of.
package struct NoticeCandidate: Hashable, Sendable {
  package var message: MessageID
  package var source: SourceID
  /// When it arrived or appeared.
  package var at: Date
  /// Told in the quiet hours that hold now: a rule calls it urgent, or they allow it.
  package var isAllowed: Bool

  package init(message: MessageID, source: SourceID, at: Date, isAllowed: Bool = false) {
    (self.message, self.source, self.at, self.isAllowed) = (message, source, at, isAllowed)
  }
}

/// One notice that is to be shown.
package struct PlannedNotice: Hashable, Sendable {
  package var form: NoticeForm
  /// In their order; of one source, if the form is `source`.
  package var messages: [MessageID]
  /// The digest that it goes on as: what that tells of is told with it.
  package var replaces: NoticeID?

  package init(_ form: NoticeForm, _ messages: [MessageID], replacing notice: NoticeID? = nil) {
    (self.form, self.messages, replaces) = (form, messages, notice)
  }
}

/// Makes notices of the messages that wait for a channel. Pure: it knows neither store nor clock.
package struct NoticePlan: Hashable, Sendable {
  /// In the order in which they are to be shown.
  package private(set) var notices: [PlannedNotice] = []
  /// When to plan again though nothing else happens; nil: only then.
  package private(set) var next: Date?

  /// What a channel has shown, and can do.
  package struct Channel: Hashable, Sendable {
    /// When its notices of the last minute were shown, in any order.
    package var shown: [Date]
    /// The digest that stands; nil without one, or where a notice cannot replace another one.
    package var digest: NoticeID?
    package var canReplace: Bool
    /// How long after a message the rest of its round is waited for.
    package var delay: Duration

    package init(
      shown: [Date] = [], digest: NoticeID? = nil, canReplace: Bool = false,
      delay: Duration = Limits.noticeDelay
    ) {
      (self.shown, self.digest, self.canReplace, self.delay) = (shown, digest, canReplace, delay)
    }
  }

  /// Nothing is waited for longer than this, though a round goes on.
  private static let longestRound: TimeInterval = 10
  private static let minute: TimeInterval = 60

  /// - Parameters:
  ///   - waiting: the oldest first.
  ///   - now: the clock may have been set since the messages came: what lies ahead of it counts as old.
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
        // Each one would be a notice more.
        let free = shown[shown.count - Limits.noticesPerMinute].addingTimeInterval(Self.minute)
        next = min(free, next ?? free)
        groups = []
      }
    }
    notices = groups
  }

  /// When the round of the newest message has come in; nil if it has.
  private static func endOfRound(_ told: [NoticeCandidate], _ channel: Channel, at now: Date) -> Date? {
    let delay = channel.delay / .seconds(1)
    func age(_ candidate: NoticeCandidate) -> TimeInterval { now.timeIntervalSince(candidate.at) }
    guard let newest = told.filter({ (0..<delay).contains(age($0)) }).map(\.at).max(),
      !told.contains(where: { age($0) >= longestRound || age($0) < 0 })
    else { return nil }
    return newest.addingTimeInterval(delay)
  }

  /// What was held back by quiet hours is one notice; of the rest up to three messages have one each, more one a source.
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
