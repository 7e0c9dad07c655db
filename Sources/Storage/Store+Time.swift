package import Foundation
import GRDB
import Synchronization

extension Store {
  /// Shows and removes messages as of `now`, which may also be earlier than the last time.
  ///
  /// Counts and dots follow. Costs a look into two indexes when nothing is due, and writes nothing then.
  ///
  /// - Returns: The next instant at which something appears, expires or is switched; call again then, and
  ///   `switchDueFeatures` with it.
  @discardableResult
  package func advance(to now: Date) throws(StoreFailure) -> Date? {
    let (due, isUnfinished) = try catchUpPart(to: now.milliseconds)
    // A slice at a time: what is left comes with the next call.
    if isUnfinished { return now }
    let (next, ofLists) = try read { db in
      (try StoreClock(db, columns).next(after: now.milliseconds), try SavedLists(db).nextMoment())
    }
    return [next, due, ofLists].compactMap(\.self).min().map(Date.init(milliseconds:))
  }

  /// The same for who does not ask when to call again, which takes longer to find out.
  package func catchUp(to now: Date) throws(StoreFailure) { _ = try catchUpPart(to: now.milliseconds) }

  /// - Returns: when rules judge a message again, and whether lists have messages left to judge.
  private func catchUpPart(
    to now: Milliseconds
  ) throws(StoreFailure) -> (due: Milliseconds?, isUnfinished: Bool) {
    let judges = arrivals.areSet
    let (isDue, moment) = try read { db in
      // Without rules of its own this process leaves the moments of rules to others.
      let moment = try judges ? db.integer("SELECT min(at) FROM moment") : nil
      return (try StoreClock(db, columns).isDue(at: now), moment)
    }
    if isDue {
      try write { db in try StoreClock(db, columns, arrivals).advance(to: now) }
    }
    var due = moment
    while let moment = due, moment <= now {
      due = try write { db in
        guard let rejudging = try Rejudging(db, columns, arrivals, at: now) else { return nil }
        try rejudging.judge(Rejudging.due(db, at: now))
        return try db.integer("SELECT min(at) FROM moment")
      }
    }
    // Moments lie ahead: what lists say of messages that were too old already is asked again.
    let isSetBack = searches.advanced.withLock { last in
      defer { last = now }
      return last.map { now < $0 } ?? false
    }
    if isSetBack { try write { db in try SavedLists(db).judgeAll() } }
    return (due, try judgeLists(at: Date(milliseconds: now)))
  }

  /// When reddot first started on this database.
  package func installed() throws(StoreFailure) -> Date {
    try read { db in Date(milliseconds: try db.integer("SELECT installed FROM store") ?? 0) }
  }
}
