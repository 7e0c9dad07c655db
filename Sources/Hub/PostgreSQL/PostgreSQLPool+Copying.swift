import PostgreSQL

extension PostgreSQLPool {
  /// The numbers of copied rows, and the last assigned id.
  package struct Copied: Hashable, Sendable {
    package var feeds = 0
    package var tokens = 0
    package var items = 0
    package var documents = 0
    package var lastID: Int64 = 0

    package init(feeds: Int = 0, tokens: Int = 0, items: Int = 0, documents: Int = 0, lastID: Int64 = 0) {
      (self.feeds, self.tokens, self.items, self.documents) = (feeds, tokens, items, documents)
      self.lastID = lastID
    }
  }

  /// Copies everything in a file into this database, which must have no feeds and tokens yet: all of it, or nothing.
  /// Ids, keys and tokens stay the same, so that readers and publishers notice nothing.
  package func copy(from file: SQLiteFile) throws(HubStoreFailure) -> Copied {
    try writing { connection in
      let isUsed = try connection.rows("SELECT EXISTS (SELECT 1 FROM feed) OR EXISTS (SELECT 1 FROM token)")
      if isUsed.first?.flag(0) != false {
        throw HubStoreFailure(.refused, "\(self.name) has feeds or tokens; use an empty database")
      }
      // These rows belong to deleted feeds and tokens, whose numbers the file's rows now have.
      try connection.run("DELETE FROM audit; DELETE FROM receipt")
      var copied = Copied()
      try file.readAll { uid, lastID in
        copied.lastID = lastID
        try connection.rows("UPDATE hub SET uid = CAST(?1 AS uuid)", .text(uid))
        if lastID > 0 { try connection.rows("SELECT setval('place', ?1)", .number(lastID)) }
      } add: { table, rows in
        switch table.name {
        case "feed": copied.feeds += rows.count
        case "token": copied.tokens += rows.count
        case "item": copied.items += rows.count
        case "document": copied.documents += rows.count
        case _: break
        }
        try connection.rows(
          "INSERT INTO \(table.name) (\(table.names)) OVERRIDING SYSTEM VALUE SELECT * FROM given",
          given: table.names, rows)
      }
      for table in HubTable.all where table.countsIDs {
        try connection.rows(
          """
          SELECT setval(pg_get_serial_sequence('\(table.name)', 'id'), max(id)) FROM \(table.name) HAVING max(id) > 0
          """)
      }
      return copied
    }
  }
}
