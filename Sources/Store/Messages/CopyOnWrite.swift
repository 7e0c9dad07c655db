/// A large value that copies share until one of them changes it. Most sources have the same poll settings and no
/// options, so each needs a reference of 8 bytes instead of 300 bytes.
@propertyWrapper
package struct CopyOnWrite<Value: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    get { box.value }
    set { if newValue != box.value { box = Box(newValue) } }
  }

  package var description: String { "\(box.value)" }

  package static func == (a: Self, b: Self) -> Bool { a.box === b.box || a.box.value == b.box.value }

  package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
