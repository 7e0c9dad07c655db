package import Foundation

/// Why a poll was asked for.
package enum PollTrigger: String, Sendable, Codable, CaseIterable {
  case initial, periodic, soft, forced
}

/// How a refresh that was asked for ended; every one completes exactly once.
package enum RefreshResult: Hashable, Sendable {
  case new(count: Int)
  case nothingNew
  case failed(FetchFailure)
  case heldBack(until: Date, rule: WaitRule)
}

/// The rule that set the time of the next poll, or that held a refresh back.
package enum WaitRule: Hashable, Sendable, Codable {
  case initialDelay
  case interval
  /// `failures` in a row.
  case backoff(failures: Int)
  case grace
  /// The whole host is held, by this source or another of the same host.
  case retryAfter(host: String)
  case maxAge
  case ttl
  case skipHours
  case skipDays
  /// The next firing of a schedule.
  case schedule
  /// 410: never again.
  case gone
  /// `local` sources are not polled.
  case notPolled
}

/// What the schedule knows of a source, kept across restarts.
package struct PollState: Hashable, Sendable, Codable {
  /// When the last attempt began and ended, whoever made it.
  package var lastAttemptStart: Date?
  package var lastAttemptEnd: Date?
  package var lastSuccess: Date?
  /// In a row, but for those that somebody forced: they lengthen no wait.
  package var failures: Int = 0
  /// Why the last poll failed; nil once one succeeded.
  package var lastFailure: FetchFailure?
  /// From the last answer that gave hints.
  package var minimumWait: Duration?
  package var minimumWaitRule: MinimumWaitRule?
  package var skipHours: Set<Int> = []
  package var skipDays: Set<Int> = []
  package var isGone = false
  /// When the source has something next, known to the second.
  package var nextPoll: Date?
  /// The random share of the interval, 0 to 0.1, drawn when the last poll ended.
  package var jitter: Double = 0

  package init() {}

  package var isFailing: Bool { lastFailure != nil }
}

/// One line of the poll timeline.
package struct PollAttempt: Hashable, Sendable, Codable {
  package enum Result: Hashable, Sendable, Codable {
    case new(count: Int, updated: Int)
    case nothingNew
    case notModified
    case failed(FetchFailure)
    /// A refresh that made no request, or a poll whose redirect was not followed.
    case heldBack(until: Date, rule: WaitRule)
    /// A refresh that joined a poll in flight.
    case joined
    /// A poll is under way.
    case started
  }

  package var source: SourceID
  package var trigger: PollTrigger
  package var start: Date
  package var end: Date
  package var result: Result
  package var problems: [PollProblem]

  package init(
    source: SourceID, trigger: PollTrigger, start: Date, end: Date, result: Result,
    problems: [PollProblem] = []
  ) {
    self.source = source
    self.trigger = trigger
    self.start = start
    self.end = end
    self.result = result
    self.problems = problems
  }
}

/// A source as the inbox lists it: kept counts, dot, and what its polls did.
package struct SourceStatus: Hashable, Sendable {
  package var source: Source
  /// What the server calls it; nil until it says so.
  package var title: String?
  /// Its web page, as the server says; nil until it says so.
  package var link: String?
  /// The dot: something arrived that nobody has looked at.
  package var isUnseen: Bool
  package var unread: Int
  package var total: Int
  /// Set by APNs payloads.
  package var badge: Int?
  package var state: PollState

  package init(
    source: Source, title: String?, isUnseen: Bool, unread: Int, total: Int, badge: Int? = nil,
    state: PollState = PollState(), link: String? = nil
  ) {
    self.source = source
    self.title = title
    self.link = link
    self.isUnseen = isUnseen
    self.unread = unread
    self.total = total
    self.badge = badge
    self.state = state
  }
}
