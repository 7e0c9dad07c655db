package import Foundation

/// The settings of polling; each can be set for all sources and for one.
package struct PollSettings: Hashable, Sendable, Codable {
  /// From the program's start to the first poll.
  package var initialDelay: Duration = .seconds(1)
  /// From the end of a poll to the next periodic one, before jitter.
  package var interval: Duration = .seconds(600)
  /// A soft refresh within this time of the last attempt does nothing.
  package var grace: Duration = .seconds(180)
  /// For one request, from the first byte sent to the last byte read, also if the server is silent.
  package var requestTimeout: Duration = .seconds(60)
  /// For one poll with all its requests.
  package var pollDeadline: Duration = .seconds(150)
  /// The largest response, in bytes, after decompression.
  package var responseLimit: Int = 64 << 20

  package init() {}
}

/// The channels of a source whose messages are shown.
package enum ShownChannels: Hashable, Sendable {
  case all
  /// The settings name none: every channel of plain messages, and in-app notifications for everybody.
  case unnamed
  case named(Set<String>)

  /// - Parameter isInApp: of an in-app notification.
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
  /// Its title in lists; nil is the server's title, else its name.
  package var title: String?
  /// nil: at the top level.
  package var folder: Folder?
  /// A message that arrives again with changed content becomes unread again.
  package var isUnreadOnChange = false
  /// The channels that its settings name; empty: none. See `shownChannels`.
  package var channels: [String] = []
  /// In-app type numbers to kinds, if they differ from the default mapping.
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

  /// More than any person reads, and a tenth of what a server that always has more can send in half a minute.
  package static let dailyMessages = 50_000
  /// The bytes of text that count as one message; a longer message counts as several.
  package static let dailyBytesOfMessage = 4096

  /// Returns the time until which a source that has reached `dailyLimit` is not polled, or `nil` if it has not.
  ///
  /// Only sources whose server keeps the rest are limited, and only between two documents, so that nothing is lost by it.
  package func pause(after day: PollDay?, at now: Date) -> Date? {
    // A clock that was set back must not make this longer than a day.
    guard let day, kind.row.hasBacklog, !isLocalFile, day.start <= now + 5, now < day.end else { return nil }
    let isFull = day.messages >= dailyLimit || day.bytes / Self.dailyBytesOfMessage >= dailyLimit
    return isFull ? day.end : nil
  }

  /// The address as people may see it: without a user's name and password.
  package var shownAddress: String {
    guard address.contains("@"), var parts = URLComponents(string: address), parts.user != nil else {
      return address
    }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
    return parts.string ?? address
  }

  /// Polled only when somebody asks for it.
  package var isPaused: Bool {
    get { options.paused == true }
    set { options.paused = newValue ? true : nil }
  }

  /// The person is told of its new messages.
  package var tells: Bool {
    get { options.notify == true }
    set { options.notify = newValue ? true : nil }
  }

  /// Opening a message shows the article of its page.
  package var showsArticles: Bool {
    get { options.fullText == true }
    set { options.fullText = newValue ? true : nil }
  }

  /// Whether a message that other sources brought too is one with theirs.
  package var joinsOthers: Bool {
    get { options.dedupe != false }
    set { options.dedupe = newValue ? nil : false }
  }

  /// Whether its messages can be the same as those of other sources. What is pushed stands by itself.
  package var isDeduplicated: Bool { joinsOthers && kind.row.isPolled }

  /// The acts of the user that are sent to its service.
  package var carries: CarriedActs {
    get { CarriedActs(rawValue: options.carries ?? 0) }
    set { options.carries = newValue.isEmpty ? nil : newValue.rawValue }
  }

  package var isStreamed: Bool {
    get { options.stream == true }
    set { options.stream = newValue ? true : nil }
  }

  /// The channels whose messages are shown: all of a service's own, and all projects and programs of this machine.
  package var shownChannels: ShownChannels {
    if kind.row.showsAllChannels { return .all }
    return channels.isEmpty ? .unnamed : .named(Set(channels))
  }

  /// Whether it is a notification daemon where there is none.
  package var ownsDesktop: Bool {
    get { options.own == true }
    set { options.own = newValue ? true : nil }
  }

  /// Whether marks of its messages are the same on all machines of the person.
  package var isSynced: Bool {
    options.sync
      ?? (options.syncAs != nil || isShared || kind.row.travels && !isLocalFile)
  }

  /// Pushes into it appear on all machines that name it so.
  package var isShared: Bool {
    get { options.shared == true }
    set { options.shared = newValue ? true : nil }
  }

  /// When events of a calendar are told of that have no alarm.
  package var reminder: EventReminder {
    get { options.remind ?? .before(seconds: 600) }
    set { options.remind = newValue == .before(seconds: 600) ? nil : newValue }
  }

  /// When whole days of a calendar are told of, in minutes since midnight.
  package var dayStartMinutes: Int {
    get { min(1439, max(0, options.dayStart ?? 540)) }
    set { options.dayStart = newValue == 540 ? nil : newValue }
  }

  /// Whether the certificates of its server are verified.
  package var verifiesCertificates: Bool {
    get { options.verify != false }
    set { options.verify = newValue ? nil : false }
  }

  /// Whether it is a local file, which has no server and so no grace.
  package var isLocalFile: Bool { address.hasPrefix("file:") }
}

