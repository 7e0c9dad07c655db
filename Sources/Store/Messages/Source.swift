package import Foundation

/// The poll settings; each can be set for all sources and for one.
package struct PollSettings: Hashable, Sendable, Codable {
  /// The time from the program's start to the first poll.
  package var initialDelay: Duration = .seconds(1)
  /// The time from the end of a poll to the next periodic one, before jitter.
  package var interval: Duration = .seconds(600)
  /// The grace period: a soft refresh within this time of the last attempt does nothing.
  package var grace: Duration = .seconds(180)
  /// The time for one request, from the first byte sent to the last byte read, even if the server is silent.
  package var requestTimeout: Duration = .seconds(60)
  /// The time for one poll with all its requests.
  package var pollDeadline: Duration = .seconds(150)
  /// The largest response, in bytes, after decompression.
  package var responseLimit: Int = 64 << 20

  package init() {}
}

/// The channels of a source whose messages are shown.
package enum ShownChannels: Hashable, Sendable {
  case all
  /// The settings list none: every channel of plain messages, and in-app notifications for all users.
  case unnamed
  case named(Set<String>)

  /// - Parameter isInApp: whether the channel is that of an in-app notification.
  package func contains(_ channel: String, isInApp: Bool) -> Bool {
    switch self {
    case .all: true
    case .unnamed: !isInApp || channel == "general"
    case .named(let channels): channels.contains(channel)
    }
  }
}

