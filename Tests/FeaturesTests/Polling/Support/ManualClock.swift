import Synchronization

/// A clock that changes only when a test moves it.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero

    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var watchers: [(id: Int, deadline: Duration, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, watchers) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          let met = state.watchers.filter { $0.deadline == deadline.offset }.map(\.continuation)
          state.watchers.removeAll { $0.deadline == deadline.offset }
          return (nil, met)
        }
        for watcher in watchers { watcher.resume() }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns once a task sleeps until exactly this time after the clock's start, or when the test's time limit has
  /// passed.
  func sleeper(until deadline: Duration) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          if state.sleepers.values.contains(where: { $0.deadline.offset == deadline }) { return true }
          state.watchers.append((id, deadline, continuation))
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        let index = state.watchers.firstIndex { $0.id == id }
        if index == nil { state.cancelled.insert(id) }
        return index.map { state.watchers.remove(at: $0).continuation }
      }
      watcher?.resume()
    }
  }

  /// Moves to this time after the clock's start, and wakes the tasks that sleep until then.
  func advance(to offset: Duration) {
    let woken = state.withLock { state in
      precondition(offset >= state.now.offset)
      state.now.offset = offset
      let due = state.sleepers.filter { $0.value.deadline.offset <= offset }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
