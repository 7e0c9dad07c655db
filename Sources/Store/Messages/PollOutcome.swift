package import Basics
package import Foundation

/// The server's hints for the next poll. They can only delay it.
package struct PollHints: Hashable, Sendable {
  /// `Retry-After` on 429 and 503, as an instant; applies to the whole host that responded (RFC 9110 section 10.2.3).
  package var retryAfter: Date?
  /// The URL that sent it, after redirects, or `nil` for the source's own.
  package var retryAfterFrom: String?
  /// The hold of a host whose Retry-After has not passed, if a redirect led to that host. The host got no request, and
  /// the poll ended.
  package var heldBack: HostHold?
  /// The shortest wait that the server requests: the longer of `Cache-Control: max-age` and RSS `ttl`, or a service's
  /// interval or limit. The schedule limits it to 24 h.
  package var minimumWait: Duration?
  /// The rule that set `minimumWait`, for `reddot why`.
  package var minimumWaitRule: MinimumWaitRule?
  /// RSS `skipHours`: hours 0 to 23, UTC.
  package var skipHours: Set<Int> = []
  /// RSS `skipDays`: 1 for Monday to 7 for Sunday, UTC.
  package var skipDays: Set<Int> = []
  /// Whether the source is not polled again, after HTTP 410 or a JSON Feed with `expired`.
  package var isGone = false
  /// The exact time of the next messages: a schedule's next firing, or soon if a poll left messages at the server. The
  /// source is polled then, and not earlier unless the user requests it.
  package var nextPoll: Date?
  /// Whether the poll has read only a part. It continues immediately from its position, in the same poll.
  package var hasMore = false
  /// The maximum number of parts of one poll, or `nil` for `Limits.pollParts`. The rest waits for the next poll.
  package var partsAtMost: Int?
  /// The number of requests that the server still accepts.
  package var quota: RequestQuota?
  /// The server's clock: `Date` of its response (RFC 9110 section 6.6.1).
  package var serverDate: Date?

  package init() {}

  /// Records that the poll has read only a part. The poll continues immediately or, if that is not possible,
  /// at `next`; `nil` means with the next poll.
  package mutating func leaveMore(until next: Date? = nil, partsAtMost: Int? = nil) {
    hasMore = true
    nextPoll = next
    self.partsAtMost = partsAtMost
  }
}

package enum MinimumWaitRule: String, Sendable, Codable {
  case maxAge, ttl
  /// `X-Poll-Interval`.
  case pollInterval
  /// The server accepts no more requests for now, or has set a longer interval.
  case requestLimit
}

extension FormatProblem {
  /// Returns the problem that a feed gives the same id to several entries; `ids` is the number of such ids.
  package static func repeated(ids: Int) -> FormatProblem {
    FormatProblem(at: "", message: repeatedIDs(ids))
  }

  package static func repeatedIDs(_ count: Int) -> String {
    (count == 1 ? "1 id came" : "\(count) ids came")
      + repeatedIDsEnding
  }

  private static let repeatedIDsEnding = " for more than one entry" + apart

  /// Whether the problem is that several entries of a feed have the same id.
  package var isOfRepeatedIDs: Bool { message.hasSuffix(Self.repeatedIDsEnding) }

  /// Returns the problem that several entries of a document have the same id.
  package static func repeated(id: RemoteID, entries: Int) -> FormatProblem {
    FormatProblem(at: "", message: "the id “\(id.text)” came for \(entries) entries" + apart)
  }

  private static let apart = "; reddot distinguishes these by title, date, link and text"

  /// Returns the problem of an unknown key.
  package static func ignored(key path: String) -> FormatProblem {
    FormatProblem(at: path, message: "is unknown here and was ignored")
  }
}

/// The difference that shows that a known id now belongs to another message, since a server that was restored from a
/// backup reuses ids.
package enum ReusedID: Sendable {
  /// Another date, since the date of a message never changes.
  case date
  /// Another title, and another date or link; in an edited message one of the two usually stays.
  case titleAndDate
}

/// The content of a poll, to be recorded in one transaction.
package struct PollContent: Sendable {
  /// The messages, oldest first: of two with the same time, the later one is listed first.
  package var messages: [IncomingMessage]
  /// The messages of a large poll, instead of `messages`.
  package var stream: (any MessageStream)?
  /// The source's title from the server.
  package var title: String?
  /// The source's website.
  package var link: String?
  package var position: PollPosition
  package var problems: [FormatProblem]
  /// The paths of ignored keys (`$.list[*].color`), without duplicates. The store decides which of them are new.
  package var ignoredKeys: [String] = []
  /// The number that an APNs badge set; 0 clears it, `nil` leaves it unchanged.
  package var badge: Int?
  /// Non-display notifications, in order of arrival.
  package var features: [FeatureNotice] = []
  /// Whether a silent payload requested a soft refresh of the source (`content-available: 1`).
  package var wantsRefresh = false
  /// Whether the server has reset its ids. A message then counts as known only if both id and content are the same.
  package var hasNewIDs = false
  /// The check for reused ids, or `nil` if a known id always means the known message, whatever has changed in it.
  package var reusedID: ReusedID?
  /// The state of messages at their service.
  package var upstream: UpstreamState?
  /// The publisher's reports for messages of this poll: whether each message's event has ended. A message that has
  /// ended becomes read, and shows the time.
  package var endings: [(message: RemoteID, isOver: Bool)] = []
  /// The document itself, for sources whose document is stored as the valid copy.
  package var document: SourceDocument?

  package init(
    messages: [IncomingMessage], title: String? = nil, link: String? = nil,
    position: PollPosition = PollPosition(), problems: [FormatProblem] = []
  ) {
    self.messages = messages
    self.title = title
    self.link = link
    self.position = position
    self.problems = problems
  }
}

/// A received document, kept until the next valid one. Its validators are those of the `PollPosition`.
package struct SourceDocument: Hashable, Sendable {
  /// The whole URL of its request, with the query.
  package var address: String
  package var bytes: Data

  package init(address: String, bytes: Data) {
    self.address = address
    self.bytes = bytes
  }
}

/// A non-display notification, which switches features for a time and a channel.
///
/// Like a message it is identified by its remote id: a later one replaces it, even one without features.
package struct FeatureNotice: Hashable, Sendable {
  package var remoteID: RemoteID
  package var names: [String]
  package var isEnabled: Bool
  /// The free-form data, as JSON.
  package var data: String?
  /// The channel, or `nil` for all.
  package var channel: String?
  /// The start of its validity, or `nil` for immediately.
  package var visibleFrom: Date?
  /// The end of its validity, if that does not depend on its arrival.
  package var expires: Date?
  /// The length of its validity, if that depends on its arrival.
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

/// A feature whose state has changed, with the notification that changed it.
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

/// The result of an adapter's poll.
package enum PollOutcome: Sendable {
  case content(PollContent, PollHints)
  /// Nothing new: 304, or the same bytes as before. The position may still change (validators, redirects).
  case notModified(PollPosition, PollHints)
  /// A failure, which changes neither list, cursor, title nor dot. With `heldBack` in the hints it isn't a failure.
  case failed(FetchFailure, PollHints)

  /// Returns the result of a failed poll for the timeline: the failure, or that the host is held back.
  package static func result(of failure: FetchFailure, _ hints: PollHints) -> PollAttempt.Result {
    hints.heldBack.map { .heldBack(until: $0.until, rule: .retryAfter(host: $0.host)) } ?? .failed(failure)
  }

  package var hints: PollHints {
    switch self {
    case .content(_, let hints), .notModified(_, let hints), .failed(_, let hints): hints
    }
  }
}
