import GRDB
import GRDBSQLite

/// Interrupts the statements of a connection when a number of seconds has passed.
final class TimeLimit: Sendable {
  private let end: ContinuousClock.Instant

  init(seconds: Double) { end = .now + .seconds(seconds) }

  /// Runs `body`, whose statements fail with `SQLITE_INTERRUPT` after the time limit.
  func limiting<Value>(_ db: Database, _ body: (Database) throws -> Value) rethrows -> Value {
    sqlite3_progress_handler(
      db.sqliteConnection, 100_000,
      { context in
        guard let context else { return 0 }
        let limit = Unmanaged<TimeLimit>.fromOpaque(context).takeUnretainedValue()
        return ContinuousClock.now > limit.end ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    return try withExtendedLifetime(self) { try body(db) }
  }
}
