import Basics
package import Foundation
import GRDB
package import Messages
import Queries

/// The saved lists of the settings, with their unread counts.
package struct StoreSavedLists: StorePart {
  let store: Store

  /// Stores the saved lists of the settings. The messages of a new or changed list are counted again: see `judge`. A
  /// list with another name but the same query remains the same list.
  ///
  /// - Parameter lists: lists with distinct names. Without a change nothing is written.
  package func apply(lists: [SavedList]) throws(StoreFailure) {
    let isTimed = lists.contains { Self.query(of: $0)?.subjects.contains(.time) ?? false }
    // Queries that do not depend on a day or hour are the same in every zone.
    let zone = isTimed ? (searching().time?.zone ?? .gmt).name : nil
    let (known, knownZone) = try read { db in (try SavedLists(db).statuses(), try Self.scannedZone(db)) }
    if known.map(\.list) == lists, knownZone == zone { return }
    let ids = Self.ids(of: lists, among: known)
    for status in known where !ids.contains(status.id) { try forget(status.id) }
    try write { db in
      var isChanged = false
      for (place, (list, id)) in zip(lists, ids).enumerated() {
        let isSame = known.contains { $0.id == id && $0.list.query == list.query }
        if !isSame { isChanged = true }
        try Self.save(list, id, place: place, isSame: isSame, db)
      }
      if lists.isEmpty {
        try db.execute(sql: "DELETE FROM list_pending; DELETE FROM list_due")
      } else if isChanged || knownZone != zone {
        try SavedListScan.restart(db)
      }
      let update = try db.prepared("UPDATE list_scan SET zone = ?")
      try update.bind(1, zone)
      try update.run()
    }
  }

  /// Judges one slice of the messages that wait to be counted: some hundred.
  ///
  /// - Returns: whether more are left.
  @discardableResult
  package func judge(at now: Date) throws(StoreFailure) -> Bool {
    let stamp = now.milliseconds
    guard try read({ db in try SavedLists(db).isWorkLeft(at: stamp) }) else { return false }
    return try write { db in
      var searching = self.searching()
      searching.time = (now, searching.time?.zone ?? .gmt)
      let lists = SavedLists(db)
      try lists.judgeSlice(searching, at: stamp)
      return try lists.isWorkLeft(at: stamp)
    }
  }

  /// Returns the saved lists in the order of the settings, with their stored counts.
  package func all() throws(StoreFailure) -> [SavedListStatus] {
    try read { db in try SavedLists(db).statuses() }
  }

  // MARK: - Within a transaction

  private static func query(of list: SavedList) -> Query? {
    guard let text = list.query, case .success(let query) = Query.parse(text, .strict) else { return nil }
    return query
  }

  /// Returns the name of the time zone in which messages were last judged for lists that depend on a day or hour.
  private static func scannedZone(_ db: Database) throws -> String? {
    let query = try db.prepared("SELECT zone FROM list_scan")
    return try query.first { query.optionalText(0) } ?? nil
  }

  /// Returns the stored list for each list of the settings: the one with the same name or, if there is none,
  /// with a query that no other list has; otherwise `nil`.
  private static func ids(of lists: [SavedList], among known: [SavedListStatus]) -> [SavedListID?] {
    let names = Set(lists.map(\.name))
    var left = known.filter { !names.contains($0.list.name) }
    return lists.map { list in
      if let same = known.first(where: { $0.list.name == list.name }) { return same.id }
      guard list.query != nil, let index = left.firstIndex(where: { $0.list.query == list.query }) else {
        return nil
      }
      return left.remove(at: index).id
    }
  }

  private static func save(
    _ list: SavedList, _ id: SavedListID?, place: Int, isSame: Bool, _ db: Database
  ) throws {
    let asksNew = query(of: list)?.tests.contains {
      if case .state(let states) = $0 { states.contains(.new) } else { false }
    }
    let save = try db.prepared(
      id == nil
        ? "INSERT INTO saved_list (name, position, query, problem, asks_new, is_counted) VALUES (?1, ?2, ?3, ?4, ?5, 0)"
        : """
        UPDATE saved_list SET name = ?1, position = ?2, query = ?3, problem = ?4, asks_new = ?5,
          is_counted = is_counted AND ?6 WHERE id = ?7
        """)
    try save.bind(1, list.name)
    save.bind(2, place)
    try save.bind(3, list.query)
    try save.bind(4, list.mistaken)
    save.bind(5, asksNew ?? false)
    if let id {
      save.bind(6, isSame)
      save.bind(7, id.rawValue)
    }
    try save.run()
  }

  /// Removes a list and its counted messages, with some messages in each transaction.
  private func forget(_ id: SavedListID) throws(StoreFailure) {
    var isUnfinished = true
    while isUnfinished {
      isUnfinished = try maintain { db in
        try db.prepared(
          """
          DELETE FROM list_member WHERE list_id = ?1 AND message_id IN (
            SELECT message_id FROM list_member WHERE list_id = ?1 LIMIT 5000)
          """
        ).run(id.rawValue)
        if db.changesCount > 0 { return true }
        try db.prepared("DELETE FROM saved_list WHERE id = ?").run(id.rawValue)
        return false
      }
    }
  }
}
