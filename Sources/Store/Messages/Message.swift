package import Basics
package import Foundation

/// A button of a message: usually a link besides the message's own URL.
package struct MessageAction: Hashable, Sendable, Codable {
  package var label: String
  /// The URL; empty for an `upstream` action.
  package var url: String
  /// An http request that is sent after the user has confirmed it, without any credential. The action is not a link
  /// then.
  package var request: ActionRequest?
  /// An action that the message's service carries out, in a form that only its adapter interprets. The action is not a
  /// link then.
  package var upstream: String?

  package init(
    label: String, url: String, request: ActionRequest? = nil, upstream: String? = nil
  ) {
    self.label = label
    self.url = url
    self.request = request
    self.upstream = upstream
  }
}

extension MessageAction {
  /// The name of the action that ends the notifications of a thread at its service.
  package static let mute = "mute"

  package var isLink: Bool { request == nil && upstream == nil }
}

/// The request of an action, to the action's URL.
package struct ActionRequest: Hashable, Sendable, Codable {
  /// The method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
  package var method: String
  package var headers: [String: String]
  package var body: String?

  package init(method: String, headers: [String: String] = [:], body: String? = nil) {
    self.method = method
    self.headers = headers
    self.body = body
  }
}

/// A recording, a video or a file of a message.
package struct Enclosure: Hashable, Sendable, Codable {
  /// The absolute URL with any scheme, which is checked when it is opened.
  package var url: String
  /// The media type as the source wrote it, for example `audio/mpeg`.
  package var type: String?
  /// The length in bytes.
  package var length: Int?
  /// The duration in seconds.
  package var duration: Int?

  package init(url: String, type: String? = nil, length: Int? = nil, duration: Int? = nil) {
    self.url = url
    self.type = type
    self.length = length
    self.duration = duration
  }
}

/// A markup language that is readable as text, so that the body contains it unchanged.
package enum TextFormat: String, Hashable, Sendable, Codable {
  case markdown
}

/// The fields that only few messages have, stored separately so that the others take less memory.
package struct MessageExtras: Hashable, Sendable, Codable {
  /// All translations in document order; empty if the source has text in only one language.
  package var translations: [LocalizedText] = []
  package var actions: [MessageAction] = []
  /// The attachments: further data on those of `actions` that are a recording, a video or a file. `nil` if
  /// there are none.
  package var enclosures: [Enclosure]?
  /// The URL of an image that is fetched when the message is opened, or one that contains the image, see
  /// ``PictureData``.
  package var poster: String?
  /// The unknown keys from the source, as one JSON object; shown on demand.
  package var unknownKeys: String?
  /// An APNs or in-app category that selects configured actions.
  package var category: String?
  /// The markup of the body, or `nil` for plain text.
  package var format: TextFormat?
  /// The name of the sound to play on arrival; `default` is the terminal's bell.
  package var sound: String?
  /// The group. Consecutive messages of one source with the same group form one row of a list.
  package var group: String?
  /// The reported occasion. If it differs from the stored one, the message becomes unread again, even if it was
  /// dismissed. With the same occasion, changed content is only an edit.
  package var occasion: String?
  /// The data that the message's service needs to perform acts on it; opaque except to the service's adapter.
  package var handle: String?
  /// The terminal pane on this machine that it comes from.
  package var pane: TerminalPane?
  /// The parts that the store cut or left out, in the order of `MessagePart`, or `nil` if none. Only the store sets it.
  package var cut: [MessagePart]?

  package init(pane: TerminalPane? = nil) { self.pane = pane }

  package var isEmpty: Bool { self == MessageExtras() }
}

/// The time for which a message is shown, counted from its arrival. A redelivery does not extend it.
package enum Lifetime: Hashable, Sendable {
  /// Seconds after its first arrival.
  case afterArrival(Double)
  /// Seconds after it first became visible: after `visibleFrom`, or after its arrival if that is later.
  case afterAppearance(Double)
}

