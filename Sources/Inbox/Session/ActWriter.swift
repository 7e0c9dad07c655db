import Dispatch
import Storage
import Synchronization

/// Writes the user's acts one after another, in the order of the keys, on its own thread.
///
/// An act is in the queue when `write` returns, so that two fast keys cannot be swapped.
final class ActWriter: Sendable {
  /// A completed write, to be handled on the main actor.
  typealias Answer = @MainActor @Sendable () -> Void

  /// The results of the writes, in the order of the writes.
  let answers: AsyncStream<Answer>
  private let continuation: AsyncStream<Answer>.Continuation
  private let store: Store
  private let queue = DispatchQueue(label: "reddot.acts", qos: .userInitiated)
  private let waiting = Mutex(0)

  init(store: Store) {
    self.store = store
    (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
  }

  /// The number of pending acts.
  var unwritten: Int { waiting.withLock { $0 } }

  /// Adds a write to the queue; `then` gets its result, in the same order.
  ///
  /// - Parameter isAct: whether the write is an act of the user, which is reported if it is lost.
  func write<Value: Sendable>(
    isAct: Bool = true,
    _ work: @escaping @Sendable (Store) throws -> Value,
    then: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) {
    if isAct { waiting.withLock { $0 += 1 } }
    queue.async { [self] in
      let result = Result { try work(store) }
      if isAct { waiting.withLock { $0 -= 1 } }
      continuation.yield { then(result) }
    }
  }

  /// Returns when all pending writes are done or refused.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
