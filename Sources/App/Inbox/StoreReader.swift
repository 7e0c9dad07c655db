import Dispatch
package import Storage

/// Reads of the inbox, on a thread of their own: a list must not wait behind a poll that is being stored, nor a key behind
/// a slow disk.
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
