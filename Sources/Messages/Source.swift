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

/// One configured thing to poll.
package struct Source: Hashable, Sendable {
  /// The id of a source that stands in the settings and that no database knows yet: nothing is stored of it.
  package static let unregistered = SourceID(0)

  package var id: SourceID
  /// Unique; names the source in settings, commands and JSON.
  package var name: String
  package var kind: SourceKind
  /// An http, https or file URL; empty for `local`.
  package var address: String
  package var polling: PollSettings
  /// A message that arrives again with changed content becomes unread again.
  package var isUnreadOnChange = false
  /// In-app channels that are shown.
  package var channels: [String] = ["general"]
  /// In-app type numbers to kinds, where the source differs from the agreed mapping.
  package var typeNames: [Int: String] = [:]
  /// The version that banner conditions compare with.
  package var appVersion: String?
  package var retention = Retention.everything

  package init(
    id: SourceID, name: String, kind: SourceKind, address: String, polling: PollSettings = PollSettings()
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.address = address
    self.polling = polling
  }

  /// Whether it is a file of this machine: there is no server to spare.
  package var isLocalFile: Bool { address.hasPrefix("file:") }
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
