package import Messages

/// A source of the settings, before it has an id in this database.
package struct ConfiguredSource: Hashable, Sendable {
  /// Unique among the configured ones; the same name is the same source, whatever else changes.
  package var name: String
  package var kind: SourceKind
  package var address: String
  package var polling: PollSettings
  package var isUnreadOnChange = false
  package var channels: [String] = ["general"]
  package var typeNames: [Int: String] = [:]
  package var appVersion: String?
  package var retention = Retention.everything

  package init(name: String, kind: SourceKind, address: String, polling: PollSettings = PollSettings()) {
    self.name = name
    self.kind = kind
    self.address = address
    self.polling = polling
  }

  package init(_ source: Source) {
    self.init(name: source.name, kind: source.kind, address: source.address, polling: source.polling)
    isUnreadOnChange = source.isUnreadOnChange
    channels = source.channels
    typeNames = source.typeNames
    appVersion = source.appVersion
    retention = source.retention
  }

  package func source(id: SourceID) -> Source {
    var source = Source(id: id, name: name, kind: kind, address: address, polling: polling)
    source.isUnreadOnChange = isUnreadOnChange
    source.channels = channels
    source.typeNames = typeNames
    source.appVersion = appVersion
    source.retention = retention
    return source
  }
}
