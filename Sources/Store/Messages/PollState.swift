package import Basics
package import Foundation

/// What started a poll.
package enum PollTrigger: String, Sendable, Codable, CaseIterable {
  case initial, periodic, soft, forced
  /// The service's push channel said that there is something new.
  case stream
  /// Not a poll: acts of the user were sent to the service.
  case act
}

/// The result of a requested refresh; every one completes exactly once.
package enum RefreshResult: Hashable, Sendable {
  /// `back` were read and are unread again.
  case new(count: Int, back: Int = 0)
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
  /// The whole host is held back, by this source or another of the same host.
  case retryAfter(host: String)
  case maxAge
  case ttl
  /// The server said how often it wants to be asked.
  case pollInterval
  /// The server's limit of requests is reached.
  case requestLimit
  case skipHours
  case skipDays
  /// The next firing of a schedule.
  case schedule
  /// The last poll left some of what is there.
  case backlog
  /// The source has added as many messages as its settings allow for a day.
  case dailyLimit
  /// 410: never again.
  case gone
  /// Its settings say that it is to wait.
  case paused
  /// `local` sources are not polled.
  case notPolled
}

/// The new messages that polls of a source added within 24 hours, which begin with the first of them.
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

/// The schedule's state of a source, kept across restarts.
package struct PollState: Hashable, Sendable, Codable {
  /// When the last attempt began and ended, in any process.
  package var lastAttemptStart: Date?
  package var lastAttemptEnd: Date?
  package var lastSuccess: Date?
  /// Failures in a row, without forced polls, which do not lengthen the wait.
  package var failures: Int = 0
  /// Why the last poll failed; nil once one succeeded.
  package var lastFailure: FetchFailure?
  /// From the last response with hints.
  package var minimumWait: Duration?
  package var minimumWaitRule: MinimumWaitRule?
  package var skipHours: Set<Int> = []
  package var skipDays: Set<Int> = []
  package var isGone = false
  /// The exact time of the next messages, if known.
  package var nextPoll: Date?
  /// The random part of the interval, 0 to 0.1, chosen when the last poll ended.
  package var jitter: Double = 0
  /// The new messages of the last day, or `nil` if none came. Only the store changes it.
  package var day: PollDay?

  package init() {}

  package var isFailing: Bool { lastFailure != nil }
}

/// Why the push channel of a source can't be opened.
package struct StreamFailure: Hashable, Sendable {
  /// When it failed for the first time in a row.
  package var since: Date
  /// The last time.
  package var failure: FetchFailure

  package init(since: Date, failure: FetchFailure) {
    self.since = since
    self.failure = failure
  }
}

/// One line of the poll timeline.
package struct PollAttempt: Hashable, Sendable, Codable {
  package enum Result: Hashable, Sendable, Codable {
    /// Of the updated ones `back` were read and are unread again; nil in lines of earlier versions.
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
    /// The service refused acts of the user for good, or they were given up.
    case refused(count: Int, FetchFailure)
    /// Acts of the user could not be sent; they wait.
    case carryFailed(FetchFailure, waiting: Int)
  }

  package var source: SourceID
  package var trigger: PollTrigger
  package var start: Date
  package var end: Date
  package var result: Result
  package var problems: [FormatProblem]
  /// Why its messages are not new, or `nil` if it found nothing of that.
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
  /// The server's title; nil while there is none.
  package var title: String?
  /// Its website from the server; nil while there is none.
  package var link: String?
  /// Whether its dot is on.
  package var isUnseen: Bool
  package var unread: Int
  package var total: Int
  /// How many of the unread ones are copies of other sources' messages, by that source.
  package var unreadCopies: [SourceID: Int] = [:]
  /// Set by APNs payloads.
  package var badge: Int?
  package var state: PollState
  /// How many requests its server still accepts; nil: it doesn't say.
  package var quota: RequestQuota?

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

  /// Of some sources together; a message that several of them brought counts once.
  package static func unread(of statuses: [SourceStatus]) -> Int {
    SourceTally.unread(
      of: statuses.map {
        SourceTally(
          source: $0.source.id, unread: $0.unread, isUnseen: $0.isUnseen, unreadCopies: $0.unreadCopies)
      })
  }
}

/// A source's kept number of unread messages, and its dot.
package struct SourceTally: Hashable, Sendable {
  package var source: SourceID
  package var unread: Int
  package var isUnseen: Bool
  /// How many of them are copies of other sources' messages, by that source.
  package var unreadCopies: [SourceID: Int]

  package init(source: SourceID, unread: Int, isUnseen: Bool, unreadCopies: [SourceID: Int] = [:]) {
    self.source = source
    self.unread = unread
    self.isUnseen = isUnseen
    self.unreadCopies = unreadCopies
  }

  /// Of some sources together; a message that several of them brought counts once.
  package static func unread(of tallies: [SourceTally]) -> Int {
    let sum = tallies.reduce(0) { $0 + $1.unread }
    guard tallies.contains(where: { !$0.unreadCopies.isEmpty }) else { return sum }
    let sources = Set(tallies.map(\.source))
    return tallies.reduce(sum) { sum, tally in
      tally.unreadCopies.reduce(sum) { sources.contains($1.key) ? $0 - $1.value : $0 }
    }
  }
}

extension IncomingMessage {
  /// The approximate size of its text in the database, in bytes.
  package var textBytes: Int {
    title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) + (url?.utf8.count ?? 0)
  }
}
