import PostgreSQL

extension HubDatabase {
  /// How much was copied, and the last id that was given.
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

  /// Copies everything of a file into this database, which must have no feeds and tokens yet: all of it, or nothing. Ids, keys
  /// and tokens stay as they are, so that readers and publishers go on.
  package func copy(from file: HubFile) throws(HubStoreFailure) -> Copied {
    try writing { connection throws(PostgreSQLFailure) in
      let isUsed = try connection.ask("SELECT EXISTS (SELECT 1 FROM feed) OR EXISTS (SELECT 1 FROM token)")
      if isUsed.first?.flag(0) != false {
        return .failure(HubStoreFailure(.refused, "\(self.name) has feeds or tokens: use an empty database"))
      }
      // Of feeds and tokens that are gone; their numbers are the file's now.
      try connection.run("DELETE FROM audit; DELETE FROM receipt")
      var failure: PostgreSQLFailure?
      var copied = Copied()
      /// A failure of the database goes through the file's.
      func writing(_ body: () throws(PostgreSQLFailure) -> Void) throws(HubStoreFailure) {
        do throws(PostgreSQLFailure) { try body() } catch {
          failure = error
          throw HubStoreFailure(.away, error.reason)
        }
      }
      do throws(HubStoreFailure) {
        try file.readAll { uid, lastID throws(HubStoreFailure) in
          copied.lastID = lastID
          try writing { () throws(PostgreSQLFailure) in
            _ = try connection.ask("UPDATE hub SET uid = $1::uuid", [.text(uid)])
            if lastID > 0 { _ = try connection.ask("SELECT setval('place', $1)", [.number(lastID)]) }
          }
        } add: { table, rows throws(HubStoreFailure) in
          switch table.name {
          case "feed": copied.feeds += rows.count
          case "token": copied.tokens += rows.count
          case "item": copied.items += rows.count
          case "document": copied.documents += rows.count
          case _: break
          }
          try writing { () throws(PostgreSQLFailure) in try connection.insert(rows, into: table) }
        }
      } catch {
        if let failure { throw failure }
        return .failure(error)
      }
      for table in HubTable.all where table.countsIDs {
        _ = try connection.ask(
          """
          SELECT setval(pg_get_serial_sequence('\(table.name)', 'id'), max(id)) FROM \(table.name) HAVING max(id) > 0
          """)
      }
      return .success(copied)
    }
  }
}

extension PostgreSQLConnection {
  fileprivate func insert(_ rows: [[HubValue]], into table: HubTable) throws(PostgreSQLFailure) {
    let names = table.columns.map { "\"\($0.name)\"" }
    let values = zip(names, table.columns).map { name, column in
      if case .address = column.kind { "\(name)::inet" } else { name }
    }
    let types = table.columns.enumerated().map { "$\($0 + 1)::\($1.kind.parameter.name)[]" }
    _ = try ask(
      """
      INSERT INTO \(table.name) (\(names.joined(separator: ", "))) OVERRIDING SYSTEM VALUE
        SELECT \(values.joined(separator: ", ")) FROM unnest(\(types.joined(separator: ", ")))
          AS row (\(names.joined(separator: ", ")))
      """,
      table.columns.enumerated().map { place, column in
        .list(column.kind.parameter, rows.map { Self.parameter($0[place], column.kind) })
      })
  }

  private static func parameter(_ value: HubValue, _ kind: HubTable.Kind) -> PostgreSQLParameter {
    switch (value, kind) {
    case (.number(let number), .flag): .flag(number != 0)
    case (.number(let number), .time): .time(number)
    case (.number(let number), _): .number(number)
    case (.text(let text), .address): .text(String(text.prefix { $0 != "%" }))
    case (.text(let text), _): .text(text)
    case (.bytes(let bytes), _): .bytes(bytes)
    case (.null, _): .text(nil)
    }
  }
}

extension HubTable.Kind {
  fileprivate var parameter: PostgreSQLParameter.Kind {
    switch self {
    case .number: .bigint
    case .text, .address: .text
    case .bytes: .bytea
    case .flag: .bool
    case .time: .timestamptz
    }
  }
}
