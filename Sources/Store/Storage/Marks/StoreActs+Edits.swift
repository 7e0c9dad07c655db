package import Foundation
import GRDB
package import Messages

/// An edit of the settings: an act of the journal.
package struct JournaledEdit: Codable, Hashable, Sendable {
  package enum Content: Codable, Hashable, Sendable {
    /// An edit of a file, as its writer encodes it.
    case file(String)
    /// The id of a removed local source (one into which scripts push messages) that the settings do not contain.
    case local(Int64)
    /// The id of a renamed local source that the settings do not contain; `act` has its old and its new name.
    case name(Int64)
    case quiet(before: StoredQuiet, after: StoredQuiet)
  }

  package var act: SettingsAct
  package var content: Content
  /// The changed rules, or `nil` if there are none.
  package var rules: [RuleChange]?

  package init(_ act: SettingsAct, _ content: Content, rules: [RuleChange]? = nil) {
    (self.act, self.content, self.rules) = (act, content, rules)
  }
}

/// A rule of the settings that was changed.
package struct RuleChange: Codable, Hashable, Sendable {
  package var name: String
  /// The earlier form as in `RuleRecord`, or `nil` if there was no such rule.
  package var before: String?
  /// The present form, or `nil` if it was removed.
  package var after: String?

  /// Returns the changes from the rules `old` to the rules `new`, both keyed by name; sorted by name.
  package static func between(_ old: [String: String], _ new: [String: String]) -> [RuleChange] {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
      .map { RuleChange(name: $0, before: old[$0], after: new[$0]) }
  }
}

/// The quiet time that the user started, as it is stored.
package struct StoredQuiet: Codable, Hashable, Sendable {
  var from: Int64?
  var until: Int64?
}

/// A step of the journal with edits of the settings that must be undone or redone.
package struct EditedStep: Hashable, Sendable {
  /// The row that identifies the step.
  package var row: Int64
  /// The undo of the step, if the step must be redone.
  package var undo: Int64?
  /// The edits in their order.
  package var edits: [JournaledEdit]

  /// Whether the edits of the step must be undone, rather than redone.
  package var isUndone: Bool { undo == nil }
}

extension StoreActs {
  /// Stores an edit as the last act. Call it before the settings change: a process that is killed in between has
  /// changed nothing, which an undo detects. In the other order, the change could not be undone.
  ///
  /// - Parameter step: an earlier edit of the same step.
  /// - Returns: the edit, for `discard`.
  package func journal(
    _ edit: JournaledEdit, joining step: Int64? = nil, at now: Date
  ) throws(StoreFailure) -> Int64 {
    try write(.system) { db in try Journal(db).append(edit, joining: step, at: now.milliseconds) }
  }

  /// Removes an edit that was not made.
  package func discard(_ row: Int64) throws(StoreFailure) {
    try write(.system) { db in try Journal(db).discard(row) }
  }

  /// Marks a step as undone or redone, after its edits were.
  package func finish(_ step: EditedStep, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      let journal = Journal(db)
      guard let undo = step.undo else {
        try journal.append(Journal.undo, of: step.row, at: now.milliseconds)
        return try journal.markUndone(step.row, at: now.milliseconds)
      }
      try journal.append(Journal.redo, of: undo, at: now.milliseconds)
      try journal.markUndone(undo, at: now.milliseconds)
      try journal.markDone(step.row)
    }
  }

  /// Gives up a step that can never be undone or redone, so that the act before it becomes the last one.
  package func giveUp(_ step: EditedStep, at now: Date) throws(StoreFailure) {
    try write(.system) { db in try Journal(db).markUndone(step.undo ?? step.row, at: now.milliseconds) }
  }

  /// Undoes or redoes an edit that changed the database instead of a settings file.
  ///
  /// - Parameter isUndone: whether to undo it.
  /// - Returns: the reason why nothing was changed, or `nil` if the edit was undone or redone.
  package func turn(_ edit: JournaledEdit, isUndone: Bool, at now: Date) throws(StoreFailure) -> String? {
    switch edit.content {
    case .file: nil
    case .local(let id):
      try isUndone ? store.sources.restore(SourceID(id)) : store.sources.unlist(local: SourceID(id))
    case .name(let id):
      try rename(SourceID(id), from: edit.act, isUndone: isUndone, at: now)
    case .quiet(let before, let after):
      try write(.system) { db in
        let (found, wanted) = isUndone ? (after, before) : (before, after)
        guard try StoredQuiet.stored(db) == found else { return "it was set again since" }
        try wanted.store(db)
        return nil
      }
    }
  }

  private func rename(
    _ id: SourceID, from act: SettingsAct, isUndone: Bool, at now: Date
  ) throws(StoreFailure) -> String? {
    let former = act.formerName ?? act.name
    let (found, wanted) = isUndone ? (act.name, former) : (former, act.name)
    let name = try store.sources.statuses().first { $0.source.id == id }?.source.name
    guard name == found else { return "it was removed, or has another name now" }
    try store.sources.rename(id, to: wanted, at: now)
    return nil
  }
}

extension StoredQuiet {
  static func stored(_ db: Database) throws -> StoredQuiet {
    let query = try db.prepared("SELECT quiet_from, quiet_until FROM store")
    return try query.first { StoredQuiet(from: query.optionalInt(0), until: query.optionalInt(1)) }
      ?? StoredQuiet()
  }

  func store(_ db: Database) throws {
    let update = try db.prepared("UPDATE store SET quiet_from = ?, quiet_until = ?")
    update.bind(1, from)
    update.bind(2, until)
    try update.run()
  }
}
