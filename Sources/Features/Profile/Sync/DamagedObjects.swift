import Storage
import Sync

/// Damaged objects that are yet to be recorded, many in a transaction.
struct DamagedObjects {
  private let store: Store
  private var found: [ObjectName: KnownObject] = [:]
  /// That were read of them.
  private var bytes = 0

  init(_ store: Store) { self.store = store }

  mutating func add(_ name: ObjectName, _ known: KnownObject, _ size: Int) throws(StoreFailure) {
    found[name] = known
    bytes += size
    // The next process doesn't read them again if this one is stopped.
    if found.count >= 1000 || bytes >= 32 << 20 { try save() }
  }

  mutating func save() throws(StoreFailure) {
    try store.sync.record(found)
    (found, bytes) = ([:], 0)
  }
}