/// A message as a source delivered it, before it is stored.
package struct IncomingMessage: Hashable, Sendable {
  package var remoteID: RemoteID
  package var kind: MessageKind
  /// The title: one line of plain text, with entities decoded and markup resolved once. Line ends become spaces; it is
  /// not yet sanitised for the terminal.
  package var title: String { didSet { title = title.inOneLine } }
  /// The body: plain text as a terminal shows it, with lines separated by `\n`; not yet sanitised.
  package var body: String
  /// The raw body if it was HTML.
  package var html: String?
  /// The absolute URL of the message with any scheme, which is checked when it is opened.
  package var url: String?
  package var author: String?
  package var published: Date?
  package var updated: Date?
  package var priority: Priority = .normal
  package var tags: [String] = []
  package var channel: String?
  package var language: String?
  package var isDismissable = true
  /// Whether the message's source wants no notification of its arrival; only a rule may send one. Not stored.
  package var isQuiet = false
  /// Whether it is the question of a program that waits for the answer; no rule hides it. Not stored.
  package var isQuestion = false
  /// Whether a program waits for the user's answer, given in the inbox or in the program itself. Not stored.
  package var isWaiting = false
  /// The parts of the entry that the document left out or wrote less precisely. Not stored.
  package var traits: EntryTraits = []
  package var rank: Rank = .normal
  private var box: Box?

  package var visibleFrom: Date? {
    get { box?.rare.visibleFrom }
    set { rare.visibleFrom = newValue }
  }
  package var expires: Date? {
    get { box?.rare.expires }
    set { rare.expires = newValue }
  }
  /// The lifetime, or `nil` if only `expires` applies.
  package var lifetime: Lifetime? {
    get { box?.rare.lifetime }
    set { rare.lifetime = newValue }
  }
  package var extras: MessageExtras? {
    get { box?.rare.extras }
    set { rare.extras = newValue }
  }
  /// The title of an entry without an id and a link, as earlier versions read it: see `formerIDs`. Not stored.
  package var formerTitle: String? {
    get { box?.rare.formerTitle }
    set { rare.formerTitle = newValue }
  }

  /// The fields that few messages have: they would be more than half of each message's memory.
  private struct Rare: Hashable, Sendable {
    var visibleFrom: Date?
    var expires: Date?
    var lifetime: Lifetime?
    var extras: MessageExtras?
    var formerTitle: String?

    var isEmpty: Bool {
      visibleFrom == nil && expires == nil && lifetime == nil && extras == nil && formerTitle == nil
    }
  }

  private final class Box: Hashable, Sendable {
    let rare: Rare

    init(_ rare: Rare) { self.rare = rare }

    static func == (a: Box, b: Box) -> Bool { a === b || a.rare == b.rare }
    func hash(into hasher: inout Hasher) { hasher.combine(rare) }
  }

  private var rare: Rare {
    get { box?.rare ?? Rare() }
    set { box = newValue.isEmpty ? nil : Box(newValue) }
  }

  package init(remoteID: RemoteID, kind: MessageKind, title: String, body: String = "") {
    self.remoteID = remoteID
    self.kind = kind
    self.title = title.inOneLine
    self.body = body
  }

  /// Returns the time from which the message is no longer shown: the end of its lifetime, or `expires` if it
  /// has none.
  ///
  /// - Parameter received: the time of its first arrival.
  package func expiry(received: Date) -> Date? {
    switch lifetime {
    case .afterArrival(let seconds)?: received.addingTimeInterval(seconds)
    case .afterAppearance(let seconds)?:
      max(received, visibleFrom ?? received).addingTimeInterval(seconds)
    case nil: expires
    }
  }
}