/// All settings of a source except its name. Storage has a column for each field, and one for all of `options`.
package struct SourceSettings: Hashable, Sendable {
  package var kind: SourceKind
  /// An http, https, http+unix or file URL; empty for `local`.
  package var address: String
  @CopyOnWrite package var polling: PollSettings
  /// The title in lists, or `nil` for the server's title or, if it has none, the source's name.
  package var title: String?
  /// The folder, or `nil` at the top level.
  package var folder: Folder?
  /// Whether a message becomes unread again when it arrives with changed content.
  package var isUnreadOnChange = false
  /// The channels that the settings list; empty if they list none. See `shownChannels`.
  package var channels: [String] = []
  /// The names of the message kinds that in-app type numbers stand for, if they differ from the default
  /// mapping.
  package var typeNames: [Int: String] = [:]
  /// The version that banner conditions compare with.
  package var appVersion: String?
  @CopyOnWrite package var options: SourceOptions

  private static let defaultPolling = CopyOnWrite(wrappedValue: PollSettings())
  private static let noOptions = CopyOnWrite(wrappedValue: SourceOptions())

  package init(kind: SourceKind = .feed, address: String = "", polling: PollSettings = PollSettings()) {
    self.kind = kind
    self.address = address
    (_polling, _options) = (Self.defaultPolling, Self.noOptions)
    self.polling = polling
  }

  package var retention: Retention {
    get { Retention(age: options.keep.map { .seconds($0) }, count: options.keepMessages) }
    set {
      options.keep = newValue.age.map { $0 / .seconds(1) }
      options.keepMessages = newValue.count
    }
  }

  /// The maximum number of new messages that its polls add within 24 hours. See `pause(after:at:)`.
  package var dailyLimit: Int {
    get { options.dailyLimit ?? Self.dailyMessages }
    set { options.dailyLimit = newValue == Self.dailyMessages ? nil : newValue }
  }

  /// The default of `dailyLimit`: more than any user reads, and a tenth of what an endless server can send in half a
  /// minute.
  package static let dailyMessages = 50_000
  /// The number of bytes of text for which a message counts once in `dailyLimit`; a longer message counts as
  /// several.
  package static let dailyBytesOfMessage = 4096

  /// Returns the time until which a source that has reached `dailyLimit` is not polled, or `nil` if it has not.
  ///
  /// Only sources whose server keeps the rest are limited, and only between two documents, so that no message is lost.
  package func pause(after day: PollDay?, at now: Date) -> Date? {
    // A clock that was set back must not make this longer than a day.
    guard let day, kind.row.hasBacklog, !isLocalFile, day.start <= now + 5, now < day.end else { return nil }
    let isFull = day.messages >= dailyLimit || day.bytes / Self.dailyBytesOfMessage >= dailyLimit
    return isFull ? day.end : nil
  }

  /// The URL for display, without user name and password.
  package var shownAddress: String {
    guard address.contains("@"), var parts = URLComponents(string: address), parts.user != nil else {
      return address
    }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
    return parts.string ?? address
  }

  /// Whether it is polled only when the user requests it.
  package var isPaused: Bool {
    get { options.paused == true }
    set { options.paused = newValue ? true : nil }
  }

  /// Whether the user is notified of its new messages.
  package var notifies: Bool {
    get { options.notify == true }
    set { options.notify = newValue ? true : nil }
  }

  /// Whether opening a message shows the article of its page.
  package var showsArticles: Bool {
    get { options.fullText == true }
    set { options.fullText = newValue ? true : nil }
  }

  /// Whether its messages are merged with duplicates from other sources.
  package var joinsOthers: Bool {
    get { options.dedupe != false }
    set { options.dedupe = newValue ? nil : false }
  }

  /// Whether its messages can be duplicates of those from other sources. Pushed messages never are.
  package var isDeduplicated: Bool { joinsOthers && kind.row.isPolled }

  /// The acts of the user that are sent to its service.
  package var writableMarks: WritableMarks {
    get { WritableMarks(rawValue: options.carries ?? 0) }
    set { options.carries = newValue.isEmpty ? nil : newValue.rawValue }
  }

  package var isStreamed: Bool {
    get { options.stream == true }
    set { options.stream = newValue ? true : nil }
  }

  /// The channels whose messages are shown. For a service and for this machine's desktop, all are shown.
  package var shownChannels: ShownChannels {
    if kind.row.showsAllChannels { return .all }
    return channels.isEmpty ? .unnamed : .named(Set(channels))
  }

  /// Whether reddot acts as the notification daemon if there is none.
  package var ownsDesktop: Bool {
    get { options.own == true }
    set { options.own = newValue ? true : nil }
  }

  /// Whether marks of its messages are synchronised between the user's machines.
  package var isSynced: Bool {
    options.sync
      ?? (options.syncAs != nil || isShared || kind.row.travels && !isLocalFile)
  }

  /// Whether messages pushed into it appear on all machines that have a source with its name.
  package var isShared: Bool {
    get { options.shared == true }
    set { options.shared = newValue ? true : nil }
  }

  /// The time of notifications about events without an alarm.
  package var reminder: EventReminder {
    get { options.remind ?? .before(seconds: 600) }
    set { options.remind = newValue == .before(seconds: 600) ? nil : newValue }
  }

  /// The time of day of notifications about all-day events, in minutes since midnight.
  package var dayStartMinutes: Int {
    get { min(1439, max(0, options.dayStart ?? 540)) }
    set { options.dayStart = newValue == 540 ? nil : newValue }
  }

  /// Whether the certificates of its server are verified.
  package var verifiesCertificates: Bool {
    get { options.verify != false }
    set { options.verify = newValue ? nil : false }
  }

  /// Whether it is a local file, which has no server and so no grace period.
  package var isLocalFile: Bool { address.hasPrefix("file:") }
}

/// The time of the notification about an event that has no alarm.
package enum EventReminder: Hashable, Sendable, Codable {
  case off
  case before(seconds: Int)

  /// The number of seconds before the event, or `nil` for no notification.
  package var seconds: Int? {
    if case .before(let seconds) = self { seconds } else { nil }
  }
}

