import Dispatch
import Storage
import Synchronization

/// Writes what a person did, one act after the other in the order of the keys, on a thread of its own.
///
/// An act is in the queue when `write` returns: two keys of one millisecond cannot change places on the way.
final class ActWriter: Sendable {
  typealias Answer = @MainActor @Sendable (InboxSession) -> Void

  /// What came of each, in the same order.
  let answers: AsyncStream<Answer>
  private let continuation: AsyncStream<Answer>.Continuation
  private let store: Store
  private let queue = DispatchQueue(label: "reddot.acts", qos: .userInitiated)
  private let waiting = Mutex(0)

  init(store: Store) {
    self.store = store
    (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
  }

  /// How many acts are not written yet.
  var unwritten: Int { waiting.withLock { $0 } }

  /// - Parameter isAct: whether a person asked for it, and would do it again were it lost.
  func write<Value: Sendable>(
    isAct: Bool = true,
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor @Sendable (InboxSession, Result<Value, StoreFailure>) -> Void
  ) {
    if isAct { waiting.withLock { $0 += 1 } }
    queue.async { [self] in
      let result = Result { () throws(StoreFailure) in try work(store) }
      if isAct { waiting.withLock { $0 -= 1 } }
      continuation.yield { session in then(session, result) }
    }
  }

  /// Returns when everything that was asked for by now is written, or refused.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
