/// Keeps a large value elsewhere in memory, so that what has it stays small: the state is copied several times for each key,
/// and most of it is in no cache by then. Copies share the value until one of them changes it.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  // Written to only where nobody else has it.
  private final class Storage: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  package var wrappedValue: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  package static func == (a: Boxed, b: Boxed) -> Bool {
    a.storage === b.storage || a.storage.value == b.storage.value
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
