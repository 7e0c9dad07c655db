package import Messages

/// The sources of a database at one instant. A process compares them before it stores the sources of its settings, so
/// that of two processes the one that read the newer settings wins.
package struct RegisteredSources: Hashable, Sendable {
  /// The rows of all sources: first the listed ones in their order, then the others.
  private var rows: [SourceRow]

  /// The first position of local sources that are not in the settings.
  static let firstUnnamedPlace: Int64 = 1 << 32

  init(_ rows: [SourceRow]) { self.rows = rows.filter { $0.place != nil } + rows.filter { $0.place == nil } }

  /// The listed sources, in their order.
  package var listed: [Source] { rows.filter { $0.place != nil }.map(\.source) }

  /// Returns the sources of settings with their ids in this database, then the local ones that they do not contain. A
  /// source that was never registered has the id `Source.unregistered`.
  package func sources(of settings: [ConfiguredSource]) -> [Source] {
    let found = SourceMatching.rows(of: settings, among: rows)
    let ids = Set(found.compactMap { $0?.source.id })
    return zip(settings, found).map { $0.source(id: $1?.source.id ?? Source.unregistered) }
      + listed.filter { $0.kind == .local && !ids.contains($0.id) }
  }

  /// Returns the listed sources of earlier settings that match none of the given settings.
  package func ofSettings(besides settings: [ConfiguredSource]) -> [ConfiguredSource] {
    let ids = Set(SourceMatching.rows(of: settings, among: rows).compactMap { $0?.source.id })
    return rows.filter { ($0.place ?? Self.firstUnnamedPlace) < Self.firstUnnamedPlace }
      .filter { !ids.contains($0.source.id) }.map { ConfiguredSource($0.source) }
  }

  /// Returns the listed sources if they match these settings, so that there is nothing to register.
  package func sources(ifTheyAre settings: [ConfiguredSource]) -> [Source]? {
    let named = rows.filter { ($0.place ?? Self.firstUnnamedPlace) < Self.firstUnnamedPlace }
    return named.map { ConfiguredSource($0.source) } == settings ? listed : nil
  }

  /// Whether the sources of the settings are the same. Pushed messages may have created a local source meanwhile, which
  /// does not change the settings.
  func isSame(as other: Self) -> Bool { other.rows.filter(\.isOfSettings) == rows.filter(\.isOfSettings) }
}

extension SourceRow {
  fileprivate var isOfSettings: Bool {
    source.kind != .local || (place ?? .max) < RegisteredSources.firstUnnamedPlace
  }
}
