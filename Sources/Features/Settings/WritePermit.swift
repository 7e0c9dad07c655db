import Synchronization

/// The permission to write what the user asked for, until the user gives it up.
package final class WritePermit: Sendable {
  package struct Withdrawn: Error {}

  private enum State { case open, used, withdrawn }

  private let state = Mutex(State.open)

  package init() {}

  /// Uses the permit. Callers do that before they write.
  ///
  /// - Throws: `Withdrawn`: nothing may be written.
  package func use() throws(Withdrawn) {
    let isWithdrawn = state.withLock { state in
      if state == .open { state = .used }
      return state == .withdrawn
    }
    if isWithdrawn { throw Withdrawn() }
  }

  /// - Returns: false where it is too late: something is being written, or is there.
  package func withdraw() -> Bool {
    state.withLock { state in
      if state == .open { state = .withdrawn }
      return state == .withdrawn
    }
  }
}
