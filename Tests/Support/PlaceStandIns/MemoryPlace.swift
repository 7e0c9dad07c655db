import Glibc
import Platform
package import Sync
import Synchronization

/// The objects that several ``MemoryPlace`` share, like the folder of several machines.
package final class MemoryObjects: Sendable {
  private struct State {
    var objects: [ObjectName: [UInt8]] = [:]
    var waiting: [Alarm] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var all: [ObjectName: [UInt8]] {
    get { state.withLock { $0.objects } }
    set { change { $0 = newValue } }
  }

  func change<Value: Sendable>(_ body: (inout [ObjectName: [UInt8]]) -> Value) -> Value {
    let (value, waiting) = state.withLock { state in
      let value = body(&state.objects)
      defer { state.waiting = [] }
      return (value, state.waiting)
    }
    for alarm in waiting { alarm.ring() }
    return value
  }

  /// Rings at the next change.
  func alarm() throws(PlaceFailure) -> Alarm {
    guard let alarm = try? Alarm() else { throw .broken(place: "memory", reason: "no free descriptor") }
    state.withLock { $0.waiting.append(alarm) }
    return alarm
  }

  func forget(_ alarm: Alarm) { state.withLock { $0.waiting.removeAll { $0 === alarm } } }
}

/// A sync location in memory.
package final class MemoryPlace: Place {
  private let objects: MemoryObjects
  private let closing: Alarm
  private let known = Mutex<Set<ObjectName>?>(nil)

  package init(_ objects: MemoryObjects = MemoryObjects()) throws {
    self.objects = objects
    closing = try Alarm()
  }

  private func open() throws(PlaceFailure) {
    if closing.hasRung { throw .closed }
  }

  package func list() throws(PlaceFailure) -> [ObjectName] {
    try open()
    let names = objects.all.keys.sorted {
      ($0.device, $0.seqs.lowerBound, $0.seqs.upperBound) < (
        $1.device, $1.seqs.lowerBound, $1.seqs.upperBound
      )
    }
    known.withLock { $0 = Set(names) }
    return names
  }

  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try open()
    return objects.all[name]
  }

  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    try open()
    let isDone = objects.change { objects in
      if let there = objects[name] { return there == bytes }
      objects[name] = bytes
      return true
    }
    if isDone { known.withLock { _ = $0?.insert(name) } }
    return isDone ? .done : .anotherIsThere
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    try open()
    objects.change { $0[name] = nil }
    known.withLock { _ = $0?.remove(name) }
  }

  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    let end = ContinuousClock.now + .seconds(min(max(seconds, 0), Int(UInt32.max)))
    while true {
      try open()
      let change = try objects.alarm()
      defer { objects.forget(change) }
      if Set(objects.all.keys) != known.withLock({ $0 }) { return true }
      var states = [closing.descriptor, change.descriptor, input ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard Descriptors.wait(for: &states, until: end) else { return false }
      if states[2].revents != 0 { return false }
    }
  }

  package func close() { closing.ring() }
}
