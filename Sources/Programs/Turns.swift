import Synchronization

/// So many turns at once; who comes later waits in line, without a thread, and may leave the line.
final class Turns: Sendable {
  private struct Line {
    var free: Int
    var number = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// Cancelled before they stood in line.
    var gone: Set<Int> = []
  }

  private let line: Mutex<Line>

  init(count: Int) { line = Mutex(Line(free: count)) }

  /// - Returns: false where the task was cancelled first; there is nothing to give back then.
  func take() async -> Bool {
    let number = line.withLock { line in
      line.number += 1
      return line.number
    }
    defer { _ = line.withLock { $0.gone.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isServed: Bool? = line.withLock { line in
          if line.gone.remove(number) != nil { return false }
          if line.free > 0 {
            line.free -= 1
            return true
          }
          line.waiting.append((number, continuation))
          return nil
        }
        if let isServed { continuation.resume(returning: isServed) }
      }
    } onCancel: {
      let left = line.withLock { line -> CheckedContinuation<Bool, Never>? in
        guard let place = line.waiting.firstIndex(where: { $0.number == number }) else {
          line.gone.insert(number)
          return nil
        }
        return line.waiting.remove(at: place).continuation
      }
      left?.resume(returning: false)
    }
  }

  func giveBack() {
    let next = line.withLock { line -> CheckedContinuation<Bool, Never>? in
      guard !line.waiting.isEmpty else {
        line.free += 1
        return nil
      }
      return line.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
