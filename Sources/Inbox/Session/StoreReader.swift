import Dispatch
package import Storage

/// The reads of the inbox, on their own thread: a list must not wait for a poll that is being stored, and a key must
/// not wait for a slow disk.
package struct StoreReader: Sendable {
  private let store: Store
  private let queue = DispatchQueue(label: "reddot.reader", qos: .userInteractive)

  package init(store: Store) { self.store = store }

  package func read<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let store = store
    let result: Result<Value, StoreFailure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(StoreFailure) {
          continuation.resume(returning: .success(try work(store)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
