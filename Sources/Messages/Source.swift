/// The constants of polling, section 3; every one can be set for all sources and for one.
package struct PollSettings: Hashable, Sendable, Codable {
  /// From the program's start to the first poll.
  package var initialDelay: Duration = .seconds(1)
  /// From the end of a poll to the next periodic one, before jitter.
  package var interval: Duration = .seconds(600)
  /// A soft refresh within this time of the last attempt does nothing.
  package var grace: Duration = .seconds(180)
  /// One request, from the first byte sent to the last byte read; a silent server gets all of it.
  package var requestTimeout: Duration = .seconds(60)
  /// One poll, all its requests.
  package var pollDeadline: Duration = .seconds(150)
  /// The largest response, in bytes, after decompression.
  package var responseLimit: Int = 64 << 20

  package init() {}
}

/// All that settings say of a source but its name. Storage keeps each field in a column of its own, the last ones in one.
package struct SourceSettings: Hashable, Sendable {
  package var kind: SourceKind
  /// An http, https or file URL; empty for `local`.
  package var address: String
  package var polling: PollSettings
  /// What lists call it; nil: what its server calls it, else its name.
  package var title: String?
  /// Nil: at the top.
  package var folder: Folder?
  /// A message that arrives again with changed content becomes unread again.
  package var isUnreadOnChange = false
  /// In-app channels that are shown.
  package var channels: [String] = ["general"]
  /// In-app type numbers to kinds, where the source differs from the agreed mapping.
  package var typeNames: [Int: String] = [:]
  /// The version that banner conditions compare with.
  package var appVersion: String?
  package var options = SourceOptions()

  package init(kind: SourceKind = .feed, address: String = "", polling: PollSettings = PollSettings()) {
    self.kind = kind
    self.address = address
    self.polling = polling
  }

  package var retention: Retention {
    get { Retention(age: options.keep.map { .seconds($0) }, count: options.keepMessages) }
    set {
      options.keep = newValue.age.map { $0 / .seconds(1) }
      options.keepMessages = newValue.count
    }
  }

  /// Whether it is a file of this machine: there is no server to spare.
  package var isLocalFile: Bool { address.hasPrefix("file:") }
}

/// The settings of a source that few set. Stored together as one JSON text, so that a new one needs no column.
package struct SourceOptions: Hashable, Sendable, Codable {
  /// Seconds from the arrival of a message; see `Retention`.
  package var keep: Double?
  package var keepMessages: Int?
  /// The address of its web page, as a list of feeds gave it; what the server says counts more.
  package var page: String?

  package init() {}
}

/// One configured thing to poll. The fields of its settings are read and set as its own.
@dynamicMemberLookup
package struct Source: Hashable, Sendable {
  /// The id of a source that stands in the settings and that no database knows yet: nothing is stored of it.
  package static let unregistered = SourceID(0)

  package var id: SourceID
  /// Unique; names the source in settings, commands and JSON.
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

/// What the last answers of a source make the next request say. Opaque to all but the service that wrote it.
package struct Cursor: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// Conditional request validators, kept and sent back byte for byte (RFC 9110 sections 8.8.2 and 8.8.3).
package struct Validators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?

  package init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// What a poll needs to be incremental; written in the same transaction as the messages it brought.
package struct PollPosition: Hashable, Sendable {
  package var cursor: Cursor?
  package var validators: Validators
  /// A permanent redirect seen in each of the last polls, and in how many in a row.
  package var movedTo: String?
  package var movedCount: Int

  package init(
    cursor: Cursor? = nil, validators: Validators = Validators(), movedTo: String? = nil, movedCount: Int = 0
  ) {
    self.cursor = cursor
    self.validators = validators
    self.movedTo = movedTo
    self.movedCount = movedCount
  }

  /// The address to use instead of the configured one: 301 and 308 count after 3 polls in a row.
  package var permanentAddress: String? { movedCount >= 3 ? movedTo : nil }
}
