import Synchronization

/// An asynchronous semaphore: `wait` waits in a queue, without blocking a thread, and can be cancelled.
final class AsyncSemaphore: Sendable {
  private struct Queue {
    var free: Int
    var number = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// The tasks that were cancelled before they were queued.
    var cancelled: Set<Int> = []
  }

  private let queue: Mutex<Queue>

  init(count: Int) { queue = Mutex(Queue(free: count)) }

  /// Waits until a slot is free, and takes it.
  ///
  /// - Returns: `false` if the task was cancelled first; then nothing must be signalled.
  func wait() async -> Bool {
    let number = queue.withLock { queue in
      queue.number += 1
      return queue.number
    }
    defer { _ = queue.withLock { $0.cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isServed: Bool? = queue.withLock { queue in
          if queue.cancelled.remove(number) != nil { return false }
          if queue.free > 0 {
            queue.free -= 1
            return true
          }
          queue.waiting.append((number, continuation))
          return nil
        }
        if let isServed { continuation.resume(returning: isServed) }
      }
    } onCancel: {
      let continuation = queue.withLock { queue -> CheckedContinuation<Bool, Never>? in
        guard let place = queue.waiting.firstIndex(where: { $0.number == number }) else {
          queue.cancelled.insert(number)
          return nil
        }
        return queue.waiting.remove(at: place).continuation
      }
      continuation?.resume(returning: false)
    }
  }

  /// Frees a slot, or passes it to the task that has waited longest.
  func signal() {
    let next = queue.withLock { queue -> CheckedContinuation<Bool, Never>? in
      guard !queue.waiting.isEmpty else {
        queue.free += 1
        return nil
      }
      return queue.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
