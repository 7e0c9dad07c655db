import Synchronization

/// The deadlines of polls. One task sleeps for all of them: nearly every poll ends long before its deadline, and a
/// separate sleeping task would cost as much as the poll of an unchanged file.
final class Alarms: Sendable {
  /// The waiting alarms and the task that sleeps for them.
  private struct State {
    /// The alarms, each with the time at which it is due, relative to the clock's time when this object was
    /// created.
    var waiting: [UInt64: (due: Duration, ring: @Sendable () -> Void)] = [:]
    /// The number of the newest alarm.
    var count: UInt64 = 0
    /// The sleeping task and the time at which it wakes, possibly for an alarm that was removed; `nil` if there is no
    /// task.
    var sleeps: (until: Duration, task: Task<Void, Never>)?
  }

  private let state = Mutex(State())
  /// Returns the time since this object was created, by the clock.
  private let passed: @Sendable () -> Duration
  /// Sleeps until a time, which is relative to the creation of this object; throws only if its task is
  /// cancelled.
  private let sleep: @Sendable (_ until: Duration) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    passed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  deinit { state.withLock { $0.sleeps?.task.cancel() } }

  /// Adds an alarm.
  ///
  /// - Parameter ring: called once, unless the alarm is removed before.
  /// - Returns: the alarm, for `remove`.
  func add(after wait: Duration, _ ring: @escaping @Sendable () -> Void) -> UInt64 {
    let due = passed() + wait
    return state.withLock { state in
      state.count += 1
      state.waiting[state.count] = (due, ring)
      if state.sleeps.map({ due < $0.until }) ?? true { sleep(until: due, &state) }
      return state.count
    }
  }

  func remove(_ alarm: UInt64) { state.withLock { $0.waiting[alarm] = nil } }

  /// Replaces the sleeping task with one that wakes at a time.
  private func sleep(until due: Duration, _ state: inout State) {
    state.sleeps?.task.cancel()
    let task = Task { [weak self, sleep] in
      // The task was cancelled for an earlier alarm.
      guard (try? await sleep(due)) != nil else { return }
      self?.wake()
    }
    state.sleeps = (due, task)
  }

  /// Rings and removes the alarms that are due, and sleeps until the next one.
  private func wake() {
    let now = passed()
    let due = state.withLock { state in
      let due = state.waiting.filter { $0.value.due <= now }
      for alarm in due.keys { state.waiting[alarm] = nil }
      if let next = state.waiting.values.lazy.map(\.due).min() {
        sleep(until: next, &state)
      } else {
        // It may now be another task, for an alarm that was removed since.
        state.sleeps?.task.cancel()
        state.sleeps = nil
      }
      return due.values
    }
    for alarm in due { alarm.ring() }
  }
}
