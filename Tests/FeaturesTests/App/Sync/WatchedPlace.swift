import Sync
import Synchronization

/// A place whose answers a test may change, and whose reads it counts.
final class WatchedPlace: Place {
  private let place: any Place
  private let lists: @Sendable ([ObjectName]) -> [ObjectName]
  private let refusesAll: Bool
  private let read = Mutex<[ObjectName]>([])
  private let count = Mutex(0)

  /// - Parameters:
  ///   - refusesAll: whether each put responds as if another object were there.
  ///   - lists: returns the list that replaces the real one.
  init(
    _ place: any Place, refusesAll: Bool = false,
    lists: @escaping @Sendable ([ObjectName]) -> [ObjectName] = { $0 }
  ) {
    (self.place, self.refusesAll, self.lists) = (place, refusesAll, lists)
  }

  /// The objects that were read since the last call, whole or not; without the marker.
  func reads() -> [ObjectName] {
    read.withLock { read in
      defer { read = [] }
      return read.filter { $0 != .marker }
    }
  }

  var hasDigests: Bool { place.hasDigests }

  func list() throws(PlaceFailure) -> [ObjectName] {
    count.withLock { $0 += 1 }
    return lists(try place.list())
  }

  func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName] {
    lists(try place.list(of: device)).filter { $0.device == device }
  }

  /// Returns the number of times that all objects were listed since the last call.
  func wholeLists() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    read.withLock { $0.append(name) }
    return try place.get(name)
  }

  func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    read.withLock { $0.append(name) }
    return try place.beginning(of: name)
  }

  func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    refusesAll ? .anotherIsThere : try place.put(name, bytes)
  }

  func delete(_ name: ObjectName) throws(PlaceFailure) { try place.delete(name) }

  func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] {
    try place.states(of: names)
  }

  func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure) { try place.replaceMarker(bytes) }

  func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    try place.changed(seconds: seconds, unlessInput: input)
  }

  func close() { place.close() }
}
