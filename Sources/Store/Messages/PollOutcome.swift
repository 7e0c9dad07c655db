package import Basics
package import Foundation

/// The server's hints for the next poll. They can only delay it.
package struct PollHints: Hashable, Sendable {
  /// `Retry-After` on 429 and 503, as an instant; applies to the whole host that answered (RFC 9110 section 10.2.3).
  package var retryAfter: Date?
  /// The address that sent it, after redirects; nil is the source's own.
  package var retryAfterFrom: String?
  /// Set if a redirect led to a host whose Retry-After has not passed: it got no request, and the poll ended.
  package var heldBack: HostHold?
  /// The longer of `Cache-Control: max-age` and RSS `ttl`; the schedule limits it to 24 h.
  package var minimumWait: Duration?
  /// Which of the two set `minimumWait`, for `reddot why`.
  package var minimumWaitRule: MinimumWaitRule?
  /// RSS `skipHours`: hours 0 to 23, UTC.
  package var skipHours: Set<Int> = []
  /// RSS `skipDays`: 1 Monday to 7 Sunday, UTC.
  package var skipDays: Set<Int> = []
  /// HTTP 410, or a JSON Feed that says `expired`: the source is not polled again.
  package var isGone = false
  /// The exact time of the next messages (a schedule's next firing, or soon where a poll left some of what is there): the
  /// source is polled then, and not earlier unless the user asks.
  package var nextPoll: Date?
  /// The poll has read a part of what is there: it is continued at once from its position, in the same poll.
  package var hasMore = false
  /// How many parts one poll may have; nil: `Limits.pollParts`. What is left then waits for the next poll.
  package var partsAtMost: Int?
  /// How many requests the server still accepts.
  package var quota: RequestQuota?
  /// The server's clock: `Date` of its answer (RFC 9110 section 6.6.1).
  package var serverDate: Date?

  package init() {}

  /// The poll has read a part of what is there: it is continued at once, or where that is not possible, at `next`; nil:
  /// with the next poll.
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
  /// The server accepts no more requests for now, or said how seldom to ask.
  case requestLimit
}

extension FormatProblem {
  /// Ids of a feed that came for several entries.
  package static func repeated(ids: Int) -> FormatProblem {
    FormatProblem(at: "", message: repeatedIDs(ids))
  }

  package static func repeatedIDs(_ count: Int) -> String {
    (count == 1 ? "1 id came" : "\(count) ids came")
      + repeatedIDsEnding
  }

  private static let repeatedIDsEnding = " for more than one entry" + apart

  /// Whether it is about ids that came for several entries.
  package var isOfRepeatedIDs: Bool { message.hasSuffix(Self.repeatedIDsEnding) }

  /// An id that several entries of a document have.
  package static func repeated(id: RemoteID, entries: Int) -> FormatProblem {
    FormatProblem(at: "", message: "the id “\(id.text)” came for \(entries) entries" + apart)
  }

  private static let apart = "; reddot distinguishes these by title, date, link and text"

  /// An unknown key.
  package static func ignored(key path: String) -> FormatProblem {
    FormatProblem(at: path, message: "is unknown here and was ignored")
  }
}

/// What shows that a known id is that of another message now, since a server that was restored from a backup gives ids again.
package enum ReusedID: Sendable {
  /// Another date: that of a message never changes.
  case date
  /// Another title, and another date or link: of an edited message one of the two mostly stays.
  case titleAndDate
}

/// The content of a poll, to be recorded in one transaction.
package struct PollContent: Sendable {
  /// Oldest first: of two with the same time the later one is above.
  package var messages: [IncomingMessage]
  /// The messages of a large poll, instead of `messages`.
  package var stream: (any MessageStream)?
  /// The inbox's title from the server.
  package var title: String?
  /// The source's website.
  package var link: String?
  package var position: PollPosition
  package var problems: [FormatProblem]
  /// Paths of ignored keys (`$.list[*].color`), each once. The store decides which of them are new.
  package var ignoredKeys: [String] = []
  /// The number that an APNs badge set; 0 clears it, nil leaves it.
  package var badge: Int?
  /// Non-display notifications, in order of arrival.
  package var features: [FeatureNotice] = []
  /// A silent payload asked for a soft refresh of the source (`content-available: 1`).
  package var wantsRefresh = false
  /// The server has reset its ids. A message counts as known only if both id and content are the same.
  package var hasNewIDs = false
  /// nil: a known id is the known message, whatever has changed of it.
  package var reusedID: ReusedID?
  /// What the service says of the state of messages there.
  package var upstream: UpstreamState?
  /// What its publisher says of messages of this poll: whether what each reports is over. A message that is over is read,
  /// and says since when.
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

/// A received document, kept until the next valid one; its validators are those of the position.
package struct SourceDocument: Hashable, Sendable {
  /// The whole address of its request, with the query.
  package var address: String
  package var bytes: Data

  package init(address: String, bytes: Data) {
    self.address = address
    self.bytes = bytes
  }
}

/// A non-display notification: switches features, for a time and a channel.
///
/// Like a message it is identified by its remote id: a later one replaces it, even one without features.
package struct FeatureNotice: Hashable, Sendable {
  package var remoteID: RemoteID
  package var names: [String]
  package var isEnabled: Bool
  /// The free-form data, as JSON.
  package var data: String?
  /// Its channel; nil is all.
  package var channel: String?
  /// From when it is valid; nil is at once.
  package var visibleFrom: Date?
  /// Until when it is valid, if that does not depend on its arrival.
  package var expires: Date?
  /// How long it is valid, if that depends on its arrival.
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

/// A feature whose state has changed, with the notice that changed it.
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
  /// 304, or bytes equal to the last ones: nothing new. The position may still move (validators, redirects).
  case notModified(PollPosition, PollHints)
  /// Changes neither list, cursor, title nor dot. With `heldBack` in the hints it isn't a failure.
  case failed(FetchFailure, PollHints)

  /// The result for the timeline: a failure, or held back.
  package static func result(of failure: FetchFailure, _ hints: PollHints) -> PollAttempt.Result {
    hints.heldBack.map { .heldBack(until: $0.until, rule: .retryAfter(host: $0.host)) } ?? .failed(failure)
  }

  package var hints: PollHints {
    switch self {
    case .content(_, let hints), .notModified(_, let hints), .failed(_, let hints): hints
    }
  }
}
