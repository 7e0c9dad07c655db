import Foundation
import Platform
import Synchronization

/// A lock with one holder across all processes on a database, until it is released, deallocated, or the process ends.
package final class StoreLock: Sendable {
  package let name: LockName
  private let file: LockFile?
  private let locks: StoreLocks
  private let isReleased = Atomic(false)

  fileprivate init(name: LockName, file: LockFile?, locks: StoreLocks) {
    self.name = name
    self.file = file
    self.locks = locks
  }

  deinit { release() }

  /// Releases the lock. Further calls do nothing.
  package func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    file?.close()
    locks.forget(name)
  }
}

/// The locks that are held in this process and, if there is a file, across processes.
final class StoreLocks: Sendable {
  private struct State {
    var held: Set<LockName> = []
    var waiting: [LockName: [Int: CheckedContinuation<Void, Never>]] = [:]
    var nextTicket = 0
  }

  let directory: String?
  private let state = Mutex(State())

  /// Creates the locks. Without a directory they are those of a store in memory, which no other process shares.
  init(directory: String?) { self.directory = directory }

  private func path(_ name: LockName) -> String? { directory.map { "\($0)/\(name.number)" } }

  func tryLock(_ name: LockName) throws -> StoreLock? {
    guard state.withLock({ $0.held.insert(name).inserted }) else { return nil }
    do {
      let file = try path(name).map(LockFile.init)
      if let file, try !file.tryLock() {
        file.close()
        forget(name)
        return nil
      }
      return StoreLock(name: name, file: file, locks: self)
    } catch {
      forget(name)
      throw error
    }
  }

  /// Waits for the lock. Returns `nil` if another process keeps it for longer than these seconds, or if it can't be
  /// locked.
  func lock(_ name: LockName, within seconds: Double) -> StoreLock? {
    guard let path = path(name), let file = try? LockFile(path: path) else { return nil }
    guard (try? file.lock(within: seconds)) == true else {
      file.close()
      return nil
    }
    state.withLock { _ = $0.held.insert(name) }
    return StoreLock(name: name, file: file, locks: self)
  }

  /// Returns when the lock is free, or when the task is cancelled.
  func waitUntilFree(_ name: LockName) async {
    await waitWithin(name)
    guard let path = path(name), !Task.isCancelled else { return }
    let answer = OneAnswer()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.set(continuation)
        // Waiting for a lock of another process blocks a thread. A cancelled wait leaves the thread to end with that
        // poll.
        let wait: @Sendable () -> Void = {
          // If waiting is not possible, the caller tries to lock it immediately, and gets the failure.
          if let file = try? LockFile(path: path) {
            try? file.waitUntilFree()
            file.close()
          }
          answer.give()
        }
        do throws(ThreadFailure) {
          try SystemThread.start("reddot lock", stackBytes: 128 << 10, wait)
        } catch {
          wait()
        }
      }
    } onCancel: {
      answer.give()
    }
  }

  fileprivate func forget(_ name: LockName) {
    let waiting = state.withLock { state in
      state.held.remove(name)
      return state.waiting.removeValue(forKey: name)
    }
    waiting?.values.forEach { $0.resume() }
  }

  /// Waits until no other holder in this process has the lock.
  private func waitWithin(_ name: LockName) async {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if Task.isCancelled || !state.held.contains(name) { return true }
          state.waiting[name, default: [:]][ticket] = continuation
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting[name]?.removeValue(forKey: ticket) }?.resume()
    }
  }
}

/// A continuation that the end of a wait and its cancellation both try to resume.
private final class OneAnswer: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Void, Never>)
    case given
  }

  private let state = Mutex(State.open)

  func set(_ continuation: CheckedContinuation<Void, Never>) {
    let isGiven = state.withLock { state in
      if case .given = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isGiven { continuation.resume() }
  }

  func give() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .given }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }
}
