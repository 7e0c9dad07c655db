import Basics
package import Foundation
import GRDB
package import Messages

/// The user's changes to messages (acts) that wait to be sent to services. Only the holder of the lock `acts(of:)`
/// sends the acts of a source, so that each act is sent by one process. If a process is killed after it has sent an act
/// and before it has stored the result, the act is sent again. This changes nothing, since marks, such as read, are
/// states.
package struct StoreOutgoing: StorePart {
  let store: Store

  /// Returns the sources with waiting acts, and the time from which they may be sent.
  package func waiting(at now: Date) throws(StoreFailure) -> [SourceID: Date] {
    try read { db in try Outgoing(db).waiting(at: now.milliseconds).mapValues(Date.init(milliseconds:)) }
  }

  /// Returns the sources whose service did not receive acts at the last attempt.
  package func sourcesWithFailedActs() throws(StoreFailure) -> Set<SourceID> {
    try read { db in try Outgoing(db).failing() }
  }

  /// Returns the waiting acts of a source in their order. Acts on messages that were set aside (moved behind
  /// all others after failures) are returned only if no others wait, and for one message at a time.
  ///
  /// - Parameter now: the time at which acts that are set aside must be due, or `nil` to include them in any case.
  package func acts(
    of source: SourceID, limit: Int = Limits.outgoingActs, at now: Date? = nil
  ) throws(StoreFailure) -> [OutgoingAct] {
    try read { db in
      try Outgoing(db).acts(of: source, limit: min(limit, Limits.outgoingActs), at: now?.milliseconds)
    }
  }

  /// Returns the number of acts of a source that are sent in the first request. After several failures it
  /// decreases each time, until the act that causes them is found.
  package func firstActs(of source: SourceID) throws(StoreFailure) -> Int {
    try read { db in
      let more = try Outgoing(db).failures(of: source) - Limits.failuresBeforeAside + 1
      return max(1, Limits.outgoingActs >> max(0, more))
    }
  }

  package func count(of source: SourceID) throws(StoreFailure) -> Int {
    try read { db in try Outgoing(db).count(of: source) }
  }

  /// Requests an action of a message that only its service knows; see `MessageAction.upstream`.
  ///
  /// - Returns: `false` if the message no longer exists.
  package func request(action name: String, of message: MessageID, at now: Date) throws(StoreFailure) -> Bool
  {
    try write(.system) { db in try Outgoing(db).add(action: name, of: message, at: now.milliseconds) }
  }

  /// Stores the result of sending some acts, and lines of the timeline.
  ///
  /// - Parameter sent: the acts that were sent.
  /// - Returns: the lines.
  @discardableResult
  package func record(
    _ result: WriteBackResult, sent: [OutgoingAct], of source: SourceID, start: Date, end: Date
  ) throws(StoreFailure) -> [PollAttempt] {
    try write(.system) { db in
      let outgoing = Outgoing(db)
      try outgoing.finish(result, sent: sent, of: source, at: end.milliseconds)
      let given = try result.failure == nil ? 0 : outgoing.giveUp(of: source, at: end.milliseconds)
      var lines: [PollAttempt] = []
      func line(_ result: PollAttempt.Result) throws {
        lines.append(PollAttempt(source: source, trigger: .act, start: start, end: end, result: result))
        try store.polls.record(lines[lines.count - 1], db)
      }
      if !result.carried.isEmpty { try line(.carried(count: result.carried.count)) }
      let refusals = Dictionary(grouping: result.refused.values) { $0 }
      for (failure, acts) in refusals.sorted(by: { $0.value.count > $1.value.count }).prefix(3) {
        try line(.refused(count: acts.count, failure))
      }
      guard let failure = result.failure else { return lines }
      if given > 0 { try line(.refused(count: given, failure)) }
      let waiting = try outgoing.count(of: source)
      if waiting > 0 { try line(.carryFailed(failure, waiting: waiting)) }
      return lines
    }
  }
}
