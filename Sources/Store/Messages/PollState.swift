package import Basics
package import Foundation

/// The event that started a poll.
package enum PollTrigger: String, Sendable, Codable, CaseIterable {
  case initial, periodic, soft, forced
  /// The service's push channel reported that there is something new.
  case stream
  /// Acts of the user were sent to the service; this is not a poll.
  case act
}

/// The result of a requested refresh; every request completes exactly once.
package enum RefreshResult: Hashable, Sendable {
  /// New messages arrived, and `back` read ones became unread again.
  case new(count: Int, back: Int = 0)
  case nothingNew
  case failed(FetchFailure)
  case heldBack(until: Date, rule: WaitRule)
}

/// The rule that set the time of the next poll, or that delayed a refresh.
package enum WaitRule: Hashable, Sendable, Codable {
  case initialDelay
  case interval
  /// The last `failures` polls in a row have failed.
  case backoff(failures: Int)
  /// The grace period after the last attempt has not passed.
  case grace
  /// The whole host is held back, because of this source or another one of the same host.
  case retryAfter(host: String)
  case maxAge
  case ttl
  /// The server specified its poll interval.
  case pollInterval
  /// The server's limit of requests is reached.
  case requestLimit
  case skipHours
  case skipDays
  /// The next firing of a schedule.
  case schedule
  /// The last poll left messages at the server.
  case backlog
  /// The source has added as many messages as its settings allow for a day.
  case dailyLimit
  /// 410: the source is never polled again.
  case gone
  /// The settings pause the source.
  case paused
  /// `local` sources are not polled.
  case notPolled
}

/// The number and size of the new messages that polls of a source added within 24 hours. The 24 hours start
/// with the first of these messages.
package struct PollDay: Hashable, Sendable, Codable {
  package var start: Date
  package var messages: Int
  /// The bytes of their text.
  package var bytes: Int

  package init(start: Date, messages: Int, bytes: Int) {
    (self.start, self.messages, self.bytes) = (start, messages, bytes)
  }

  package static let seconds: TimeInterval = 86_400

  package var end: Date { start + Self.seconds }
}

/// The state of a source that determines its next poll, kept across restarts.
package struct PollState: Hashable, Sendable, Codable {
  /// The start and the end of the last attempt to poll the source, in any process.
  package var lastAttemptStart: Date?
  package var lastAttemptEnd: Date?
  package var lastSuccess: Date?
  /// The number of failed polls in a row. Forced polls aren't counted, so that they do not lengthen the wait.
  package var failures: Int = 0
  /// The reason why the last poll failed, or `nil` if it succeeded.
  package var lastFailure: FetchFailure?
  /// The shortest time until the next poll that the server requests. This and the next three are the hints
  /// (`PollHints`) of the last response with a body. A later response without one can change them, but not remove them.
  package var minimumWait: Duration?
  package var minimumWaitRule: MinimumWaitRule?
  package var skipHours: Set<Int> = []
  package var skipDays: Set<Int> = []
  package var isGone = false
  /// The exact time of the next messages, if known.
  package var nextPoll: Date?
  /// The random part of the interval, 0 to 0.1, chosen when the last poll ended.
  package var jitter: Double = 0
  /// The new messages of the last day, or `nil` if there were none. Only the store changes it.
  package var day: PollDay?

  package init() {}

  package var isFailing: Bool { lastFailure != nil }
}

/// The reason why the push channel of a source can't be opened.
package struct StreamFailure: Hashable, Sendable {
  /// The time of the first failure in a row.
  package var since: Date
  /// The last failure.
  package var failure: FetchFailure

  package init(since: Date, failure: FetchFailure) {
    self.since = since
    self.failure = failure
  }
}

