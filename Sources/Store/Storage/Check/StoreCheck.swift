import GRDB
import GRDBSQLite
import Messages

/// A part of a store that is compared with the data from which it is derived, and derived again.
package enum CheckPart: String, CaseIterable, Sendable {
  /// Tables, indexes and triggers, which must be those that this version creates. It is first, since a foreign trigger
  /// may change or delete anything when something is written.
  case schema
  /// The file's own structure, and the indexes that the lists use.
  case file
  /// The rows that are listed, depending on time, channels and sources.
  case lists
  case counts, copies, facets, search
  case savedLists = "saved lists"
  case ids
  /// The keys by which entries of feeds are found.
  case entries
  case notices
}

/// Compares derived data with its origin, and repairs it.
package struct StoreCheck: StorePart {
  let store: Store
  /// Whether no other process can write to the store, so that a repair needs no pauses for others.
  var isAlone = false

  /// Returns the number of messages, sources and other things that users know, each with its name in the singular and
  /// in the plural.
  package func holdings() throws(StoreFailure) -> [(one: String, several: String, count: Int)] {
    try read { db in
      try [
        ("message", "messages", "SELECT count(*) FROM message"),
        ("source", "sources", "SELECT count(*) FROM source WHERE position IS NOT NULL"),
        ("removed source", "removed sources", "SELECT count(*) FROM source WHERE position IS NULL"),
        ("action", "actions", "SELECT count(*) FROM journal WHERE undoes IS NULL"),
        (
          "action that waits for its service", "actions that wait for their services",
          "SELECT count(*) FROM outgoing WHERE \(Outgoing.waits)"
        ),
        ("article", "articles", "SELECT count(*) FROM article"),
      ].map { ($0.0, $0.1, Int(try db.integer($0.2) ?? 0)) }
    }
  }

  /// Compares a part with the data from which it is derived, without changing it.
  ///
  /// - Returns: the differences, as sentences; of the part `file` only the first ones if there are many.
  package func compare(_ part: CheckPart) throws(StoreFailure) -> [String] {
    if part == .search { return try compareSearchIndex() }
    return try read { db in
      switch part {
      case .schema: try SchemaComparison(db).problems
      case .file: try PageFindings(db).all
      case .lists: try Self.visibility(db, columns) + Self.followed(db)
      case .counts: try DerivedCounts.all.flatMap { try $0.problems(db) }
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

  /// Compares all parts for tests, except the search index, which takes long.
  package func compareAll() throws(StoreFailure) -> [String] {
    var problems: [String] = []
    for part in CheckPart.allCases where part != .search { problems += try compare(part) }
    return problems
  }

  /// Compares the full-text index with the messages, on a copy of the index, so that writers never wait.
  ///
  /// The content of the copy is a view of the messages, so that FTS5 itself compares the two, word for word, with
  /// little memory.
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
            WHERE m.id >= (SELECT search_from FROM main.store);
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

  /// Adds an SQL function that returns the indexed form of a string. GRDB's own functions would cut it at a NUL byte.
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
            // SQLite copies the text.
            sqlite3_result_text(
              context, start, Int32(clamping: text.count),
              unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self))
          }
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Compares the stored visibility of each message with its times and channels, which determine it.
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

  /// Checks that exactly the messages whose source is in the settings are stored as followed. The lists
  /// themselves are indexes, which the part `file` compares.
  private static func followed(_ db: Database) throws -> [String] {
    let wrong = try db.integer(
      """
      SELECT count(*) FROM status t LEFT JOIN source s ON s.id = t.source_id WHERE t.is_followed <> (s.position IS NOT NULL)
      """)
    return wrong == 0
      ? [] : ["\(wrong ?? 0) messages are listed while their source is not, or the reverse"]
  }

  private static func savedLists(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let wrong = try db.prepared(
      """
      SELECT l.name FROM saved_list l
      WHERE l.unread <> (SELECT count(*) FROM list_member m WHERE m.list_id = l.id)
        OR l.unseen <> (SELECT count(*) FROM list_member m WHERE m.list_id = l.id AND m.is_unseen)
      """)
    try wrong.forEach { problems.append("the list \(wrong.text(0)) has wrong counts") }
    let strange = try db.integer(
      """
      SELECT count(*) FROM list_member m LEFT JOIN status t ON t.message_id = m.message_id
      WHERE m.list_id NOT IN (SELECT id FROM saved_list) OR t.is_read IS NOT 0
      """)
    if strange != 0 { problems.append("lists count messages that are read or deleted") }
    return problems
  }

  private static func copies(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let firsts = try db.prepared(
      """
      SELECT t.message_id FROM status t LEFT JOIN status f ON f.message_id = t.original_id
      WHERE t.original_id IS NOT NULL AND (f.source_id IS NOT t.original_source OR f.original_id IS NOT NULL)
      """)
    try firsts.forEach {
      problems.append("message \(firsts.int(0)) is a duplicate of a message that is itself a duplicate")
    }
    let hidden = try db.prepared(
      """
      SELECT t.message_id FROM status t JOIN status f ON f.message_id = t.original_id
      WHERE t.is_followed AND t.is_listed AND NOT (f.is_followed AND f.is_listed)
      """)
    try hidden.forEach {
      problems.append("message \(hidden.int(0)) is a duplicate of a message that no list shows")
    }
    return problems
  }

  /// Looks up each facet that should exist, then counts the facets: a greater number means that some belong to no
  /// message.
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
    if gone != 0 { problems.append("facets of messages that are deleted") }
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
    let differing = try db.integer("SELECT count(*) FROM detail WHERE \(detailDiffers)")
    return
      (differing == 0 ? [] : ["panes or languages of \(differing ?? 0) messages differ from their details"])
      + (same == 1 ? [] : ["messages, details, statuses, articles and identities differ"])
      + (unknown ? ["states or sources refer to actions that are not stored"] : [])
  }

  /// The columns of the table `detail` that repeat a part of `extras`, with the SQL of their correct values.
  /// The searched text cannot be within a JSON string, where a backslash would precede the quotation mark of
  /// the name.
  static let detailColumns = [
    ("pane", "CASE WHEN json_valid(extras) THEN json_extract(extras, '$.pane.key') END"),
    ("is_translated", "coalesce(instr(extras, '\"translations\":[{') > 0, 0)"),
  ]

  static let detailDiffers = detailColumns.map { "\($0.0) IS NOT (\($0.1))" }.joined(separator: " OR ")

  /// The tables and columns that contain the id of the act that wrote a value.
  static let writers =
    Mark.Field.allCases.compactMap(\.row.by).map { ("status", $0) }
    + ["follow_by", "name_by", "title_by", "folder_by"].map { ("wire_source", $0) } + [
      ("early_cell", "act"), ("source_written", "act"),
    ]

  /// Returns the SQL condition that a column contains the id of an act that is not in the journal.
  static func namesNoAct(_ column: String) -> String {
    "\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = \(column))"
  }

  private static func notices(_ db: Database) throws -> [String] {
    let lost = try db.integer(
      """
      SELECT (SELECT count(*) FROM notification WHERE message_id NOT IN (SELECT id FROM message))
        + (SELECT count(*) FROM notification_again WHERE message_id NOT IN (SELECT id FROM message))
      """)
    let differing = try db.integer(
      """
      SELECT count(*) FROM notification w LEFT JOIN notification_shown n ON n.id = w.shown_id AND n.channel = w.channel
      WHERE (w.shown_id IS NOT NULL AND n.id IS NULL) OR (w.state IN (1, 2)) <> (w.shown_id IS NOT NULL)
        OR (w.state IN (1, 2) AND n.state NOT IN (1, 2))
      """)
    return (lost == 0 ? [] : ["notifications wait for messages that are not stored"])
      + (differing == 0 ? [] : ["shown notifications differ from the messages that they name"])
  }
}
