import Basics
import GRDB
import Messages
import Sync

/// Stores one step, which is what a single undo reverts, in one transaction: its acts in the journal, and the changes
/// for services and other machines.
struct ActTransaction {
  private let db: Database
  private let kind: String
  private let undoes: Int64?
  private let isCarried: Bool
  private let now: Milliseconds
  /// The first act of the step in the journal, or `nil` if nothing has changed yet.
  private(set) var step: Int64?
  /// The messages that were changed so far.
  private(set) var messages = IDRanges()

  /// - Parameters:
  ///   - kind: the kind as in the journal.
  ///   - undoes: the first act of the step that this one undoes.
  ///   - step: the first act of a step that this one continues.
  ///   - isCarried: whether the changes are sent to the services of the messages.
  init(
    _ db: Database, _ kind: String, undoes: Int64? = nil, step: Int64? = nil, isCarried: Bool = true,
    at now: Milliseconds
  ) {
    (self.db, self.kind, self.undoes, self.isCarried, self.now) = (db, kind, undoes, isCarried, now)
    self.step = step
  }

  /// Changes marks of messages, and adds the changes to the journal.
  ///
  /// - Parameter body: changes marks of some of the messages. It receives the id of the act behind the changes, or
  ///   `nil` without synchronisation.
  mutating func act(
    on ids: IDRanges, _ body: (_ act: Int64?, _ ids: IDRanges) throws -> [MarkChange]
  ) throws {
    guard ids.count > Limits.largeAct else { return try actWithin(ids, body) }
    try db.setCache(forLargeWrites: true)
    try actWithin(ids, body)
    try db.setCache(forLargeWrites: false)
  }

  private mutating func actWithin(
    _ ids: IDRanges, _ body: (_ act: Int64?, _ ids: IDRanges) throws -> [MarkChange]
  ) throws {
    for part in try Stamps(db).parts(of: ids, at: now) {
      let journal = Journal(db)
      let id = try journal.nextID()
      let changes = try body(part.stamp == nil ? nil : id, part.ids)
      if changes.isEmpty { continue }
      let seq = part.stamp == nil ? nil : try OwnActs(db).add(changes)
      try journal.append(
        id, kind, changes, undoes: undoes, step: step, seq: seq, stamp: part.stamp, at: now)
      step = step ?? id
      messages = changes.reduce(messages) { $0.union($1.messages) }
      if isCarried { try Outgoing(db).add(changes, at: now) }
    }
  }
}
