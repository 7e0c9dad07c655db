package import Foundation
import GRDB
package import Messages
package import Queries

/// What a rule would have done with messages that came before.
package struct RuleTrial: Hashable, Sendable {
  /// How many messages were looked at.
  package var looked = 0
  package var matched = 0
  /// Of those that matched: what the user did with them.
  package var opened = 0
  package var starred = 0
  package var bySource: [SourceID: Int] = [:]
  /// By day number, as the caller counts days.
  package var byDay: [Int: Int] = [:]
  /// The newest of them.
  package var samples: [MessageID] = []
  /// All of them, the newest first.
  package var ids: [MessageID] = []

  package init() {}

  /// How many samples are kept.
  package static let mostSamples = 10
}

extension Store {
  /// Asks a query of every message that came since an instant, as it is now: marks, tags and priority included.
  ///
  /// Messages that are off the lists count as those that the query shows count: see `QueryMatcher.shows`.
  ///
  /// - Parameter day: the number of the day of an instant.
  package func trial(
    of query: Query, since start: Date, now: Date, zone: TimeZone, day: (Date) -> Int
  ) throws(StoreFailure) -> RuleTrial {
    var trial = RuleTrial()
    var next: Int64? = .max
    while let from = next {
      // Each slice is an instant of its own, so that a long look keeps no log from being written back.
      next = try read { db in
        let matcher = QueryMatcher(query, tokenizer: try SearchTokenizer(db), now: now, zone: zone)
        let facts = try FactsReader(db, columns, subjects: query.subjects, at: now.milliseconds)
        let slice = try db.prepared(
          "SELECT id, received FROM message WHERE id < ? ORDER BY id DESC LIMIT ?")
        slice.bind(1, from)
        slice.bind(2, Rejudging.most)
        var ids: [(id: Int64, received: Milliseconds)] = []
        try slice.forEach { ids.append((slice.int(0), slice.int(1))) }
        let wanted = ids.filter { $0.received >= start.milliseconds }
        for (id, received) in wanted {
          guard let known = try facts.facts(of: id) else { continue }
          trial.looked += 1
          guard matcher.shows(known) else { continue }
          trial.matched += 1
          if !known.states.contains(.unread) { trial.opened += 1 }
          if known.states.contains(.starred) { trial.starred += 1 }
          if let source = try db.integer("SELECT source_id FROM message WHERE id = ?", id) {
            trial.bySource[SourceID(source), default: 0] += 1
          }
          trial.byDay[day(Date(milliseconds: received)), default: 0] += 1
          if trial.samples.count < RuleTrial.mostSamples { trial.samples.append(MessageID(id)) }
          trial.ids.append(MessageID(id))
        }
        // Ids follow the arrival, but the clock may have been set back: it ends with a slice that has nothing.
        return ids.count < Rejudging.most || wanted.isEmpty ? nil : ids.last?.id
      }
    }
    return trial
  }
}
