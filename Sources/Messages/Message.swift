package import Foundation

/// A link that a message offers beside its own.
package struct MessageAction: Hashable, Sendable, Codable {
  package var label: String
  package var url: String

  package init(label: String, url: String) {
    self.label = label
    self.url = url
  }
}

/// One language's text of a message.
package struct Translation: Hashable, Sendable, Codable {
  /// The tag of a text for whoever reads none of the others.
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

/// A markup that people read as it is written, so that it stands in the body as it came.
package enum TextFormat: String, Hashable, Sendable, Codable {
  case markdown
}

/// What only few messages carry, kept apart so that the others stay small in memory.
package struct MessageExtras: Hashable, Sendable, Codable {
  /// All translations in document order; empty when the source gave one text only.
  package var translations: [Translation] = []
  package var actions: [MessageAction] = []
  /// Image address, fetched when the message is opened.
  package var poster: String?
  /// What the source sent beyond the known keys, as one JSON object; shown on demand.
  package var unknownKeys: String?
  /// An APNs or in-app category that selects configured actions.
  package var category: String?
  /// What the body is written in; nil where it is plain text.
  package var format: TextFormat?
  /// Name of the sound to play on arrival; `default` is the terminal's bell.
  package var sound: String?
  /// What the store cut or left out, in the parts' own order; nil where all was kept. No source sets it.
  package var cut: [MessagePart]?

  package init() {}

  package var isEmpty: Bool { self == MessageExtras() }
}

/// How long a message is shown, where its source counts from when it came here. A redelivery does not lengthen it.
package enum Lifetime: Hashable, Sendable {
  /// Seconds after it first arrived.
  case afterArrival(Double)
  /// Seconds after it could first be seen: from `visibleFrom` on, or from its arrival where that is later.
  case afterAppearance(Double)
}

/// A message as a source delivered it, before it is stored.
package struct IncomingMessage: Hashable, Sendable {
  package var remoteID: RemoteID
  package var kind: MessageKind
  /// Plain text, entities decoded and markup resolved once; not yet sanitised for the terminal.
  package var title: String
  /// Plain text as a terminal shows it, lines separated by `\n`; not yet sanitised.
  package var body: String
  /// The raw body where it was HTML.
  package var html: String?
  /// Absolute address of the message; any scheme, judged when it is opened.
  package var url: String?
  package var author: String?
  package var published: Date?
  package var updated: Date?
  package var priority: Priority = .normal
  package var tags: [String] = []
  package var channel: String?
  package var language: String?
  package var visibleFrom: Date?
  package var expires: Date?
  /// Nil where `expires` says all.
  package var lifetime: Lifetime?
  package var isDismissable = true
  package var standing: Standing = .normal
  package var extras: MessageExtras?

  package init(remoteID: RemoteID, kind: MessageKind, title: String, body: String = "") {
    self.remoteID = remoteID
    self.kind = kind
    self.title = title
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

/// A stored message, whole: what the reader shows and `--json` prints.
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
  /// Off the lists until then; nil where nobody snoozed it, or it has come back.
  package var snoozedUntil: Date?

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
}

/// Where a message stands in every list: highest standing first, then newest, then last stored.
/// Lists page by this key and never by an offset.
package struct ListKey: Hashable, Comparable, Sendable {
  package var standing: Standing
  /// Milliseconds since 1970: the publication time, or the arrival where there is none or it lies ahead.
  package var sortTime: Int64
  package var id: MessageID

  package init(standing: Standing, sortTime: Int64, id: MessageID) {
    self.standing = standing
    self.sortTime = sortTime
    self.id = id
  }

  /// `a < b` where `a` stands nearer to the list's end (is older).
  package static func < (a: Self, b: Self) -> Bool {
    (a.standing.rawValue, a.sortTime, a.id) < (b.standing.rawValue, b.sortTime, b.id)
  }
}

/// One row of a list: what a line of it shows, and nothing more.
package struct MessageRow: Hashable, Sendable {
  package var key: ListKey
  package var source: SourceID
  package var kind: MessageKind
  package var title: String
  package var isUnread: Bool
  package var isStarred: Bool
  package var isDismissable: Bool
  package var priority: Priority

  package var id: MessageID { key.id }

  /// The time that the list shows: published, or received.
  package var time: Date { Date(timeIntervalSince1970: Double(key.sortTime) / 1000) }

  package init(
    key: ListKey, source: SourceID, kind: MessageKind, title: String, isUnread: Bool, isStarred: Bool,
    isDismissable: Bool = true, priority: Priority = .normal
  ) {
    self.key = key
    self.source = source
    self.kind = kind
    self.title = title
    self.isUnread = isUnread
    self.isStarred = isStarred
    self.isDismissable = isDismissable
    self.priority = priority
  }
}
