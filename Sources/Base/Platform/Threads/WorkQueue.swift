import Synchronization

/// Runs pieces of work one after the other, on a thread that exists only while there is work.
package final class WorkQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isAtWork = false
  }

  private let name: String
  private let state = Mutex(State())

  /// - Parameter name: the name of its thread, up to 15 bytes of ASCII.
  package init(_ name: String) { self.name = name }

  /// Queues work. If the system provides no thread, the caller runs it.
  package func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(work)
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    guard isFirst else { return }
    do throws(ThreadFailure) {
      try SystemThread.start(name, runAll)
    } catch {
      runAll()
    }
  }

  private func runAll() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isAtWork = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
