import CThreads
import Dispatch
import Foundation
import Synchronization

/// Runs work at given times of one system clock. Its thread, which starts with the first piece of work, sleeps until
/// the next one is due; nothing wakes up in between.
final class TaskTimer: Sendable {
  private struct State {
    /// The waiting work, sorted so that the next piece to run is last. If several are due at the same instant, the one
    /// added first runs first.
    var waiting: [(due: UInt64, ring: @Sendable () -> Void)] = []
    /// The timer's descriptor, or -1 before the first use.
    var descriptor: Int32 = -1
  }

  private let clock: clockid_t
  private let state = Mutex(State())

  /// - Parameter clock: `CLOCK_BOOTTIME` counts the time of a suspended machine, `CLOCK_MONOTONIC` does not
  ///   (timerfd_create(2)).
  init(_ clock: clockid_t) { self.clock = clock }

  /// Calls `ring` after a wait.
  ///
  /// - Parameter ring: called on the timer's thread; it must not take long.
  func add(after wait: Duration, _ ring: @escaping @Sendable () -> Void) {
    let due = time(after: wait)
    state.withLock { state in
      if state.descriptor < 0 { state.descriptor = start() }
      let place = state.waiting.firstIndex { $0.due <= due } ?? state.waiting.count
      state.waiting.insert((due, ring), at: place)
      if place == state.waiting.count - 1 { setTimer(state) }
    }
  }

  /// Returns the due time in nanoseconds of the clock; distant times are limited.
  private func time(after wait: Duration) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    let (seconds, attoseconds) = max(wait, .zero).components
    let whole = UInt64(now.tv_sec) + UInt64(min(seconds, 1 << 32))
    return whole * 1_000_000_000 + UInt64(now.tv_nsec) + UInt64(attoseconds / 1_000_000_000)
  }

  /// Sets the system's timer to the next due time.
  private func setTimer(_ state: State) {
    guard let due = state.waiting.last?.due else { return }
    var time = itimerspec()
    time.it_value = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    timerfd_settime(state.descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }

  /// Creates the system's timer and the thread that waits for it; returns the timer's descriptor.
  private func start() -> Int32 {
    let descriptor = timerfd_create(clock, Int32(TFD_CLOEXEC))
    precondition(descriptor >= 0, "no timer: the process has no descriptors left")
    do {
      try SystemThread.start("reddot timer", stackBytes: 256 << 10) { [self] in
        while true { ringDue(descriptor) }
      }
    } catch {
      // The main thread also waits for the timer.
      DispatchQueue.main.async { [self] in
        MainActor.assumeIsolated {
          _ = InputWatch(descriptor, handle: { [self] in ringDue(descriptor) }, end: {})
        }
      }
    }
    return descriptor
  }

  /// Waits for the timer and runs the due work.
  private func ringDue(_ descriptor: Int32) {
    var expirations: UInt64 = 0
    // Without a number of expirations, a signal interrupted the read.
    guard read(descriptor, &expirations, MemoryLayout<UInt64>.size) > 0 else { return }
    for ring in removeDue() { ring() }
  }

  private func removeDue() -> [@Sendable () -> Void] {
    let now = time(after: .zero)
    return state.withLock { state in
      var rings: [@Sendable () -> Void] = []
      while let next = state.waiting.last, next.due <= now {
        rings.append(next.ring)
        state.waiting.removeLast()
      }
      setTimer(state)
      return rings
    }
  }
}
