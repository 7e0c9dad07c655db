import GRDB
package import Messages

/// The remembered state of the inbox's display: closed folders, widths of panes, and the state of each list.
///
/// The state of a source's list or a saved list is stored with the source or saved list. It is deleted together with
/// it, and stays if it gets another name. The states of other lists are stored under the lists' names.
package struct StorePreferences: StorePart {
  let store: Store

  /// Returns all values, keyed by name.
  package func all() throws(StoreFailure) -> [String: String] {
    try read { db in
      var values: [String: String] = [:]
      let query = try db.prepared("SELECT name, value FROM preference")
      try query.forEach { values[query.text(0)] = query.text(1) }
      return values
    }
  }

  /// Stores a value.
  ///
  /// - Parameter value: the value, or `nil` to delete it.
  package func set(_ name: String, to value: String?) throws(StoreFailure) {
    try write { db in try Self.set(name, to: value, db) }
  }

  private static func set(_ name: String, to value: String?, _ db: Database) throws {
    let change = try db.prepared(
      value == nil
        ? "DELETE FROM preference WHERE name = ?1"
        : "INSERT INTO preference (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
    )
    try change.bind(1, name)
    if let value { try change.bind(2, value) }
    try change.run()
  }

  // MARK: - Lists

  private static let plainLists: [(list: InboxQuery.Scope, name: String)] = [
    (.all, "list/all"), (.starred, "list/starred"), (.snoozed, "list/snoozed"),
    (.dismissed, "list/dismissed"), (.hidden, "list/hidden"), (.waiting, "list/waiting"),
  ]
  private static let folders = "list/folder/"

  /// Returns the stored states of all lists whose display differs from the settings.
  package func lists() throws(StoreFailure) -> [InboxQuery.Scope: String] {
    try read { db in
      var lists: [InboxQuery.Scope: String] = [:]
      let plain = try db.prepared("SELECT value FROM preference WHERE name = ?")
      for (list, name) in Self.plainLists {
        try plain.bind(1, name)
        lists[list] = try plain.first { plain.text(0) }
      }
      for (path, state) in try Self.folderStates(db) {
        if let folder = Folder(path) { lists[.folder(folder)] = state }
      }
      let sources = try db.prepared("SELECT id, list_state FROM source WHERE list_state IS NOT NULL")
      try sources.forEach { lists[.source(SourceID(sources.int(0)))] = sources.text(1) }
      let saved = try db.prepared("SELECT id, list_state FROM saved_list WHERE list_state IS NOT NULL")
      try saved.forEach { lists[.list(SavedListID(saved.int(0)))] = saved.text(1) }
      return lists
    }
  }

  /// Stores the state of a list.
  ///
  /// - Parameter state: the new state, or `nil` to delete the stored one.
  package func set(_ list: InboxQuery.Scope, to state: String?) throws(StoreFailure) {
    try write { db in
      switch list {
      case .source(let id): try Self.set("source", id.rawValue, to: state, db)
      case .list(let id): try Self.set("saved_list", id.rawValue, to: state, db)
      case .folder(let folder): try Self.set(Self.folders + folder.path, to: state, db)
      case .all, .starred, .snoozed, .dismissed, .hidden, .waiting:
        if let name = Self.plainLists.first(where: { $0.list == list })?.name {
          try Self.set(name, to: state, db)
        }
      }
    }
  }

  private static func set(_ table: String, _ id: Int64, to state: String?, _ db: Database) throws {
    let change = try db.prepared("UPDATE \(table) SET list_state = ?2 WHERE id = ?1")
    change.bind(1, id)
    try change.bind(2, state)
    try change.run()
  }

  private static func folderStates(_ db: Database) throws -> [(path: String, state: String)] {
    var states: [(path: String, state: String)] = []
    let query = try db.prepared(
      "SELECT substr(name, length(?1) + 1), value FROM preference WHERE substr(name, 1, length(?1)) = ?1")
    try query.bind(1, folders)
    try query.forEach { states.append((query.text(0), query.text(1))) }
    return states
  }

  /// Deletes the states of folders that no longer exist. If all sources of a folder are now in another one, the folder
  /// was renamed, and its state is kept under the new name.
  static func follow(_ new: [SourceRow], before old: [SourceRow], _ db: Database) throws {
    let states = try folderStates(db)
    if states.isEmpty { return }
    let listed = new.filter { $0.place != nil }.map(\.source)
    for (path, state) in states {
      if let folder = Folder(path), listed.contains(where: { folder.contains($0.folder) }) { continue }
      try set(folders + path, to: nil, db)
      guard
        let other = successor(of: path, among: listed, before: old.filter { $0.place != nil }.map(\.source)),
        !states.contains(where: { $0.path == other })
      else { continue }
      try set(folders + other, to: state, db)
    }
  }

  /// Returns the path of the folder to which all remaining sources of another folder moved, or `nil` if there
  /// is none.
  private static func successor(of path: String, among new: [Source], before old: [Source]) -> String? {
    guard let folder = Folder(path) else { return nil }
    var found: Set<String?> = []
    for source in old where folder.contains(source.folder) {
      guard let now = new.first(where: { $0.id == source.id }) else { continue }
      let inner = source.folder?.path.dropFirst(path.count) ?? ""
      let isBelow = now.folder.map { $0.path.hasSuffix(inner) && $0.path.count > inner.count } ?? false
      found.insert(isBelow ? now.folder.map { String($0.path.dropLast(inner.count)) } : nil)
    }
    return found.count == 1 ? found.first.flatMap { $0 } : nil
  }
}
