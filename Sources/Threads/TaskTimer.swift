#if os(Linux)
  import CThreads
  import Foundation
  import Synchronization

  /// What waits for a time of one clock of the system. Its thread, created with the first one, sleeps until the next is due;
  /// between times nothing wakes up.
  final class TaskTimer: Sendable {
    private struct Waiting {
      var due: UInt64
      /// Those of one instant ring in the order in which they came.
      var number: UInt64
      var ring: @Sendable () -> Void

      func isBefore(_ other: Waiting) -> Bool { (due, number) < (other.due, other.number) }
    }

    private struct State {
      /// A binary heap.
      var waiting: [Waiting] = []
      var count: UInt64 = 0
      /// -1 before the first one.
      var descriptor: Int32 = -1

      mutating func push(_ new: Waiting) {
        waiting.append(new)
        var child = waiting.count - 1
        while child > 0, case let parent = (child - 1) / 2, waiting[child].isBefore(waiting[parent]) {
          waiting.swapAt(child, parent)
          child = parent
        }
      }

      /// The first one; there must be one.
      mutating func pop() -> Waiting {
        waiting.swapAt(0, waiting.count - 1)
        let first = waiting.removeLast()
        var parent = 0
        while case let left = 2 * parent + 1, left < waiting.count {
          let right = left + 1
          let child = right < waiting.count && waiting[right].isBefore(waiting[left]) ? right : left
          guard waiting[child].isBefore(waiting[parent]) else { break }
          waiting.swapAt(child, parent)
          parent = child
        }
        return first
      }
    }

    private let clock: clockid_t
    private let state = Mutex(State())

    /// - Parameter clock: `CLOCK_BOOTTIME` counts the time of a suspended machine, `CLOCK_MONOTONIC` does not
    ///   (timerfd_create(2)).
    init(_ clock: clockid_t) { self.clock = clock }

    /// - Parameter ring: called on the timer's thread; must not take long.
    func add(after wait: Duration, _ ring: @escaping @Sendable () -> Void) {
      let due = time(after: wait)
      state.withLock { state in
        if state.descriptor < 0 { state.descriptor = start() }
        state.count += 1
        state.push(Waiting(due: due, number: state.count, ring: ring))
        if state.waiting.first?.number == state.count { arm(state) }
      }
    }

    /// Nanoseconds of the clock; far times are cut off.
    private func time(after wait: Duration) -> UInt64 {
      var now = timespec()
      clock_gettime(clock, &now)
      let (seconds, attoseconds) = max(wait, .zero).components
      let whole = UInt64(now.tv_sec) + UInt64(min(seconds, 1 << 32))
      return whole * 1_000_000_000 + UInt64(now.tv_nsec) + UInt64(attoseconds / 1_000_000_000)
    }

    private func arm(_ state: State) {
      guard let due = state.waiting.first?.due else { return }
      var time = itimerspec()
      time.it_value = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
      timerfd_settime(state.descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }

    private func start() -> Int32 {
      let descriptor = timerfd_create(clock, Int32(TFD_CLOEXEC))
      precondition(descriptor >= 0, "no timer: the process has no descriptors left")
      let thread = Thread { [self] in
        while true {
          var expirations: UInt64 = 0
          // Without a number of expirations it was a signal.
          guard read(descriptor, &expirations, MemoryLayout<UInt64>.size) > 0 else { continue }
          for ring in takeDue() { ring() }
        }
      }
      thread.stackSize = 256 << 10
      thread.start()
      return descriptor
    }

    private func takeDue() -> [@Sendable () -> Void] {
      let now = time(after: .zero)
      return state.withLock { state in
        var rings: [@Sendable () -> Void] = []
        while let first = state.waiting.first, first.due <= now { rings.append(state.pop().ring) }
        arm(state)
        return rings
      }
    }
  }
#endif
