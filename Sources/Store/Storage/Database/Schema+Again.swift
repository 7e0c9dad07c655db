import GRDB

extension Schema {
  /// Adds the table of notifications that a rule repeats until the user acts on the message.
  static let again = Migration(name: "notifications that rules repeat") { db in
    try db.execute(
      sql: """
        -- Messages that the user is notified of again until something is done with them: at `at`, then each `wait`.
        CREATE TABLE notification_again (
          message_id INTEGER PRIMARY KEY,
          rule TEXT NOT NULL,
          at INTEGER NOT NULL,
          wait INTEGER NOT NULL,
          -- The number of times that are left.
          left INTEGER NOT NULL
        );
        CREATE INDEX notification_again_at ON notification_again(at);
        """)
  }
}
