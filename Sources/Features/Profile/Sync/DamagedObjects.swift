import Storage
import Sync

/// Collects damaged objects of a sync location, in order to record many of them in one transaction.
struct DamagedObjects {
  private let store: Store
  private var found: [ObjectName: KnownObject] = [:]
  /// The number of bytes that were read from these objects since they were last recorded.
  private var bytes = 0

  init(_ store: Store) { self.store = store }

  mutating func add(_ name: ObjectName, _ known: KnownObject, _ size: Int) throws(StoreFailure) {
    found[name] = known
    bytes += size
    // If this process is stopped, the next one does not have to read them again.
    if found.count >= 1000 || bytes >= 32 << 20 { try save() }
  }

  mutating func save() throws(StoreFailure) {
    try store.sync.record(found)
    (found, bytes) = ([:], 0)
  }
}