/// A complete stored message, as the reader shows it and `--json` prints it.
package struct Message: Hashable, Sendable {
  package var id: MessageID
  package var source: SourceID
  /// The name of its source in the settings.
  package var sourceName: String
  package var content: IncomingMessage
  /// The time of its first storage.
  package var received: Date
  package var isUnread: Bool
  package var isStarred: Bool
  package var isDismissed: Bool
  /// The time until which lists leave it out, or `nil` if it isn't snoozed or has returned.
  package var snoozedUntil: Date?
  /// The other sources of the same message, in the order in which they delivered it.
  package var otherSources: [SourceID] = []
  /// The time at which the reported problem was resolved.
  package var resolved: Date?
  /// The answers and the state of a program's question, or `nil` if the message is not a question.
  package var question: ProgramQuestion?

  package init(
    id: MessageID, source: SourceID, sourceName: String, content: IncomingMessage, received: Date,
    isUnread: Bool, isStarred: Bool, isDismissed: Bool
  ) {
    self.id = id
    self.source = source
    self.sourceName = sourceName
    self.content = content
    self.received = received
    self.isUnread = isUnread
    self.isStarred = isStarred
    self.isDismissed = isDismissed
  }

  /// The time that is shown: the publication, or the arrival if there is none; for a reminder, the time from which it
  /// is visible.
  package var time: Date { content.published ?? max(received, content.visibleFrom ?? received) }
}

/// The position of a message in lists: highest rank first, then newest, then last stored.
/// Lists are paged by this key, never by an offset.
package struct ListKey: Hashable, Comparable, Sendable {
  package var rank: Rank
  /// The time in milliseconds since 1970: the publication, or the arrival if there is none or it is in the future.
  package var sortTime: Int64
  package var id: MessageID
  /// The source's position in the settings, in a list by source; 0 in all others.
  package var group: Int64

  package init(rank: Rank, sortTime: Int64, id: MessageID, group: Int64 = 0) {
    self.rank = rank
    self.sortTime = sortTime
    self.id = id
    self.group = group
  }

  /// The position before the first message of every list, and the one after the last.
  package static let beforeAll = ListKey(rank: .downtime, sortTime: .max, id: MessageID(.max))
  package static let afterAll = ListKey(rank: .normal, sortTime: .min, id: MessageID(.min))

  /// `a < b` if `a` is nearer to the end of a list that begins with the newest, which means that it is older.
  package static func < (a: Self, b: Self) -> Bool {
    (a.rank.rawValue, a.sortTime, a.id) < (b.rank.rawValue, b.sortTime, b.id)
  }
}

/// One row of a list, with only the fields that it shows.
package struct MessageRow: Hashable, Sendable {
  package var key: ListKey
  package var source: SourceID
  package var kind: MessageKind
  package var title: String
  package var isUnread: Bool
  package var isStarred: Bool
  package var isDismissable: Bool
  package var priority: Priority
  /// The other sources of the same message.
  package var otherSources: [SourceID] = []
  /// The name that joins messages into one row, whatever their titles are.
  package var group: String?
  /// The feed, application or topic of a service's message, or the program of a desktop notification.
  package var channel: String?
  /// The question of a program, while it waits and after it ended.
  package var question: ProgramQuestion?
  /// The messages with the same title or group that the row represents, including the first one. It is empty if the row
  /// represents only one message.
  package var members: [MessageRow] = []

  package var id: MessageID { key.id }

  /// All messages that the row represents.
  package var all: [MessageRow] { members.isEmpty ? [self] : members }

  /// Whether the row represents this message.
  package func standsFor(_ id: MessageID) -> Bool { self.id == id || members.contains { $0.id == id } }

  /// The time that the list shows: that of publication or arrival, of the return of a snoozed message, or of the
  /// dismissal of a dismissed one.
  package var time: Date

  package init(
    key: ListKey, source: SourceID, kind: MessageKind, title: String, isUnread: Bool, isStarred: Bool,
    isDismissable: Bool = true, priority: Priority = .normal, group: String? = nil,
    channel: String? = nil,
    time: Date? = nil, otherSources: [SourceID] = []
  ) {
    self.otherSources = otherSources
    self.key = key
    self.time = time ?? Date(timeIntervalSince1970: Double(key.sortTime) / 1000)
    self.source = source
    self.kind = kind
    self.title = title
    self.isUnread = isUnread
    self.isStarred = isStarred
    self.isDismissable = isDismissable
    self.priority = priority
    self.group = group
    self.channel = channel
  }
}
