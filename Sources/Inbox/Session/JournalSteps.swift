import Foundation
import Interface
import Messages
import Storage
import Synchronization

/// Combines the acts of one key into one step of the journal, so that one undo reverts them.
final class JournalSteps: Sendable {
  private struct State {
    /// The first act of an act's step, keyed by the act. It is set for acts that are joined to an earlier
    /// one.
    var firsts: [ActID: ActID] = [:]
    /// The first act of the last step, and that step.
    var last: (first: ActID, step: JournalStep?)?
  }

  private let state = Mutex(State())

  /// Records that an act belongs to the same step as an earlier one, so that one undo reverts both.
  func join(_ id: ActID, stepOf first: ActID) { state.withLock { $0.firsts[id] = first } }

  /// Performs an act, after the acts before it.
  ///
  /// - Returns: the number of messages that it changed.
  func perform(_ act: UserAct, _ id: ActID, in store: Store, at now: Date) throws -> Int {
    let (first, step) = state.withLock { state in
      let first = state.firsts.removeValue(forKey: id)
      return (first ?? id, first == nil || state.last?.first != first ? nil : state.last?.step)
    }
    let done = try store.acts.perform(act, joining: step, at: now)
    state.withLock { $0.last = (first, done.step ?? step) }
    return done.changed
  }
}
