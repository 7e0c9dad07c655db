import Basics
import GRDB
package import Messages

extension StoreMessages {
  /// Returns the language of the stored titles and bodies of translated messages, or `nil` before one was chosen.
  package func language() throws(StoreFailure) -> String? {
    try read { db in
      let query = try db.prepared("SELECT language FROM store")
      return try query.first { query.optionalText(0) } ?? nil
    }
  }

  /// Changes translated messages to another language: titles, bodies and search. Read state and order stay.
  ///
  /// One call changes a part, newest first, so that visible messages change immediately and no other write waits for
  /// the rest. The language is stored with the last part, so that an interrupted change is repeated.
  ///
  /// - Parameters:
  ///   - before: the result of the last call, or `nil` to begin.
  ///   - choose: returns the index of the best language among the language tags of a message, or `nil` to keep the
  ///     current one.
  /// - Returns: the position at which to continue, or `nil` once everything is done.
  package func translate(
    into language: String, before: MessageID? = nil, batch: Int = 1000, choose: ([String]) -> Int?
  ) throws(StoreFailure) -> MessageID? {
    if try self.language() == language { return nil }
    return try maintain { db in
      let last = try Self.translate(
        db, columns, before: before?.rawValue ?? .max, limit: batch, choose: choose)
      if let last { return MessageID(last) }
      let update = try db.prepared("UPDATE store SET language = ?")
      try update.bind(1, language)
      try update.run()
      return nil
    }
  }

  /// - Returns: the last examined message, or `nil` once there are no more.
  private static func translate(
    _ db: Database, _ columns: Columns, before: Int64, limit: Int, choose: ([String]) -> Int?
  ) throws -> Int64? {
    let query = try db.prepared(
      """
      SELECT d.message_id, m.title, d.body, d.author, d.language, d.extras
      FROM detail d INDEXED BY detail_translated CROSS JOIN message m ON m.id = d.message_id
      WHERE d.is_translated AND d.message_id < ?1 ORDER BY d.message_id DESC LIMIT ?2
      """)
    query.bind(1, before)
    query.bind(2, limit)
    var rows: [(id: Int64, old: LocalizedText, author: String?, extras: String)] = []
    try query.forEach {
      let old = LocalizedText(
        language: query.optionalText(4) ?? "", title: query.text(1), body: query.text(2))
      rows.append((query.int(0), old, query.optionalText(3), query.text(5)))
    }
    let index = try SearchIndex(db)
    let updateTitle = try db.prepared("UPDATE message SET title = ?2 WHERE id = ?1")
    let facets = FacetChanges(db, columns)
    let updateBody = try db.prepared("UPDATE detail SET body = ?2, language = ?3 WHERE message_id = ?1")
    var changed: [Int64] = []
    for row in rows {
      guard let translations = columns.extras.value(row.extras)?.translations,
        let place = choose(translations.map(\.language)), translations.indices.contains(place)
      else { continue }
      let new = translations[place]
      let language = new.language == LocalizedText.anyLanguage ? nil : new.language
      if new.title == row.old.title, new.body == row.old.body, (language ?? "") == row.old.language {
        continue
      }
      try index.remove(row.id, title: row.old.title, body: row.old.body, author: row.author)
      updateTitle.bind(1, row.id)
      try updateTitle.bind(2, new.title)
      try updateTitle.run()
      try facets.change(row.id) {
        updateBody.bind(1, row.id)
        try updateBody.bind(2, new.body)
        try updateBody.bind(3, language)
        try updateBody.run()
      }
      try index.insert(row.id, title: new.title, body: new.body, author: row.author)
      changed.append(row.id)
    }
    if try SavedLists(db).exist() { try SavedLists(db).judgeLater(changed) }
    return rows.count < limit ? nil : rows.last?.id
  }
}
