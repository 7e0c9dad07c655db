import GRDB
import GRDBSQLite
import Messages

/// What of a store is compared with what it is derived from, and derived again.
package enum CheckPart: String, CaseIterable, Sendable {
  /// Tables, indexes and triggers, which have to be those that this version makes. It comes first, since a trigger of another
  /// program may change or delete anything when something is written.
  case schema
  /// The file's own structure, and the indexes that the lists are.
  case file
  /// What time, channels and the sources show.
  case lists
  case counts, copies, facets, search
  case savedLists = "saved lists"
  case ids
  /// The keys by which entries of feeds are found.
  case entries
  case notices
}

/// Compares what is derived with what it is derived from, and repairs it.
package struct StoreCheck: StorePart {
  let store: Store
  /// Whether no other process can write to the store, so that a repair leaves no time for others.
  var isAlone = false

  /// How many rows the store has of what people know.
  package func holdings() throws(StoreFailure) -> [(one: String, several: String, count: Int)] {
    try read { db in
      try [
        ("message", "messages", "SELECT count(*) FROM message"),
        ("source", "sources", "SELECT count(*) FROM source WHERE place IS NOT NULL"),
        ("removed source", "removed sources", "SELECT count(*) FROM source WHERE place IS NULL"),
        ("act", "acts", "SELECT count(*) FROM journal WHERE undoes IS NULL"),
        (
          "act that waits for its service", "acts that wait for their services",
          "SELECT count(*) FROM outgoing WHERE \(Outgoing.waits)"
        ),
        ("article", "articles", "SELECT count(*) FROM article"),
      ].map { ($0.0, $0.1, Int(try db.integer($0.2) ?? 0)) }
    }
  }

  /// Compares a part with what it is derived from, without a change of it.
  ///
  /// - Returns: where they differ, the first ones of many.
  package func compare(_ part: CheckPart) throws(StoreFailure) -> [String] {
    if part == .search { return try compareSearchIndex() }
    return try read { db in
      switch part {
      case .schema: try SchemaComparison(db).problems
      case .file: try PageFindings(db).all
      case .lists: try Self.visibility(db, columns) + Self.followed(db)
      case .counts: try Self.counts(db)
      case .copies: try Self.copies(db)
      case .facets: try Self.facets(db, columns)
      case .search: []
      case .savedLists: try Self.savedLists(db)
      case .ids: try Self.identities(db)
      case .entries: try EntryComparison(db).problems
      case .notices: try Self.notices(db)
      }
    }
  }

  /// All parts but the search, which takes long. For tests.
  package func compareAll() throws(StoreFailure) -> [String] {
    var problems: [String] = []
    for part in CheckPart.allCases where part != .search { problems += try compare(part) }
    return problems
  }

  /// Compares the full-text index with the messages, on a copy of the index: writers never wait for it.
  ///
  /// The content of the copy is a view of the messages, so that FTS5 itself compares the two, word for word, with little memory.
  package func compareSearchIndex() throws(StoreFailure) -> [String] {
    try read { db in
      try Self.addIndexedText(db)
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE temp.checked USING fts5(title, body, author, content='checked_texts',
            content_rowid='id', columnsize=0, tokenize="\(SearchTokenizer.definition)");
          CREATE TEMP VIEW checked_texts AS
            SELECT m.id AS id, reddot_indexed(m.title) AS title, reddot_indexed(d.body) AS body,
              reddot_indexed(d.author) AS author
            FROM main.message m JOIN main.detail d ON d.message_id = m.id
            WHERE m.id >= (SELECT below FROM main.search_progress);
          """)
      for table in ["data", "idx", "config"] {
        try db.execute(
          sql:
            "DELETE FROM temp.checked_\(table); INSERT INTO temp.checked_\(table) SELECT * FROM main.search_\(table)"
        )
      }
      var problems: [String] = []
      do {
        try db.execute(sql: "INSERT INTO temp.checked(checked, rank) VALUES ('integrity-check', 1)")
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CORRUPT_VTAB {
        problems = ["the search index differs from the messages"]
      }
      try db.execute(sql: "DROP TABLE temp.checked; DROP VIEW temp.checked_texts")
      return problems
    }
  }

  /// Adds a function to SQL that makes the indexed form of a string. GRDB's own would cut it at a NUL byte.
  private static func addIndexedText(_ db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, "reddot_indexed", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        var text = ""
        if let value = values?[0], let bytes = sqlite3_value_text(value) {
          let count = Int(sqlite3_value_bytes(value))
          text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
        var indexed = SearchText.indexed(text)
        indexed.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { text in
            guard let start = text.baseAddress else { return sqlite3_result_text(context, "", 0, nil) }
            // SQLite copies what it is given.
            sqlite3_result_text(
              context, start, Int32(clamping: text.count),
              unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self))
          }
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func visibility(_ db: Database, _ columns: Columns) throws -> [String] {
    let now = try StoreClock(db, columns).now()
    var channels: [Int64: ShownChannels] = [:]
    for row in try SourceRow.all(db, columns) {
      channels[row.source.id.rawValue] = row.source.settings.shownChannels
    }
    var problems: [String] = []
    let query = try db.prepared(MessageHead.select)
    try query.forEach {
      let head = MessageHead(query)
      if head.isShown != head.isShown(at: now, channels: channels[head.source] ?? .named([])) {
        problems.append("message \(head.id) is shown: \(head.isShown)")
      }
    }
    return problems
  }

  /// The lists are indexes, which the part `file` compares; what is followed is known from the sources.
  private static func followed(_ db: Database) throws -> [String] {
    let wrong = try db.integer(
      """
      SELECT count(*) FROM status t LEFT JOIN source s ON s.id = t.source_id WHERE t.is_followed <> (s.place IS NOT NULL)
      """)
    return wrong == 0
      ? [] : ["\(wrong ?? 0) messages are listed though their source isn't, or the other way round"]
  }

  private static func counts(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let tallies = try db.prepared(
      """
      SELECT source_id,
        total = (SELECT count(*) FROM status t WHERE t.source_id = c.source_id AND t.is_listed),
        unread = (SELECT count(*) FROM status t WHERE t.source_id = c.source_id AND t.is_listed AND NOT t.is_read),
        starred = (SELECT count(*) FROM status t WHERE t.source_id = c.source_id AND t.is_listed AND t.is_starred)
      FROM tally c
      """)
    try tallies.forEach {
      for (column, name) in ["total", "unread", "starred"].enumerated() where !tallies.bool(Int32(column + 1))
      {
        problems.append("source \(tallies.int(0)): \(name) is wrong")
      }
    }
    let hidden = try db.prepared(
      """
      SELECT rule FROM (
        SELECT rule, count FROM hidden_tally
        UNION ALL SELECT t.hidden_by, -1 FROM status t WHERE \(PutAwayRange.Kind.hidden.condition))
      GROUP BY rule HAVING sum(count) <> 0
      """)
    try hidden.forEach { problems.append("what \(hidden.text(0)) hides is counted wrong") }
    return problems
  }

  private static func savedLists(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let wrong = try db.prepared(
      """
      SELECT l.name FROM saved_list l
      WHERE l.unread <> (SELECT count(*) FROM list_member m WHERE m.list_id = l.id)
        OR l.unseen <> (SELECT count(*) FROM list_member m WHERE m.list_id = l.id AND m.is_unseen)
      """)
    try wrong.forEach { problems.append("the list \(wrong.text(0)) is counted wrong") }
    let strange = try db.integer(
      """
      SELECT count(*) FROM list_member m LEFT JOIN status t ON t.message_id = m.message_id
      WHERE m.list_id NOT IN (SELECT id FROM saved_list) OR t.is_read IS NOT 0
      """)
    if strange != 0 { problems.append("lists count what is read or gone") }
    return problems
  }

  private static func copies(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let counted = try db.prepared(
      """
      SELECT source_id, first_source FROM (
        SELECT source_id, first_source, total, unread, starred FROM copy_tally
        UNION ALL SELECT source_id, first_source, -1, is_read - 1, -is_starred
        FROM status WHERE first_id IS NOT NULL AND is_listed)
      GROUP BY 1, 2 HAVING sum(total) <> 0 OR sum(unread) <> 0 OR sum(starred) <> 0
      """)
    try counted.forEach {
      problems.append("the copies that source \(counted.int(0)) has of \(counted.int(1)) are counted wrong")
    }
    let firsts = try db.prepared(
      """
      SELECT t.message_id FROM status t LEFT JOIN status f ON f.message_id = t.first_id
      WHERE t.first_id IS NOT NULL AND (f.source_id IS NOT t.first_source OR f.first_id IS NOT NULL)
      """)
    try firsts.forEach { problems.append("message \(firsts.int(0)) is a copy of what isn't a first") }
    let hidden = try db.prepared(
      """
      SELECT t.message_id FROM status t JOIN status f ON f.message_id = t.first_id
      WHERE t.is_followed AND t.is_listed AND NOT (f.is_followed AND f.is_listed)
      """)
    try hidden.forEach { problems.append("message \(hidden.int(0)) is a copy of one that no list shows") }
    return problems
  }

  /// Asks for each facet that there has to be, then counts: what else there is belongs to nothing.
  private static func facets(_ db: Database, _ columns: Columns) throws -> [String] {
    let facets = FacetChanges(db, columns)
    let known = try db.prepared("SELECT 1 FROM facet WHERE facet = ? AND message_id = ?")
    func isThere(_ facet: Facet, _ id: Int64) throws -> Bool {
      guard let number = try facets.number(of: facet) else { return false }
      known.bind(1, number)
      known.bind(2, id)
      return try known.first { true } ?? false
    }
    var problems: [String] = []
    var found: Int64 = 0
    let messages = try db.prepared("SELECT id FROM message WHERE id >= (SELECT facets_from FROM store)")
    try messages.forEach {
      let id = messages.int(0)
      let missing = try facets.facets(of: id).filter { facet in
        let isThere = try isThere(facet, id)
        if isThere { found += 1 }
        return !isThere
      }
      if !missing.isEmpty { problems.append("message \(id) has other facets") }
    }
    let isStored = "EXISTS (SELECT 1 FROM message m WHERE m.id = facet.message_id)"
    let stored = try db.integer(
      "SELECT count(*) FROM facet WHERE message_id >= (SELECT facets_from FROM store) AND \(isStored)")
    if let stored, stored > found {
      problems.append("\(stored - found) facets of messages that do not have them")
    }
    let gone = try db.integer("SELECT count(*) FROM facet WHERE NOT \(isStored)")
    if gone != 0 { problems.append("facets of messages that are gone") }
    return problems
  }

  private static func identities(_ db: Database) throws -> [String] {
    let same = try db.integer(
      """
      SELECT (SELECT count(*) FROM identity WHERE message_id > 0) = (SELECT count(*) FROM message)
        AND (SELECT count(*) FROM status) = (SELECT count(*) FROM message)
        AND (SELECT count(*) FROM detail) = (SELECT count(*) FROM message)
        AND NOT EXISTS (SELECT 1 FROM article WHERE message_id NOT IN (SELECT id FROM message))
        AND NOT EXISTS (SELECT 1 FROM identity i LEFT JOIN status t ON t.message_id = i.message_id
          LEFT JOIN detail d ON d.message_id = i.message_id
          WHERE i.message_id > 0 AND (t.source_id IS NOT i.source_id OR d.remote_id IS NOT i.remote_id))
      """)
    let unknown = try writers.contains { table, column in
      try db.integer("SELECT 1 FROM \(table) WHERE \(namesNoAct(column)) LIMIT 1") == 1
    }
    return (same == 1 ? [] : ["messages, details, statuses, articles and identities differ"])
      + (unknown ? ["marks or sources name acts that are not stored"] : [])
  }

  /// The columns that name the act behind a value.
  static let writers =
    Mark.Field.allCases.compactMap(\.row.by).map { ("status", $0) }
    + ["follow_by", "name_by", "title_by", "folder_by"].map { ("wire_source", $0) } + [
      ("waiting", "act"), ("source_written", "act"),
    ]

  static func namesNoAct(_ column: String) -> String {
    "\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = \(column))"
  }

  private static func notices(_ db: Database) throws -> [String] {
    let lost = try db.integer("SELECT count(*) FROM telling WHERE message_id NOT IN (SELECT id FROM message)")
    let differing = try db.integer(
      """
      SELECT count(*) FROM telling w LEFT JOIN shown_notice n ON n.id = w.notice_id AND n.channel = w.channel
      WHERE (w.notice_id IS NOT NULL AND n.id IS NULL) OR (w.state IN (1, 2)) <> (w.notice_id IS NOT NULL)
        OR (w.state IN (1, 2) AND n.state NOT IN (1, 2))
      """)
    return (lost == 0 ? [] : ["notices wait for messages that are not stored"])
      + (differing == 0 ? [] : ["shown notices differ from the messages that they name"])
  }
}
