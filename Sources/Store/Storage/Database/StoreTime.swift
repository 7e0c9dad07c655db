package import Foundation
import GRDB
import Messages
import Synchronization

/// Applies changes that are due at a time: messages appear, expire, and return after a snooze.
package struct StoreTime: StorePart {
  let store: Store

  /// Shows and removes messages as of `now`, which may also be earlier than the last time. Rules and lists
  /// are applied again to messages that time has changed. Each call handles one slice, so that neither the
  /// next list nor another write waits for everything that is due.
  ///
  /// Counts and dots are updated. If nothing is due, it only reads some indexes and writes nothing.
  ///
  /// - Returns: the instant at which this must be called again, and `StoreFeatures.switchDue` with it: when
  ///   something next appears, expires or is switched, or `now` if more is due. `nil` if nothing will be due.
  @discardableResult
  package func advance(to now: Date) throws(StoreFailure) -> Date? {
    let stamp = now.milliseconds
    let isMoreDue = try applyTime(to: stamp)
    let isCopyLeft = try findFirsts()
    let isRuleLeft = try judgeMoments(at: stamp)
    let isRepetitionLeft = try notifyAgain(at: stamp)
    try judgeAgain(whereSetBackTo: stamp)
    let isListLeft = try store.savedLists.judge(at: now)
    if isMoreDue || isCopyLeft || isRuleLeft || isRepetitionLeft || isListLeft { return now }
    let judges = arrivals.areSet
    let moments = try read { db in
      [
        try StoreClock(db, columns).next(after: stamp), try SavedLists(db).nextMoment(),
        try Repetitions(db).next(),
        // Without its own rules, this process leaves the moments of rules to others.
        judges ? try db.integer("SELECT min(at) FROM rule_due") : nil,
      ]
    }
    return moments.compactMap(\.self).min().map(Date.init(milliseconds:))
  }

  /// Shows messages that are due and removes expired ones, for callers that read the store only once. If very
  /// many are due, only the first slice is handled.
  ///
  /// Afterwards, if an original is no longer listed, a duplicate that is listed has replaced it. Otherwise
  /// lists of all sources would lack the message.
  package func catchUp(to now: Date) throws(StoreFailure) {
    _ = try applyTime(to: now.milliseconds)
    while try findFirsts() {}
  }

  /// Determines new originals for a slice of the duplicates that wait for one, as each transaction does at
  /// its end.
  ///
  /// - Returns: whether more are waiting.
  func findFirsts() throws(StoreFailure) -> Bool {
    guard try read({ db in try Duplicates(db).isPending() }) else { return false }
    try maintain { _ in }
    return try read { db in try Duplicates(db).isPending() }
  }

  /// Applies everything that is due, in slices.
  package func catchUpWhole(to now: Date) throws(StoreFailure) {
    while let next = try advance(to: now), next <= now {}
  }

  /// Shows and hides a slice of the messages that are due.
  ///
  /// - Returns: whether more is due.
  private func applyTime(to now: Milliseconds) throws(StoreFailure) -> Bool {
    let (areHoldsAhead, isDue) = try read { db in
      (try StorePolls.areHoldsAhead(of: now, db), try StoreClock(db, columns).isDue(at: now))
    }
    if areHoldsAhead { try write { db in try StorePolls.moveHolds(to: now, db) } }
    guard isDue else { return false }
    return try maintain { db in try StoreClock(db, columns, arrivals).advance(to: now) }
  }

  /// Applies the rules again to a slice of the messages for which this is due.
  ///
  /// - Returns: whether more is due.
  private func judgeMoments(at now: Milliseconds) throws(StoreFailure) -> Bool {
    guard arrivals.areSet,
      try read({ db in try db.integer("SELECT 1 FROM rule_due WHERE at <= ? LIMIT 1", now) == 1 })
    else { return false }
    return try maintain { db in
      guard let rejudging = try Rejudging(db, columns, arrivals, at: now) else { return false }
      try rejudging.judge(Rejudging.due(db, at: now))
      return try db.integer("SELECT 1 FROM rule_due WHERE at <= ? LIMIT 1", now) == 1
    }
  }

  /// Notifies again of messages whose notifications a rule repeats, if this is due.
  ///
  /// - Returns: whether more is due.
  private func notifyAgain(at now: Milliseconds) throws(StoreFailure) -> Bool {
    guard let next = try read({ db in try Repetitions(db).next() }), next <= now else { return false }
    return try maintain { db in try Repetitions(db).advance(to: now) }
  }

  /// Tests all messages for saved lists again if the clock was set back: moments are in the future again, so
  /// messages that were too old for a list may match.
  private func judgeAgain(whereSetBackTo now: Milliseconds) throws(StoreFailure) {
    let isSetBack = searches.advanced.withLock { last in
      defer { last = now }
      return last.map { now < $0 } ?? false
    }
    if isSetBack { try write { db in try SavedLists(db).judgeAll() } }
  }

  /// Returns the time of reddot's first start on this database.
  package func installed() throws(StoreFailure) -> Date {
    try read { db in Date(milliseconds: try db.integer("SELECT installed FROM store") ?? 0) }
  }
}
