import GRDB

/// What the inbox remembers of its look.
package struct StorePreferences: StorePart {
  let store: Store

  /// All values, by name.
  package func all() throws(StoreFailure) -> [String: String] {
    try read { db in
      var values: [String: String] = [:]
      let query = try db.prepared("SELECT name, value FROM preference")
      try query.forEach { values[query.text(0)] = query.text(1) }
      return values
    }
  }

  /// - Parameter value: nil forgets it.
  package func set(_ name: String, to value: String?) throws(StoreFailure) {
    try write { db in
      let change = try db.prepared(
        value == nil
          ? "DELETE FROM preference WHERE name = ?1"
          : "INSERT INTO preference (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
      )
      try change.bind(1, name)
      if let value { try change.bind(2, value) }
      try change.run()
    }
  }
}
