package import Foundation
import GRDB
package import Messages

/// The sources of the settings and those of scripts: which are listed, their names, counts and dots.
package struct StoreSources: StorePart {
  let store: Store

  /// Returns the sources in the database. Read them before the settings that `register` receives.
  package func registered() throws(StoreFailure) -> RegisteredSources {
    try read { db in RegisteredSources(try SourceRow.all(db, columns)) }
  }

  /// Stores the sources of the settings as the listed ones, in their order.
  ///
  /// An existing source gets its id and its messages back, even under another name: see `SourceMatching`. One that is
  /// no longer configured stays stored, unlisted and uncounted; but a local source stays listed, whether or not the
  /// settings contain it, until it is removed.
  ///
  /// With another URL or kind, the source starts again: cursor, validators and poll state are cleared, and messages
  /// stay. This does not happen if permanent redirects led to the new URL. Nothing is written if nothing changed.
  ///
  /// - Parameter before: the state of the database when the settings were read. If another process has registered
  ///   settings since, those read here may be older.
  /// - Returns: all listed sources, or `nil` if another process was first; then read the settings again.
  package func register(
    _ sources: [ConfiguredSource], since before: RegisteredSources, at now: Date
  ) throws(StoreFailure) -> [Source]? {
    if let unchanged = before.sources(ifTheyAre: sources) { return unchanged }
    return try write(.system) { db in
      guard try RegisteredSources(SourceRow.all(db, columns)).isSame(as: before) else { return nil }
      return try save(sources, db, at: now)
    }
  }

  /// Registers sources like `register(_:since:at:)`, whatever another process has registered.
  @discardableResult
  package func register(_ sources: [ConfiguredSource], at now: Date) throws(StoreFailure) -> [Source] {
    if let unchanged = try registered().sources(ifTheyAre: sources) { return unchanged }
    return try write(.system) { db in try save(sources, db, at: now) }
  }

  private func save(_ sources: [ConfiguredSource], _ db: Database, at now: Date) throws -> [Source] {
    let old = try SourceRow.all(db, columns)
    let found = SourceMatching.rows(of: sources, among: old)
    let wanted = Set(found.compactMap { $0?.source.id })
    for row in old where row.place != nil && !wanted.contains(row.source.id) {
      if row.source.kind == .local {
        try list(local: row.source.id, db)
      } else {
        try unlist(row.source.id, db)
      }
    }
    for (source, row) in zip(sources, found) {
      guard let row, row.source.isDeduplicated, !source.settings.isDeduplicated else { continue }
      try Duplicates(db).separate(source: row.source.id)
    }
    try freeNames(of: sources, found, among: old, db)
    for (place, (source, known)) in zip(sources, found).enumerated() {
      _ = try SourceRow.save(source, place: Int64(place), id: known?.source.id, db, columns)
      if let known { try carryOver(known, to: source, db, at: now) }
    }
    let new = try SourceRow.all(db, columns)
    if Self.askedFor(new) != Self.askedFor(old) { try SavedLists(db).judgeAll() }
    try StorePreferences.follow(new, before: old, db)
    try SyncSetup(db, at: now.milliseconds).name(new)
    try SourceCells(db, at: now.milliseconds).send(new, before: old)
    try ContentIntake(db, columns, arrivals, at: now.milliseconds).store()
    return new.compactMap { $0.place == nil ? nil : $0.source }
  }

  /// Returns, for each source, the properties that queries test, and those that decide whether its messages
  /// are listed.
  private static func askedFor(_ rows: [SourceRow]) -> [SourceID: [String?]] {
    var asked: [SourceID: [String?]] = [:]
    for row in rows {
      let source = row.source
      // With another URL, a source has no title until the next poll.
      asked[source.id] =
        [source.name, source.title, source.folder?.path, source.kind.rawValue, source.address]
        + [row.place == nil ? nil : "listed"] + source.channels
    }
    return asked
  }

  /// Gives other names to sources whose names are taken over by sources of the settings, since names are unique in the
  /// table.
  private func freeNames(
    of sources: [ConfiguredSource], _ found: [SourceRow?], among old: [SourceRow], _ db: Database
  ) throws {
    let rename = try db.prepared("UPDATE source SET name = ?2 WHERE id = ?1")
    func name(_ row: SourceRow, _ name: String) throws {
      rename.bind(1, row.source.id.rawValue)
      try rename.bind(2, name)
      try rename.run()
    }
    var taken = Set(sources.map(\.name))
    let configured = Set(found.compactMap { $0?.source.id })
    for (source, row) in zip(sources, found) {
      // No setting can contain a NUL, so no source has such a name. The right one is written with the other settings.
      if let row, row.source.name != source.name { try name(row, "\u{0}\(row.source.id.rawValue)") }
    }
    let others = old.filter { !configured.contains($0.source.id) }
    let isWanted = { (row: SourceRow) in taken.contains(row.source.name) }
    let displaced = others.filter(isWanted)
    taken.formUnion(others.map(\.source.name))
    for row in displaced {
      var number = 2
      while taken.contains("\(row.source.name) \(number)") { number += 1 }
      taken.insert("\(row.source.name) \(number)")
      try name(row, "\(row.source.name) \(number)")
    }
  }

  /// Renames a source; everything else stays.
  ///
  /// - Parameter act: makes it a step of the journal, for a source that the settings do not contain.
  /// - Throws: `nameTaken` if another source has the name, `unknownSource`.
  package func rename(
    _ id: SourceID, to name: String, as act: SettingsAct? = nil, at now: Date
  ) throws(StoreFailure) {
    try write(.system) { db in
      if let act {
        _ = try Journal(db).append(JournaledEdit(act, .name(id.rawValue)), at: now.milliseconds)
      }
      let rows = try SourceRow.all(db, columns)
      guard rows.contains(where: { $0.source.id == id }) else { throw StoreFailure.unknownSource(id) }
      let wish = rows.first { $0.source.name == name }
      if let wish, wish.source.id != id {
        guard wish.place == nil else { throw StoreFailure.nameTaken(name: name) }
        // The other source was removed: its messages stay under another name.
        try freeNames(of: [ConfiguredSource(name: name, settings: SourceSettings())], [nil], among: rows, db)
      }
      let update = try db.prepared("UPDATE source SET name = ?2 WHERE id = ?1")
      update.bind(1, id.rawValue)
      try update.bind(2, name)
      try update.run()
      try SavedLists(db).judgeAll()
      try SourceCells(db, at: now.milliseconds).send(
        SourceRow.all(db, columns), before: rows)
    }
  }

  /// Returns the local source that receives messages, listed from now on: the given one, or the first existing one if
  /// none is given. A missing source is created.
  func localSource(_ wish: ConfiguredSource?, _ db: Database) throws -> Source {
    let rows = try SourceRow.all(db, columns)
    if wish == nil, let first = rows.first(where: { $0.place != nil && $0.source.kind == .local }) {
      return first.source
    }
    let wish = wish ?? ConfiguredSource(name: "local", kind: .local, address: "")
    guard let known = rows.first(where: { $0.source.name == wish.name }) else {
      let id = try SourceRow.save(wish, place: nil, id: nil, db, columns)
      try list(local: id, db)
      return wish.source(id: id)
    }
    if known.place != nil {
      guard known.source.kind == .local else { throw StoreFailure.notLocal(name: wish.name) }
      return known.source
    }
    // The source was removed; its name now belongs to the scripts' source.
    if known.source.kind != .local {
      _ = try SourceRow.save(wish, place: nil, id: known.source.id, db, columns)
      try startAnew(known.source.id, db)
    }
    try list(local: known.source.id, db)
    try relist(known.source.id, db)
    try SavedLists(db).judgeAll()
    return try SourceRow.find(known.source.id, db, columns).source
  }

  /// Lists a local source that is not in the settings after all others. Such sources are sorted by their first
  /// messages.
  func list(local id: SourceID, _ db: Database) throws {
    try db.prepared("UPDATE source SET position = ?2 + id WHERE id = ?1").run(
      id.rawValue, RegisteredSources.firstUnnamedPlace)
  }

  /// Whether the first poll of a source was completely stored.
  package func hasFirstPoll(_ source: SourceID) throws(StoreFailure) -> Bool {
    try read { db in
      try db.integer("SELECT is_filled FROM polling WHERE source_id = ?", source.rawValue) == 1
    }
  }

  /// Returns the configured sources in the settings' order, with stored counts, dots and poll states.
  package func statuses() throws(StoreFailure) -> [SourceStatus] {
    try read { db in try statuses(db).map(\.status) }
  }

  /// Returns the stored number of unread messages of each configured source, and its dot.
  package func unreadCounts() throws(StoreFailure) -> [SourceID: UnreadCounts] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT c.source_id, c.unread, \(SourceStatus.hasDot)
        FROM tally c CROSS JOIN source s ON s.id = c.source_id
        WHERE s.position IS NOT NULL
        """)
      let duplicates = try Duplicates(db).unreadBySource()
      var counts: [SourceID: UnreadCounts] = [:]
      try query.forEach {
        let id = SourceID(query.int(0))
        counts[id] = UnreadCounts(
          unread: Int(query.int(1)), isUnseen: query.bool(2), duplicates: duplicates[id] ?? [:])
      }
      return counts
    }
  }

  /// Returns the number of messages in each channel that the source's settings leave out.
  package func inOtherChannels(of source: SourceID) throws(StoreFailure) -> [(channel: String, count: Int)] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT t.channel, count(*) FROM status t, store c
        WHERE t.source_id = ?1 AND t.channel IS NOT NULL AND NOT t.is_shown
          AND (t.visible_from IS NULL OR t.visible_from <= c.clock) AND (t.expires IS NULL OR t.expires > c.clock)
        GROUP BY t.channel ORDER BY t.channel
        """)
      query.bind(1, source.rawValue)
      var counts: [(channel: String, count: Int)] = []
      try query.forEach { counts.append((query.text(0), Int(query.int(1)))) }
      return counts
    }
  }

  func statuses(_ db: Database) throws -> [(status: SourceStatus, starred: Int)] {
    let query = try db.prepared(
      """
      SELECT \(SourceRow.columns), \(PollState.columns), p.title, p.badge, c.total, c.unread, c.starred,
        \(SourceStatus.hasDot), p.link, p.quota
      FROM source s CROSS JOIN polling p ON p.source_id = s.id CROSS JOIN tally c ON c.source_id = s.id
      WHERE s.position IS NOT NULL ORDER BY s.position
      """)
    let rest = SourceRow.columnCount + PollState.columnCount
    var statuses: [(SourceStatus, Int)] = []
    try query.forEach {
      let source = SourceRow(query, columns).source
      var status = SourceStatus(
        source: source, title: query.optionalText(rest), isUnseen: query.bool(rest + 5),
        unread: Int(query.int(rest + 3)), total: Int(query.int(rest + 2)),
        badge: query.optionalInt(rest + 1).map { Int($0) },
        state: PollState(query, at: SourceRow.columnCount, columns), link: query.optionalText(rest + 6))
      status.quota = query.optionalText(rest + 7).flatMap(columns.quota.value)
      statuses.append((status, Int(query.int(rest + 4))))
    }
    let duplicates = try Duplicates(db).unreadBySource()
    if !duplicates.isEmpty {
      for index in statuses.indices {
        statuses[index].0.counts.duplicates = duplicates[statuses[index].0.source.id] ?? [:]
      }
    }
    return statuses
  }

  // MARK: - What a change of settings does to the lists

  /// Records that a source is no longer listed, and removes its messages from the lists that show several
  /// sources.
  func unlist(_ source: SourceID, _ db: Database) throws {
    try db.prepared("UPDATE source SET position = NULL WHERE id = ?").run(source.rawValue)
    // Its own lists, counts and dot are kept for its return.
    try follow(source, false, db)
  }

  /// Shows a source's messages again in the lists that show several sources.
  ///
  /// - Precondition: the position of the source is already stored.
  func relist(_ source: SourceID, _ db: Database) throws { try follow(source, true, db) }

  /// Sets whether the lists that show several sources contain a source's messages.
  private func follow(_ source: SourceID, _ isFollowed: Bool, _ db: Database) throws {
    for condition in ["is_listed", "NOT is_listed"] {
      try db.prepared(
        "UPDATE status SET is_followed = ?2 WHERE source_id = ?1 AND \(condition) AND is_followed <> ?2"
      ).run(source.rawValue, isFollowed ? 1 : 0)
    }
  }

  /// Clears the poll state after a change of URL or kind; the messages stay.
  private func startAnew(_ id: SourceID, _ db: Database) throws {
    try PollPosition().save(id, db)
    try PollState().save(id, db, columns)
    try db.prepared(
      """
      UPDATE polling SET is_filled = 0, title = NULL, link = NULL, badge = NULL, content_at = NULL,
        stream_failure = NULL, stream_failed = NULL
      WHERE source_id = ?
      """
    )
    .run(id.rawValue)
  }

  /// Clears the state of earlier requests of a source that is listed again, so that its configured URL is soon polled
  /// for the whole document.
  private func askAgain(_ id: SourceID, _ db: Database) throws {
    try db.prepared(
      """
      UPDATE polling SET moved_to = NULL, moved_count = 0, etag = NULL, last_modified = NULL,
        last_attempt_start = NULL, last_attempt_end = NULL
      WHERE source_id = ?
      """
    )
    .run(id.rawValue)
  }

  /// Applies what changed in the settings of a source to its poll state and its messages.
  private func carryOver(
    _ old: SourceRow, to new: ConfiguredSource, _ db: Database, at now: Date
  ) throws {
    let id = old.source.id
    if old.place == nil {
      try relist(id, db)
      try askAgain(id, db)
    }
    if old.source.kind != new.kind || old.source.address != new.address {
      if old.source.kind == new.kind, try PollPosition.find(id, db).permanentAddress == new.address {
        try db.prepared("UPDATE polling SET moved_to = NULL, moved_count = 0 WHERE source_id = ?")
          .run(id.rawValue)
      } else {
        try startAnew(id, db)
      }
    }
    if old.source.channels != new.channels {
      let clock = StoreClock(db, columns, arrivals)
      try clock.advance(to: now.milliseconds)
      try clock.showAgain(inChannelsOf: id.rawValue)
    }
  }
}
