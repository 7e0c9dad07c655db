import Foundation
package import Messages
import Synchronization

/// The right to poll one source: one holder across all processes on a database, until released, dropped, or the
/// process ends.
package final class PollLock: Sendable {
  package let source: SourceID
  private let file: LockFile?
  private let locks: PollLocks
  private let isReleased = Atomic(false)

  fileprivate init(source: SourceID, file: LockFile?, locks: PollLocks) {
    self.source = source
    self.file = file
    self.locks = locks
  }

  deinit { release() }

  /// Releases the source; call it once.
  package func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    file?.close()
    locks.forget(source)
  }
}

/// Which sources are being polled, in this process and, if there is a file, across processes.
final class PollLocks: Sendable {
  private struct State {
    var held: Set<SourceID> = []
    var waiting: [SourceID: [Int: CheckedContinuation<Void, Never>]] = [:]
    var nextTicket = 0
  }

  private let directory: String?
  private let state = Mutex(State())

  /// Without a directory it is a store in memory, which no other process shares.
  init(directory: String?) { self.directory = directory }

  private func path(_ source: SourceID) -> String? { directory.map { "\($0)/\(source.rawValue)" } }

  func tryLock(_ source: SourceID) throws -> PollLock? {
    guard state.withLock({ $0.held.insert(source).inserted }) else { return nil }
    do {
      let file = try path(source).map(LockFile.init)
      if let file, try !file.tryLock() {
        file.close()
        forget(source)
        return nil
      }
      return PollLock(source: source, file: file, locks: self)
    } catch {
      forget(source)
      throw error
    }
  }

  /// Returns when the source is free, or when the task is cancelled.
  func waitUntilFree(_ source: SourceID) async {
    await waitWithin(source)
    guard let path = path(source), !Task.isCancelled else { return }
    let answer = OneAnswer()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.set(continuation)
        // A lock of another process can only be waited for by blocking; a cancelled wait leaves the thread to
        // end with that poll.
        let thread = Thread {
          if let file = try? LockFile(path: path) {
            try? file.waitUntilFree()
            file.close()
          }
          answer.give()
        }
        thread.stackSize = 128 << 10
        thread.start()
      }
    } onCancel: {
      answer.give()
    }
  }

  fileprivate func forget(_ source: SourceID) {
    let waiting = state.withLock { state in
      state.held.remove(source)
      return state.waiting.removeValue(forKey: source)
    }
    waiting?.values.forEach { $0.resume() }
  }

  private func waitWithin(_ source: SourceID) async {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if Task.isCancelled || !state.held.contains(source) { return true }
          state.waiting[source, default: [:]][ticket] = continuation
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting[source]?.removeValue(forKey: ticket) }?.resume()
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
