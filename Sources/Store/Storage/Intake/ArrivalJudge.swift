package import Foundation
import GRDB
package import Messages
package import Queries
import Synchronization

/// Decides what messages become that arrive, and on which channels they get a notice.
package protocol ArrivalJudging: Sendable {
  /// For the arrivals of one transaction.
  ///
  /// - Parameters:
  ///   - tokenizer: that of the search index; only for this transaction.
  ///   - now: when they arrive.
  func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge
}

/// Asked within the transaction that stores the messages, so it must be fast and must not use the store.
package protocol ArrivalJudge {
  /// - Parameter facts: the message before any rule. They are made only where they decide.
  func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict
}

extension Store {
  /// From now on, what arrives is judged so; nil: not at all.
  package func judgeArrivals(with judging: (any ArrivalJudging)?) {
    arrivals.judging.withLock { $0 = judging }
  }
}

/// The judge that a store asks.
final class ArrivalJudges: Sendable {
  let judging = Mutex<(any ArrivalJudging)?>(nil)

  var areSet: Bool { judging.withLock { $0 != nil } }

  /// Nil where nothing is judged.
  func judge(_ db: Database, at now: Milliseconds) throws -> (any ArrivalJudge)? {
    guard let judging = judging.withLock(\.self) else { return nil }
    return judging.judge(try SearchTokenizer(db), at: Date(milliseconds: now))
  }
}
