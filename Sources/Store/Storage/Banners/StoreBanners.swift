import Basics
package import Foundation
import GRDB
package import Messages

/// A banner whose state was forgotten.
package struct ForgottenBanner: Hashable, Sendable {
  package var source: SourceID
  /// Of the source, which may be configured no longer.
  package var sourceName: String
  package var name: String
}

/// States of banners, by source and name. The state is kept for half a year after a banner left its control file.
package struct StoreBanners: StorePart {
  let store: Store

  /// Deletes what is remembered of banners that the control files of their sources have not had for half a year.
  ///
  /// Only what newer readings of the same control file lack: while it is not read, nothing is forgotten.
  static func forgetUnlisted(_ db: Database) throws {
    try db.prepared(
      """
      DELETE FROM banner WHERE listed < ?
        + (SELECT max(listed) FROM banner other WHERE other.source_id = banner.source_id)
      """
    ).run(-Limits.unlistedSeconds * 1000)
  }

  /// Every banner of a source that anything is remembered of.
  package func all(of source: SourceID) throws(StoreFailure) -> [String: BannerState] {
    try read { db in try BannerState.all(of: source, db, columns) }
  }

  /// A control file was read: one launch more for each of its banners, also those that were never seen.
  ///
  /// - Returns: what is remembered of the source's banners now.
  @discardableResult
  package func countLaunch(
    of names: [String], in source: SourceID, at now: Date
  ) throws(StoreFailure) -> [String: BannerState] {
    try write { db in
      _ = try SourceRow.find(source, db, columns)
      let upsert = try db.prepared(
        """
        INSERT INTO banner (source_id, name, launches, listed) VALUES (?1, ?2, 1, ?3)
        ON CONFLICT (source_id, name) DO UPDATE SET launches = launches + 1, listed = excluded.listed
        """)
      for name in names {
        upsert.bind(1, source.rawValue)
        try upsert.bind(2, name)
        upsert.bind(3, now.milliseconds)
        try upsert.run()
      }
      return try BannerState.all(of: source, db, columns)
    }
  }

  /// A banner's entry view was put up: displayed, at this time, no launch since.
  package func recordDisplay(
    _ name: String, of source: SourceID, at now: Date
  ) throws(StoreFailure) {
    try write { db in
      _ = try SourceRow.find(source, db, columns)
      let upsert = try db.prepared(
        """
        INSERT INTO banner (source_id, name, displayed, last_display, launches, listed)
        VALUES (?1, ?2, 1, ?3, 0, ?3)
        ON CONFLICT (source_id, name) DO UPDATE SET displayed = 1, last_display = ?3, launches = 0
        """)
      upsert.bind(1, source.rawValue)
      try upsert.bind(2, name)
      upsert.bind(3, now.milliseconds)
      try upsert.run()
    }
  }

  /// Sets and clears flags of a banner, in this order.
  ///
  /// - Returns: the flags that were not set because there are too many already.
  @discardableResult
  package func setFlags(
    _ flags: [(name: String, isSet: Bool)], of banner: String, in source: SourceID
  ) throws(StoreFailure) -> [String] {
    try write { db in
      _ = try SourceRow.find(source, db, columns)
      var state = try BannerState.all(of: source, db, columns)[banner] ?? BannerState()
      var refused: [String] = []
      for (name, isSet) in flags {
        if state.flags[name] == nil, state.flags.count >= Limits.flagsOfABanner {
          refused.append(name)
        } else {
          state.flags[name] = isSet
        }
      }
      let upsert = try db.prepared(
        """
        INSERT INTO banner (source_id, name, flags, listed) VALUES (?1, ?2, ?3, (SELECT coalesce(max(listed), 0) FROM banner WHERE source_id = ?1))
        ON CONFLICT (source_id, name) DO UPDATE SET flags = ?3
        """)
      upsert.bind(1, source.rawValue)
      try upsert.bind(2, banner)
      try upsert.bind(3, columns.flags.text(state.flags))
      try upsert.run()
      return refused
    }
  }

  /// Forgets the state of a banner, or of all.
  ///
  /// - Parameters:
  ///   - name: nil means every banner.
  ///   - source: nil means of every source, also of those that are configured no longer.
  /// - Returns: what was forgotten, by source and name; empty where nothing was remembered.
  @discardableResult
  package func forget(
    named name: String? = nil, of source: SourceID? = nil
  ) throws(StoreFailure) -> [ForgottenBanner] {
    try write { db in
      let query = try db.prepared(
        """
        SELECT b.source_id, s.name, b.name FROM banner b JOIN source s ON s.id = b.source_id
        WHERE (?1 IS NULL OR b.name = ?1) AND (?2 IS NULL OR b.source_id = ?2) ORDER BY s.place, s.id, b.name
        """)
      let delete = try db.prepared(
        "DELETE FROM banner WHERE (?1 IS NULL OR name = ?1) AND (?2 IS NULL OR source_id = ?2)")
      for statement in [query, delete] {
        try statement.bind(1, name)
        statement.bind(2, source?.rawValue)
      }
      var forgotten: [ForgottenBanner] = []
      try query.forEach {
        forgotten.append(
          ForgottenBanner(source: SourceID(query.int(0)), sourceName: query.text(1), name: query.text(2)))
      }
      if !forgotten.isEmpty { try delete.run() }
      return forgotten
    }
  }
}

extension BannerState {
  fileprivate static func all(
    of source: SourceID, _ db: Database, _ columns: Columns
  ) throws -> [String: BannerState] {
    let query = try db.prepared(
      "SELECT name, displayed, last_display, launches, flags FROM banner WHERE source_id = ?")
    query.bind(1, source.rawValue)
    var banners: [String: BannerState] = [:]
    try query.forEach {
      var state = BannerState()
      state.isDisplayed = query.bool(1)
      state.lastDisplay = query.optionalInt(2).map(Date.init(milliseconds:))
      state.launches = Int(query.int(3))
      let flags = query.text(4)
      state.flags = flags == "{}" ? [:] : columns.flags.value(flags) ?? [:]
      banners[query.text(0)] = state
    }
    return banners
  }
}
