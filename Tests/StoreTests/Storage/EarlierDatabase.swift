import GRDB
import Testing

@testable import Storage

extension Database {
  /// Gives the tables of a database of this version their names in 0.2.0, and sets that version's number.
  func becomeEarlier() throws {
    let earlier = try SchemaEntry.made(EarlierSchema.versions.upperBound)
    let names = Set(earlier.map(\.name))
    for entry in try SchemaEntry.all(self) where !entry.sql.isEmpty && entry.type != "table" {
      if entry.type == "trigger" || !names.contains(entry.name) {
        try execute(sql: "DROP \(entry.type) \"\(entry.name)\"")
      }
    }
    try execute(
      sql: """
        DROP TABLE question;
        DROP TABLE phone;
        DROP TABLE phone_press;
        DROP TABLE notification_again;
        CREATE TABLE translated (message_id INTEGER PRIMARY KEY);
        INSERT INTO translated SELECT message_id FROM detail WHERE is_translated;
        DROP INDEX detail_pane;
        ALTER TABLE detail DROP is_translated;
        ALTER TABLE detail DROP pane;
        """)
    for (table, old, new) in EarlierSchema.renamedColumns {
      try execute(sql: "ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)")
    }
    for (old, new) in EarlierSchema.renamedTables {
      try execute(sql: "ALTER TABLE \(new) RENAME TO \"\(old)\"")
    }
    try execute(
      sql: """
        CREATE TABLE search_progress (id INTEGER PRIMARY KEY CHECK (id = 1), below INTEGER NOT NULL);
        INSERT INTO search_progress (id, below) SELECT 1, search_from FROM store;
        ALTER TABLE store DROP search_from;
        """)
    let present = Set(try SchemaEntry.all(self).map(\.name))
    for entry in earlier where !entry.sql.isEmpty && !present.contains(entry.name) {
      try execute(sql: entry.sql)
    }
    // This includes its SQL text, because columns cannot be dropped after comments.
    try execute(sql: "PRAGMA writable_schema = ON")
    for entry in earlier where entry.kind == .table {
      try execute(
        sql: "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
        arguments: [entry.sql, entry.name])
    }
    try execute(sql: "PRAGMA writable_schema = RESET")
    try execute(sql: "PRAGMA user_version = \(EarlierSchema.versions.upperBound)")
  }

  /// Returns the rows of a query, one string for each.
  func texts(_ sql: String) throws -> [String] {
    try Row.fetchAll(self, sql: sql).map { row in row.databaseValues.map(\.description).joined(separator: " ")
    }
  }
}