/// One line of the poll timeline.
package struct PollAttempt: Hashable, Sendable, Codable {
  package enum Result: Hashable, Sendable, Codable {
    /// New and updated messages. `back` is the number of updated ones that were read and became unread again; it is
    /// `nil` in lines of earlier versions.
    case new(count: Int, updated: Int, back: Int? = nil)
    case nothingNew
    case notModified
    case failed(FetchFailure)
    /// A refresh that made no request, or a poll whose redirect was not followed.
    case heldBack(until: Date, rule: WaitRule)
    /// A refresh that joined a poll in flight.
    case joined
    /// A poll is in flight.
    case started
    /// Acts of the user reached the service.
    case carried(count: Int)
    /// The service rejected acts of the user permanently, or they were given up.
    case refused(count: Int, FetchFailure)
    /// Acts of the user could not be sent, and wait.
    case carryFailed(FetchFailure, waiting: Int)
  }

  package var source: SourceID
  package var trigger: PollTrigger
  package var start: Date
  package var end: Date
  package var result: Result
  package var problems: [FormatProblem]
  /// The reasons why messages are not new, or `nil` if there is nothing to report.
  package var identity: IdentityReport?

  package init(
    source: SourceID, trigger: PollTrigger, start: Date, end: Date, result: Result,
    problems: [FormatProblem] = [], identity: IdentityReport? = nil
  ) {
    self.source = source
    self.trigger = trigger
    self.start = start
    self.end = end
    self.result = result
    self.problems = problems
    self.identity = identity
  }
}

/// A source in the inbox: stored counts, dot, and the state of its polls.
package struct SourceStatus: Hashable, Sendable {
  package var source: Source
  /// The server's title, or `nil` if there is none.
  package var title: String?
  /// The website from the server, or `nil` if there is none.
  package var link: String?
  package var counts: UnreadCounts
  package var total: Int
  /// The number of the badge that APNs payloads set.
  package var badge: Int?
  package var state: PollState
  /// The number of requests that its server still accepts, or `nil` if the server doesn't report it.
  package var quota: RequestQuota?

  package init(
    source: Source, title: String?, isUnseen: Bool, unread: Int, total: Int, badge: Int? = nil,
    state: PollState = PollState(), link: String? = nil
  ) {
    self.source = source
    self.title = title
    self.link = link
    counts = UnreadCounts(unread: unread, isUnseen: isUnseen)
    self.total = total
    self.badge = badge
    self.state = state
  }

  package var unread: Int {
    get { counts.unread }
    set { counts.unread = newValue }
  }

  /// Whether the source has messages that the user has not seen yet; the inbox shows a dot for it.
  package var isUnseen: Bool {
    get { counts.isUnseen }
    set { counts.isUnseen = newValue }
  }
}

/// The number of a source's unread messages, and its dot.
package struct UnreadCounts: Hashable, Sendable {
  package var unread: Int
  package var isUnseen: Bool
  /// The numbers of unread messages that are duplicates of another source's messages, keyed by that source.
  package var duplicates: [SourceID: Int]

  package init(unread: Int, isUnseen: Bool, duplicates: [SourceID: Int] = [:]) {
    self.unread = unread
    self.isUnseen = isUnseen
    self.duplicates = duplicates
  }

  /// Returns the number of unread messages in several sources together: a message in more than one of them counts once.
  package static func sum(_ counts: [SourceID: UnreadCounts]) -> Int {
    let sum = counts.values.reduce(0) { $0 + $1.unread }
    return counts.values.reduce(sum) { sum, own in
      own.duplicates.reduce(sum) { counts[$1.key] == nil ? $0 : $0 - $1.value }
    }
  }

  /// Returns the number of unread messages in several sources together.
  package static func sum(of statuses: [SourceStatus]) -> Int {
    sum(Dictionary(statuses.map { ($0.source.id, $0.counts) }) { $1 })
  }
}

extension IncomingMessage {
  /// The approximate size of its text in the database, in bytes.
  package var textBytes: Int {
    title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) + (url?.utf8.count ?? 0)
  }
}
