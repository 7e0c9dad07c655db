package import Messages

/// A source of the settings, before it has an id in this database. The fields of its settings can be accessed directly.
@dynamicMemberLookup
package struct ConfiguredSource: Hashable, Sendable {
  /// The name, unique among the configured sources. The same name means the same source, whatever else changes.
  package var name: String
  package var settings: SourceSettings

  package init(name: String, settings: SourceSettings) {
    self.name = name
    self.settings = settings
  }

  package init(name: String, kind: SourceKind, address: String) {
    self.init(name: name, settings: SourceSettings(kind: kind, address: address))
  }

  package init(_ source: Source) { self.init(name: source.name, settings: source.settings) }

  package func source(id: SourceID) -> Source { Source(id: id, name: name, settings: settings) }

  package subscript<Value>(dynamicMember field: WritableKeyPath<SourceSettings, Value>) -> Value {
    get { settings[keyPath: field] }
    set { settings[keyPath: field] = newValue }
  }
}
