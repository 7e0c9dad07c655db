package import Messages

extension Store {
  /// Sets the number on a source, outside of any poll; 0 clears it.
  package func setBadge(_ badge: Int, of source: SourceID) throws(StoreFailure) {
    try write { db in
      let update = try db.prepared("UPDATE polling SET badge = ?2 WHERE source_id = ?1")
      update.bind(1, source.rawValue)
      update.bind(2, badge == 0 ? nil : Int64(badge))
      try update.run()
    }
  }
}
