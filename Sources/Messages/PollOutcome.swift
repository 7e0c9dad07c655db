package import Foundation

/// When a server wants to be asked again. It may only slow us down.
package struct PollHints: Hashable, Sendable {
  /// `Retry-After` on 429 and 503, as an instant; holds the whole host that answered (RFC 9110 section 10.2.3).
  package var retryAfter: Date?
  /// The address that answered so, after redirects; nil: the source's own.
  package var retryAfterFrom: String?
  /// A redirect led to a host that asked to be left alone: nobody asked it, and the poll ended there.
  package var heldBack: HeldBack?
  /// The longest of `Cache-Control: max-age` and RSS `ttl`; capped at 24 h by the schedule.
  package var minimumWait: Duration?
  /// Which of the two set `minimumWait`, for `reddot why`.
  package var minimumWaitRule: MinimumWaitRule?
  /// RSS `skipHours`: hours 0 to 23, UTC.
  package var skipHours: Set<Int> = []
  /// RSS `skipDays`: 1 Monday to 7 Sunday, UTC.
  package var skipDays: Set<Int> = []
  /// HTTP 410, or a JSON Feed that says `expired`: the source is not polled again.
  package var isGone = false
  /// When the source has something next, known to the second (a schedule's next firing): polled then, and no sooner by
  /// itself.
  package var nextPoll: Date?

  package init() {}

  /// By which host a poll was held back, and until when.
  package struct HeldBack: Hashable, Sendable {
    /// By the poller's `HostName`.
    package var host: String
    package var until: Date

    package init(host: String, until: Date) {
      self.host = host
      self.until = until
    }
  }
}

package enum MinimumWaitRule: String, Sendable, Codable {
  case maxAge, ttl
}

/// Something wrong in what a poll brought, at a line or a JSON path; its neighbours were kept. Stored with the attempt.
///
/// Parsers report `FormatProblem`: Formats knows no polls, and Messages no parsers.
package struct PollProblem: Hashable, Sendable, Codable {
  /// A line number, a JSON path (`$.list[3].id`), or empty.
  package var at: String
  package var message: String

  package init(at: String, message: String) {
    self.at = at
    self.message = message
  }

  /// A key of what came that reddot knows nothing of.
  package static func ignored(key path: String) -> PollProblem {
    PollProblem(at: path, message: "is unknown here and was ignored")
  }
}

/// What a poll brought, ready to be recorded in one transaction.
package struct PollContent: Sendable {
  /// Oldest first: a later one stands above an earlier one of the same time.
  package var messages: [IncomingMessage]
  /// The inbox's title as the server says it.
  package var title: String?
  /// The human page of the source.
  package var link: String?
  package var position: PollPosition
  package var problems: [PollProblem]
  /// Keys that were ignored, as paths (`$.list[*].color`), each once. The store knows which of them are new.
  package var ignoredKeys: [String] = []
  /// The number that an APNs badge set; 0 clears it, nil leaves it.
  package var badge: Int?
  /// Non-display notifications, in order of arrival.
  package var features: [FeatureNotice] = []
  /// A silent payload asked for a soft refresh of the source (`content-available: 1`).
  package var wantsRefresh = false
  /// The server gave its ids anew. From now on a message is one that was there only where id and content are the same.
  package var hasNewIDs = false
  /// What the source came as, where that is what is wanted of it: kept as its good copy.
  package var document: SourceDocument?

  package init(
    messages: [IncomingMessage], title: String? = nil, link: String? = nil,
    position: PollPosition = PollPosition(), problems: [PollProblem] = []
  ) {
    self.messages = messages
    self.title = title
    self.link = link
    self.position = position
    self.problems = problems
  }
}

/// A document as it came, kept until a better one comes; its validators are those of the position.
package struct SourceDocument: Hashable, Sendable {
  /// The whole address that it was asked by, query included.
  package var address: String
  package var bytes: Data

  package init(address: String, bytes: Data) {
    self.address = address
    self.bytes = bytes
  }
}

/// A non-display notification (section 7): switches the features that it names, within its time and for its channel.
///
/// Like a message it is known by its remote id: what comes again replaces it, also where it names nothing any more.
package struct FeatureNotice: Hashable, Sendable {
  package var remoteID: RemoteID
  package var names: [String]
  package var isEnabled: Bool
  /// The free-form data, as JSON.
  package var data: String?
  /// Who it is for; nil is everybody.
  package var channel: String?
  /// From when it holds; nil is at once.
  package var visibleFrom: Date?
  /// Until when it holds, where that does not depend on its arrival.
  package var expires: Date?
  /// How long it holds where that depends on its arrival.
  package var lifetime: Lifetime?

  package init(
    remoteID: RemoteID, names: [String], isEnabled: Bool, data: String? = nil, visibleFrom: Date? = nil
  ) {
    self.remoteID = remoteID
    self.names = names
    self.isEnabled = isEnabled
    self.data = data
    self.visibleFrom = visibleFrom
  }
}

/// A named feature that stands otherwise than before, by the notice that made it so.
package struct FeatureChange: Hashable, Sendable {
  package var name: String
  package var isEnabled: Bool
  package var remoteID: RemoteID
  /// The free-form data, as JSON.
  package var data: String?

  package init(name: String, isEnabled: Bool, remoteID: RemoteID, data: String? = nil) {
    self.name = name
    self.isEnabled = isEnabled
    self.remoteID = remoteID
    self.data = data
  }
}

/// What an adapter hands over after one poll.
package enum PollOutcome: Sendable {
  case content(PollContent, PollHints)
  /// 304, or bytes equal to the last ones: nothing new. The position may still move (validators, redirects).
  case notModified(PollPosition, PollHints)
  /// Changes neither list, cursor, title nor dot; no failure either, where the hints say that it was held back.
  case failed(FetchFailure, PollHints)

  /// As what a failure stands in the timeline.
  package static func result(of failure: FetchFailure, _ hints: PollHints) -> PollAttempt.Result {
    hints.heldBack.map { .heldBack(until: $0.until, rule: .retryAfter(host: $0.host)) } ?? .failed(failure)
  }

  package var hints: PollHints {
    switch self {
    case .content(_, let hints), .notModified(_, let hints), .failed(_, let hints): hints
    }
  }
}
