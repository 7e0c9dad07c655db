import Dispatch
import Synchronization

/// Functions for tasks that need blocking work, and for threads that wait for a task.
package enum Blocking {
  /// Runs blocking work on its own thread.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let whole: @Sendable () -> Void = { continuation.resume(returning: work()) }
      do throws(ThreadFailure) {
        try SystemThread.start("reddot wait", whole)
      } catch {
        // Other tasks must wait for it.
        whole()
      }
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Runs a task and blocks the thread until the task has ended. Threads of the cooperative pool must not call this.
  package static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = Answer<Value>()
    let done = DispatchSemaphore(value: 0)
    Task {
      let value = await work()
      answer.value.withLock { $0 = value }
      done.signal()
    }
    while true {
      done.wait()
      if let value = answer.value.withLock({ $0 }) { return value }
    }
  }
}
