import GRDB

// These are frozen, like the tables: a change is a new migration.
extension EarlierSchema {
  /// Migration 109 records, for each message that has ended (for example a resolved alert), the state before
  /// its end. A message that is open again gets this state back.
  ///
  /// Earlier versions stored only the time of the end. Their ended messages that the user never marked as
  /// read or unread count as unread before the end.
  static func remembersEndings(_ db: Database) throws {
    try db.execute(
      sql: """
        -- 0 if the message was read elsewhere: the reader shows no time then.
        ALTER TABLE resolved ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE resolved ADD COLUMN was_unread INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE resolved ADD COLUMN was_unseen INTEGER NOT NULL DEFAULT 0;
        -- The channels of notifications that were still to be sent, with blanks between them.
        ALTER TABLE resolved ADD COLUMN waiting TEXT;
        UPDATE resolved SET was_unread = NOT EXISTS (
          SELECT 1 FROM mark_change c WHERE c.field = 1
            AND c.message BETWEEN resolved.message_id & ~1023 AND resolved.message_id
            AND c.through >= resolved.message_id);
        """)
  }
}
