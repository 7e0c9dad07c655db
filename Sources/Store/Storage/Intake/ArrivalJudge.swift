package import Foundation
import GRDB
package import Messages
package import Queries
import Synchronization

/// Decides what happens to arriving messages, and on which channels they cause notifications.
package protocol ArrivalJudging: Sendable {
  /// Returns a judge for the arrivals of one transaction.
  ///
  /// - Parameters:
  ///   - tokenizer: that of the search index; only for this transaction.
  ///   - now: the time of their arrival.
  func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge
}

/// A judge, called within the transaction that stores the messages. It must be fast and must not use the store.
package protocol ArrivalJudge {
  /// Returns the decision on a message.
  ///
  /// - Parameter facts: the message's properties before any rule changed them. They are determined only if
  ///   they affect the decision.
  func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict
}

extension Store {
  /// Sets how arriving messages are judged from now on; `nil` means not at all.
  package func judgeArrivals(with judging: (any ArrivalJudging)?) {
    arrivals.judging.withLock { $0 = judging }
  }
}

/// The setting of a store that determines how arriving messages are judged.
final class ArrivalJudges: Sendable {
  let judging = Mutex<(any ArrivalJudging)?>(nil)

  var areSet: Bool { judging.withLock { $0 != nil } }

  /// Returns a judge, or `nil` if nothing is judged.
  func judge(_ db: Database, at now: Milliseconds) throws -> (any ArrivalJudge)? {
    guard let judging = judging.withLock(\.self) else { return nil }
    return judging.judge(try SearchTokenizer(db), at: Date(milliseconds: now))
  }
}
