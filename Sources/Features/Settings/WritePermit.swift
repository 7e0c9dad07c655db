import Synchronization

/// The permission to write a change that the user requested. The user can withdraw it.
package final class WritePermit: Sendable {
  package struct Withdrawn: Error {}

  private enum State { case open, used, withdrawn }

  private let state = Mutex(State.open)

  package init() {}

  /// Marks the permit as used. Callers do this before they write.
  ///
  /// - Throws: `Withdrawn` if nothing may be written.
  package func use() throws(Withdrawn) {
    let isWithdrawn = state.withLock { state in
      if state == .open { state = .used }
      return state == .withdrawn
    }
    if isWithdrawn { throw Withdrawn() }
  }

  /// Withdraws the permission.
  ///
  /// - Returns: `false` if it is too late, because something is being written or was written.
  package func withdraw() -> Bool {
    state.withLock { state in
      if state == .open { state = .withdrawn }
      return state == .withdrawn
    }
  }
}
