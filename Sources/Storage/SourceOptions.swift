import Messages

/// Rarely used settings of a source, in one column: a new one needs no migration.
struct SourceOptions: Codable, Sendable {
  /// Seconds.
  var keep: Double?
  var keepMessages: Int?

  init(_ source: ConfiguredSource) {
    keep = source.retention.age.map { $0 / .seconds(1) }
    keepMessages = source.retention.count
  }

  var retention: Retention {
    Retention(age: keep.map { .seconds($0) }, count: keepMessages)
  }
}
