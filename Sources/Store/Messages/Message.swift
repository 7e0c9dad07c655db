package import Foundation

/// A link of a message besides its own address.
package struct MessageAction: Hashable, Sendable, Codable {
  package var label: String
  /// Empty for an `upstream` action.
  package var url: String
  /// Not a link: an http request that is sent after the user has confirmed it, without any credential.
  package var request: ActionRequest?
  /// Not a link: an act that the message's service carries out, in the words of its adapter.
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
  package var isLink: Bool { request == nil && upstream == nil }
}

/// The request of an action, to the action's address.
package struct ActionRequest: Hashable, Sendable, Codable {
  /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
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
  /// The absolute address; any scheme, checked when it is opened.
  package var url: String
  /// Its media type as the source wrote it, such as `audio/mpeg`.
  package var type: String?
  /// In bytes.
  package var length: Int?
  /// In seconds.
  package var duration: Int?

  package init(url: String, type: String? = nil, length: Int? = nil, duration: Int? = nil) {
    self.url = url
    self.type = type
    self.length = length
    self.duration = duration
  }
}

/// One language's text of a message.
package struct Translation: Hashable, Sendable, Codable {
  /// The tag of the text for all other languages.
  package static let anyLanguage = "default"

  /// A BCP 47 tag as the source wrote it, or `anyLanguage`.
  package var language: String
  package var title: String
  package var body: String

  package init(language: String, title: String, body: String) {
    self.language = language
    self.title = title
    self.body = body
  }
}

/// A markup that is readable as text, so that the body contains it unchanged.
package enum TextFormat: String, Hashable, Sendable, Codable {
  case markdown
}

/// Fields that only few messages have, stored separately so that the others take less memory.
package struct MessageExtras: Hashable, Sendable, Codable {
  /// All translations in document order; empty when the source gave one text only.
  package var translations: [Translation] = []
  package var actions: [MessageAction] = []
  /// The data on those actions that are a recording, a video or a file; nil if there are none.
  package var enclosures: [Enclosure]?
  /// The address of an image that is fetched when the message is opened; or one that holds it, see ``PictureData``.
  package var poster: String?
  /// Unknown keys from the source, as one JSON object; shown on demand.
  package var unknownKeys: String?
  /// An APNs or in-app category that selects configured actions.
  package var category: String?
  /// The markup of the body; nil for plain text.
  package var format: TextFormat?
  /// Name of the sound to play on arrival; `default` is the terminal's bell.
  package var sound: String?
  /// Messages of one source with the same name here are one row of a list, where they stand one below the other.
  package var group: String?
  /// Which occasion it reports: where it differs from the stored one's, the message is news again and becomes unread,
  /// also if it was dismissed. With the same occasion a changed content is only an edit.
  package var occasion: String?
  /// What its service needs to act on it; opaque except to its adapter.
  package var handle: String?
  /// Where on this machine it comes from.
  package var pane: TerminalPane?
  /// The parts that the store cut or left out, in the order of `MessagePart`; nil if none. Only the store sets it.
  package var cut: [MessagePart]?

  package init(pane: TerminalPane? = nil) { self.pane = pane }

  package var isEmpty: Bool { self == MessageExtras() }
}

/// How long a message is shown, counted from its arrival. A redelivery does not extend it.
package enum Lifetime: Hashable, Sendable {
  /// Seconds after it first arrived.
  case afterArrival(Double)
  /// Seconds after it first became visible: after `visibleFrom`, or after its arrival if that is later.
  case afterAppearance(Double)
}

/// A message as a source delivered it, before it is stored.
package struct IncomingMessage: Hashable, Sendable {
  package var remoteID: RemoteID
  package var kind: MessageKind
  /// One line of plain text, entities decoded and markup resolved once; not yet sanitised for the terminal. Line ends become
  /// spaces.
  package var title: String { didSet { title = title.inOneLine } }
  /// Plain text as a terminal shows it, lines separated by `\n`; not yet sanitised.
  package var body: String
  /// The raw body if it was HTML.
  package var html: String?
  /// The absolute address of the message; any scheme, checked when it is opened.
  package var url: String?
  package var author: String?
  package var published: Date?
  package var updated: Date?
  package var priority: Priority = .normal
  package var tags: [String] = []
  package var channel: String?
  package var language: String?
  package var isDismissable = true
  /// Its source wants it listed and nobody told of its arrival; only a rule may tell. Not stored.
  package var isQuiet = false
  /// The parts of its entry that the document left out or wrote less precisely. Not stored.
  package var traits: EntryTraits = []
  package var standing: Standing = .normal
  private var box: Box?

  package var visibleFrom: Date? {
    get { box?.rare.visibleFrom }
    set { rare.visibleFrom = newValue }
  }
  package var expires: Date? {
    get { box?.rare.expires }
    set { rare.expires = newValue }
  }
  /// nil if only `expires` applies.
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

  /// What few messages have: it would be more than half of the memory of each.
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

  /// When it is no longer shown: the end of its lifetime, else `expires`.
  ///
  /// - Parameter received: when it first arrived.
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
  /// When it was first stored.
  package var received: Date
  package var isUnread: Bool
  package var isStarred: Bool
  package var isDismissed: Bool
  /// Not in the lists until then; nil if it isn't snoozed, or has come back.
  package var snoozedUntil: Date?
  /// The other sources that brought the same message, those first that brought it first.
  package var otherSources: [SourceID] = []
  /// When the trouble that it reported was over.
  package var resolved: Date?

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

  /// The time that is shown of it: when it was published, else when it came; of a reminder when it appears.
  package var time: Date { content.published ?? max(received, content.visibleFrom ?? received) }
}

/// The position of a message in lists: highest standing first, then newest, then last stored.
/// Lists are paged by this key, never by an offset.
package struct ListKey: Hashable, Comparable, Sendable {
  package var standing: Standing
  /// Milliseconds since 1970: the publication time, or the arrival if there is none or it is in the future.
  package var sortTime: Int64
  package var id: MessageID
  /// In a list by source: the source's place in the settings. 0 in all others.
  package var group: Int64

  package init(standing: Standing, sortTime: Int64, id: MessageID, group: Int64 = 0) {
    self.standing = standing
    self.sortTime = sortTime
    self.id = id
    self.group = group
  }

  /// Before the first message of every list, and after the last one.
  package static let beforeAll = ListKey(standing: .downtime, sortTime: .max, id: MessageID(.max))
  package static let afterAll = ListKey(standing: .normal, sortTime: .min, id: MessageID(.min))

  /// `a < b` if `a` is nearer to the end of a list that begins with the newest (is older).
  package static func < (a: Self, b: Self) -> Bool {
    (a.standing.rawValue, a.sortTime, a.id) < (b.standing.rawValue, b.sortTime, b.id)
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
  /// The other sources that brought the same message.
  package var otherSources: [SourceID] = []
  /// The name of the messages that are one row with this one, whatever their titles.
  package var group: String?
  /// Of a service's message: its feed, application or topic there; of a desktop's notice its program.
  package var channel: String?
  /// Where the row stands for several messages with the same title or group: all of them, the first one included.
  /// Else empty.
  package var members: [MessageRow] = []

  package var id: MessageID { key.id }

  /// The messages that the row stands for.
  package var all: [MessageRow] { members.isEmpty ? [self] : members }

  package func standsFor(_ id: MessageID) -> Bool { self.id == id || members.contains { $0.id == id } }

  /// The time that the list shows: published, or received; of a snoozed message when it returns, of a dismissed one when
  /// that was done.
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
