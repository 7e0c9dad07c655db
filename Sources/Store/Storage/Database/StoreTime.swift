package import Foundation
import GRDB
import Messages
import Synchronization

/// Applies the time: what appears, expires and comes back.
package struct StoreTime: StorePart {
  let store: Store

  /// Shows and removes messages as of `now`, which may also be earlier than the last time, and lets rules and lists judge again
  /// what time has changed: a slice of each, so that neither the next list nor another write waits for all that is due.
  ///
  /// Counts and dots follow. Costs a look into some indexes when nothing is due, and writes nothing then.
  ///
  /// - Returns: The next instant at which something appears, expires or is switched; `now` where more is due. Call again then,
  ///   and `StoreFeatures.switchDue` with it.
  @discardableResult
  package func advance(to now: Date) throws(StoreFailure) -> Date? {
    let stamp = now.milliseconds
    let isMoreDue = try applyTime(to: stamp)
    let isCopyLeft = try findFirsts()
    let isRuleLeft = try judgeMoments(at: stamp)
    try judgeAgain(whereSetBackTo: stamp)
    let isListLeft = try store.savedLists.judge(at: now)
    if isMoreDue || isCopyLeft || isRuleLeft || isListLeft { return now }
    let judges = arrivals.areSet
    let moments = try read { db in
      [
        try StoreClock(db, columns).next(after: stamp), try SavedLists(db).nextMoment(),
        // Without rules of its own this process leaves the moments of rules to others.
        judges ? try db.integer("SELECT min(at) FROM moment") : nil,
      ]
    }
    return moments.compactMap(\.self).min().map(Date.init(milliseconds:))
  }

  /// Shows and removes what is due first, for who reads the store once: of very much only a slice. No copy waits for its first
  /// then: lists over all sources would lack it.
  package func catchUp(to now: Date) throws(StoreFailure) {
    _ = try applyTime(to: now.milliseconds)
    while try findFirsts() {}
  }

  /// A slice of them: each transaction does that at its end.
  ///
  /// - Returns: whether some are left.
  func findFirsts() throws(StoreFailure) -> Bool {
    guard try read({ db in try Copies(db).isPending() }) else { return false }
    try maintain { _ in }
    return try read { db in try Copies(db).isPending() }
  }

  /// All that is due, in slices.
  package func catchUpWhole(to now: Date) throws(StoreFailure) {
    while let next = try advance(to: now), next <= now {}
  }

  /// - Returns: whether more is due.
  private func applyTime(to now: Milliseconds) throws(StoreFailure) -> Bool {
    let (areHoldsAhead, isDue) = try read { db in
      (try StorePolls.areHoldsAhead(of: now, db), try StoreClock(db, columns).isDue(at: now))
    }
    if areHoldsAhead { try write { db in try StorePolls.moveHolds(to: now, db) } }
    guard isDue else { return false }
    return try maintain { db in try StoreClock(db, columns, arrivals).advance(to: now) }
  }

  /// - Returns: whether more is due.
  private func judgeMoments(at now: Milliseconds) throws(StoreFailure) -> Bool {
    guard arrivals.areSet,
      try read({ db in try db.integer("SELECT 1 FROM moment WHERE at <= ? LIMIT 1", now) == 1 })
    else { return false }
    return try maintain { db in
      guard let rejudging = try Rejudging(db, columns, arrivals, at: now) else { return false }
      try rejudging.judge(Rejudging.due(db, at: now))
      return try db.integer("SELECT 1 FROM moment WHERE at <= ? LIMIT 1", now) == 1
    }
  }

  /// Moments lie ahead: what lists say of messages that were too old already is asked again.
  private func judgeAgain(whereSetBackTo now: Milliseconds) throws(StoreFailure) {
    let isSetBack = searches.advanced.withLock { last in
      defer { last = now }
      return last.map { now < $0 } ?? false
    }
    if isSetBack { try write { db in try SavedLists(db).judgeAll() } }
  }

  /// When reddot first started on this database.
  package func installed() throws(StoreFailure) -> Date {
    try read { db in Date(milliseconds: try db.integer("SELECT installed FROM store") ?? 0) }
  }
}
