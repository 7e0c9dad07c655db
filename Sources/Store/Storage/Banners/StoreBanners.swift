import Basics
package import Foundation
import GRDB
package import Messages

/// A banner whose stored state was deleted.
package struct ForgottenBanner: Hashable, Sendable {
  package var source: SourceID
  /// The name of the source, which may no longer be configured.
  package var sourceName: String
  package var name: String
}

/// Stores the states of banners, keyed by source and name. A state is kept for half a year after its banner disappeared
/// from the control file, the document in which a source lists its banners.
package struct StoreBanners: StorePart {
  let store: Store

  /// Deletes the states of banners that the control files of their sources have not contained for half a year.
  ///
  /// The half year ends with the last reading of the same control file: while the file is not read, nothing is deleted.
  static func forgetUnlisted(_ db: Database) throws {
    try db.prepared(
      """
      DELETE FROM banner WHERE listed < ?
        + (SELECT max(listed) FROM banner other WHERE other.source_id = banner.source_id)
      """
    ).run(-Limits.unlistedSeconds * 1000)
  }

  /// Returns the stored state of every banner of a source.
  package func all(of source: SourceID) throws(StoreFailure) -> [String: BannerState] {
    try read { db in try BannerState.all(of: source, db, columns) }
  }

  /// Increments the launch count of each banner of a control file that was just read, including banners that were never
  /// seen.
  ///
  /// - Returns: the states of the source's banners.
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

  /// Records that a banner's entry view was displayed at this time, and sets the number of launches since
  /// then to 0.
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

  /// Sets or clears each of these flags of a banner, in the order of `flags`.
  ///
  /// - Returns: the flags that were not set because there are already too many.
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

  /// Deletes the stored state of one banner or of all.
  ///
  /// - Parameters:
  ///   - name: the banner, or `nil` for all.
  ///   - source: the source, or `nil` for all, including those that are no longer configured.
  /// - Returns: the banners whose state was deleted, sorted by source and name; empty if nothing was stored.
  @discardableResult
  package func forget(
    named name: String? = nil, of source: SourceID? = nil
  ) throws(StoreFailure) -> [ForgottenBanner] {
    try write { db in
      let query = try db.prepared(
        """
        SELECT b.source_id, s.name, b.name FROM banner b JOIN source s ON s.id = b.source_id
        WHERE (?1 IS NULL OR b.name = ?1) AND (?2 IS NULL OR b.source_id = ?2) ORDER BY s.position, s.id, b.name
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
