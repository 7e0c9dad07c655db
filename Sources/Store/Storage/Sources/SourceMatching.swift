import Messages

/// Matches the sources of edited settings with those of the database.
///
/// A source keeps its messages, marks and position when its name or its URL changes. So the same URL is the same source
/// under another name, and the same name with another URL is the same source at a new URL. A removed source is not the
/// same as a new one with its name. Listed sources have precedence over removed ones.
struct SourceMatching {
  private let rows: [SourceRow]
  private let byName: [String: Int]
  /// The rows keyed by URL, of which several may share one. It is created only if a name or a URL has changed, since
  /// every command runs this.
  private lazy var byAddress = Dictionary(
    grouping: rows.indices.filter { !rows[$0].source.address.isEmpty },
    by: { Self.key(rows[$0].source.settings) })
  private var isTaken: [Bool]

  private struct Key: Hashable {
    var kind: SourceKind
    var address: String
  }

  private init(_ rows: [SourceRow]) {
    self.rows = rows
    byName = Dictionary(
      rows.enumerated().map { ($1.source.name, $0) }, uniquingKeysWith: { first, _ in first })
    isTaken = Array(repeating: false, count: rows.count)
  }

  /// Returns the row of each source, or `nil` if the database has none. No row is returned twice.
  static func rows(of sources: [ConfiguredSource], among rows: [SourceRow]) -> [SourceRow?] {
    var matching = SourceMatching(rows)
    var found = [Int?](repeating: nil, count: sources.count)
    let ways: [(inout SourceMatching, ConfiguredSource) -> Int?] = [
      { $0.unchanged($1) },
      { $0.sameAddress($1, isListed: true) },
      { $0.sameName($1) },
      { $0.sameAddress($1, isListed: false) },
    ]
    for way in ways {
      for (index, source) in sources.enumerated() where found[index] == nil {
        guard let row = way(&matching, source) else { continue }
        matching.isTaken[row] = true
        found[index] = row
      }
    }
    return found.map { $0.map { rows[$0] } }
  }

  private func unchanged(_ source: ConfiguredSource) -> Int? {
    guard let row = byName[source.name], rows[row].source.kind == source.kind,
      rows[row].source.address == source.address
    else { return nil }
    return row
  }

  private mutating func sameAddress(_ source: ConfiguredSource, isListed: Bool) -> Int? {
    guard !source.address.isEmpty else { return nil }
    let places = byAddress[Self.key(source.settings)] ?? []
    return places.first { isFree($0, isListed) }
  }

  private func sameName(_ source: ConfiguredSource) -> Int? {
    byName[source.name].flatMap { isFree($0, true) ? $0 : nil }
  }

  private func isFree(_ row: Int, _ isListed: Bool) -> Bool {
    !isTaken[row] && (rows[row].place != nil) == isListed
  }

  private static func key(_ settings: SourceSettings) -> Key {
    Key(kind: settings.kind, address: SourceUID.normalized(settings.address))
  }
}
