import Basics
import GRDB
import Messages
import Sync

/// A step of the person, in one transaction: its acts in the journal, and what services and other machines get of it.
struct Acting {
  private let db: Database
  private let kind: String
  private let undoes: Int64?
  private let isCarried: Bool
  private let now: Milliseconds
  /// Its first act in the journal; nil: nothing has changed yet.
  private(set) var step: Int64?
  /// What it changed.
  private(set) var messages = IDRanges()

  /// - Parameters:
  ///   - kind: as the journal has it.
  ///   - undoes: the first act of the step that this one undoes.
  ///   - step: the first act of a step that this one goes on with.
  ///   - isCarried: services get it.
  init(
    _ db: Database, _ kind: String, undoes: Int64? = nil, step: Int64? = nil, isCarried: Bool = true,
    at now: Milliseconds
  ) {
    (self.db, self.kind, self.undoes, self.isCarried, self.now) = (db, kind, undoes, isCarried, now)
    self.step = step
  }

  /// - Parameter body: changes marks of some of the messages. Gets the act that stands behind them; nil without
  ///   synchronisation.
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
