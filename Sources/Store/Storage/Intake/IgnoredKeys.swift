import Basics
import GRDB
import Messages

/// The keys of a source's documents that were ignored and reported.
///
/// They are in the database, so that each is reported once, whichever process polls.
enum IgnoredKeys {
  /// Stores ignored keys, up to the limit of one source.
  ///
  /// - Parameter paths: for example `$.list[*].color`; those longer than `Limits.ignoredKeyBytes` are cut.
  /// - Returns: the keys that weren't known, in their order.
  static func remember(_ paths: [String], of source: SourceID, _ db: Database) throws -> [FormatProblem] {
    guard !paths.isEmpty else { return [] }
    let count = try db.integer("SELECT count(*) FROM ignored_key WHERE source_id = ?", source.rawValue) ?? 0
    var room = Limits.ignoredKeysPerSource - Int(count)
    let insert = try db.prepared("INSERT OR IGNORE INTO ignored_key (source_id, path) VALUES (?, ?)")
    var new: [FormatProblem] = []
    for path in paths where room > 0 {
      let path = path.cut(toBytes: Limits.ignoredKeyBytes)
      insert.bind(1, source.rawValue)
      try insert.bind(2, path)
      try insert.run()
      guard db.changesCount > 0 else { continue }
      new.append(.ignored(key: path))
      room -= 1
    }
    return new
  }
}