/// When an event without an alarm of its own is told of.
package enum EventReminder: Hashable, Sendable, Codable {
  case off
  case before(seconds: Int)

  /// nil: never.
  package var seconds: Int? {
    if case .before(let seconds) = self { seconds } else { nil }
  }
}

/// Rarely used settings of a source. Stored together as one JSON text, so that a new one needs no column.
package struct SourceOptions: Hashable, Sendable, Codable {
  /// Seconds from the arrival of a message; see `Retention`.
  package var keep: Double?
  package var keepMessages: Int?
  /// The maximum of new messages within 24 hours, or `nil` for `SourceSettings.dailyMessages`.
  package var dailyLimit: Int?
  /// The address of its web page; nil: what the server says.
  package var page: String?
  /// Other folders than its own that an export names it in.
  package var alsoIn: [String]?
  package var paused: Bool?
  package var fullText: Bool?
  package var notify: Bool?
  /// Whether a message that another source brought too is one with it; nil: it is.
  package var dedupe: Bool?
  /// The acts of the user that its service takes over, as `CarriedActs`; nil: none.
  package var carries: Int?
  /// Whether its service's push channel is held open while the inbox runs.
  package var stream: Bool?
  /// Of a `command`: the program and its arguments.
  package var command: [String]?
  /// Of a `command`: how its output is read; nil: as JSON lines or a feed.
  package var format: String?
  /// The path of a file of certificates (PEM) that are trusted besides the system's.
  package var caFile: String?
  /// The path of a file with the client's certificate (PEM), and its key where `clientKey` is nil.
  package var clientCertificate: String?
  package var clientKey: String?
  /// Whether the server's certificate is verified; nil: it is.
  package var verify: Bool?
  /// Whether other machines hear of its marks; nil: as its kind is.
  package var sync: Bool?
  /// The same source on all machines that say so, whatever its address.
  package var syncAs: String?
  /// Of a calendar: nil: ten minutes before.
  package var remind: EventReminder?
  /// Of a calendar: minutes since midnight; nil: nine in the morning.
  package var dayStart: Int?
  /// Of a local source: pushes into it appear on all machines that name it so.
  package var shared: Bool?
  /// Of the desktop's notices: the programs whose notices are kept, nil: all; and those whose aren't.
  package var only: [String]?
  package var except: [String]?
  /// Whether reddot takes the place of a notification daemon where there is none; nil: it doesn't.
  package var own: Bool?
  /// Whether the settings have a token or a password for its server; nil: they don't.
  package var hasCredential: Bool?

  package init() {}
}

/// One configured source. The fields of its settings can be accessed as its own.
@dynamicMemberLookup
package struct Source: Hashable, Sendable {
  /// The id of a configured source that isn't in the database yet.
  package static let unregistered = SourceID(0)

  package var id: SourceID
  /// Unique; identifies the source in settings, commands and JSON.
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

/// The position for the next request, from the last responses. Opaque except to the service that wrote it.
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

/// What the next poll needs to be incremental; written in the same transaction as the messages.
package struct PollPosition: Hashable, Sendable {
  package var cursor: Cursor?
  package var validators: Validators
  /// The target of a permanent redirect in the last polls, and in how many in a row.
  package var movedTo: String?
  package var movedCount: Int
  /// Whether the poll that asks from here has stored a part already. Not stored itself.
  package var isContinued = false

  package init(
    cursor: Cursor? = nil, validators: Validators = Validators(), movedTo: String? = nil, movedCount: Int = 0
  ) {
    self.cursor = cursor
    self.validators = validators
    self.movedTo = movedTo
    self.movedCount = movedCount
  }

  /// The address to use instead of the configured one, after 3 polls in a row with a 301 or 308.
  package var permanentAddress: String? { movedCount >= 3 ? movedTo : nil }
}