/// Rarely used settings of a source. They are stored together as one JSON text, so that a new one needs no column.
package struct SourceOptions: Hashable, Sendable, Codable {
  /// The maximum age of kept messages, in seconds since their arrival; see `Retention`.
  package var keep: Double?
  package var keepMessages: Int?
  /// The maximum number of new messages within 24 hours, or `nil` for `SourceSettings.dailyMessages`.
  package var dailyLimit: Int?
  /// The URL of its web page, or `nil` for that from the server.
  package var page: String?
  /// The additional folders in which an export lists it.
  package var alsoIn: [String]?
  package var paused: Bool?
  /// Whether opening a message shows the article of its page.
  package var fullText: Bool?
  package var notify: Bool?
  /// Whether its messages are merged with duplicates from other sources; `nil` means yes.
  package var dedupe: Bool?
  /// The acts of the user that its service takes over, as `WritableMarks`; `nil` means none.
  package var carries: Int?
  /// Whether its service's push channel is held open while the inbox runs.
  package var stream: Bool?
  /// The program of a `command` and its arguments.
  package var command: [String]?
  /// The output format of a `command`; `nil` means JSON lines or a feed.
  package var format: String?
  /// The path of a PEM file of certificates that are trusted in addition to the system's.
  package var caFile: String?
  /// The path of a PEM file with the client's certificate, and its key if `clientKey` is `nil`.
  package var clientCertificate: String?
  /// The path of a PEM file with the key of `clientCertificate`.
  package var clientKey: String?
  /// Whether the server's certificate is verified; `nil` means yes.
  package var verify: Bool?
  /// Whether its marks are synchronised; `nil` means the default of its kind.
  package var sync: Bool?
  /// The name that identifies the source among the user's machines: sources that set the same name are the
  /// same one, whatever their URLs are.
  package var syncAs: String?
  /// The time of a calendar's notifications; `nil` means ten minutes before.
  package var remind: EventReminder?
  /// The time of day of notifications about a calendar's all-day events, in minutes since midnight;
  /// `nil` means nine in the morning.
  package var dayStart: Int?
  /// Whether messages pushed into a local source appear on all machines that have a source with its name.
  package var shared: Bool?
  /// The programs whose desktop notifications are kept, or `nil` for all, and the programs whose notifications are not.
  package var only: [String]?
  package var except: [String]?
  /// Whether reddot acts as the notification daemon if there is none; `nil` means no.
  package var own: Bool?
  /// Whether the settings contain a token or a password for its server; `nil` means no.
  package var hasCredential: Bool?

  package init() {}
}

/// One configured source. The fields of its settings can be accessed as its own.
@dynamicMemberLookup
package struct Source: Hashable, Sendable {
  /// The id of a configured source that isn't in the database yet.
  package static let unregistered = SourceID(0)

  package var id: SourceID
  /// The unique name, which identifies the source in settings, commands and JSON.
  package var name: String
  package var settings: SourceSettings

  package init(id: SourceID, name: String, settings: SourceSettings) {
    self.id = id
    self.name = name
    self.settings = settings
  }

  package init(id: SourceID, name: String, kind: SourceKind, address: String) {
    self.init(id: id, name: name, settings: SourceSettings(kind: kind, address: address))
  }

  package subscript<Value>(dynamicMember field: KeyPath<SourceSettings, Value>) -> Value {
    settings[keyPath: field]
  }

  package subscript<Value>(dynamicMember field: WritableKeyPath<SourceSettings, Value>) -> Value {
    get { settings[keyPath: field] }
    set { settings[keyPath: field] = newValue }
  }
}

/// The position for the next request, from the last responses. It is opaque except to the service that wrote it.
package struct Cursor: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// Validators for conditional requests, stored and sent back byte for byte (RFC 9110 sections 8.8.2 and 8.8.3).
package struct Validators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?

  package init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// The state that makes the next poll incremental; it is written in the same transaction as the messages.
package struct PollPosition: Hashable, Sendable {
  package var cursor: Cursor?
  package var validators: Validators
  /// The target of a permanent redirect in the last polls, and the number of polls in a row.
  package var movedTo: String?
  package var movedCount: Int
  /// Whether the poll at this position has already stored a part. This is not stored itself.
  package var isContinued = false

  package init(
    cursor: Cursor? = nil, validators: Validators = Validators(), movedTo: String? = nil, movedCount: Int = 0
  ) {
    self.cursor = cursor
    self.validators = validators
    self.movedTo = movedTo
    self.movedCount = movedCount
  }

  /// The URL to use instead of the configured one, after 3 polls in a row with a 301 or 308.
  package var permanentAddress: String? { movedCount >= 3 ? movedTo : nil }
}
