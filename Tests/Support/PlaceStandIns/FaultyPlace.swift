import Foundation
package import Sync
import Synchronization
import TestBasics

/// The faults of a sync location. They leave no lasting damage except for conflict copies, which no sync location may
/// list.
package enum PlaceFault: Hashable, Sendable, CaseIterable {
  /// A call fails, and has no effect.
  case requestLost
  /// A call fails, but has its effect.
  case answerLost
  /// Some objects aren't listed and can't be read, because they haven't arrived.
  case late
  /// Objects are put, and listed, twice.
  case repeated
  /// The list has another order.
  case reordered
  /// The end of an object is missing because it is still arriving.
  case cut
  /// A file of a folder gets a copy with a longer name, as programs that copy folders make them.
  case conflictCopy
  /// Nothing can be put.
  case full
  /// A deleted object exists again.
  case undeleted
}

/// Adds faults to a sync location, the same ones for the same seed.
package final class FaultyPlace: Place, Sendable {
  private struct State {
    var random: SeededRandom
    var faults: [PlaceFault]
    var counts: [PlaceFault: Int] = [:]
    var deleted: [(name: ObjectName, bytes: [UInt8])] = []
  }

  private let place: any Place & Sendable
  private let folder: String?
  private let oneOf: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - oneOf: the number of calls that a fault fits, of which one fails.
  ///   - folder: the folder of the sync location, if it has one: conflict copies are made there.
  package init(
    _ place: any Place & Sendable, seed: UInt64, faults: [PlaceFault] = PlaceFault.allCases, oneOf: Int = 8,
    folder: String? = nil
  ) {
    (self.place, self.folder, self.oneOf) = (place, folder, max(1, oneOf))
    state = Mutex(State(random: SeededRandom(seed: seed), faults: faults))
  }

  /// Ends all faults.
  package func heal() { state.withLock { $0.faults = [] } }

  /// The number of times that each fault happened.
  package var counts: [PlaceFault: Int] { state.withLock { $0.counts } }

  private func happens(_ fault: PlaceFault) -> Bool {
    state.withLock { state in
      guard state.faults.contains(fault), Int.random(in: 0..<oneOf, using: &state.random) == 0 else {
        return false
      }
      state.counts[fault, default: 0] += 1
      return true
    }
  }

  private func below(_ count: Int) -> Int {
    count < 1 ? 0 : state.withLock { Int.random(in: 0..<count, using: &$0.random) }
  }

  private func call<Value>(_ body: () throws(PlaceFailure) -> Value) throws(PlaceFailure) -> Value {
    if happens(.requestLost) { throw .broken(place: "faulty", reason: "the request was lost") }
    let value = try body()
    if happens(.answerLost) { throw .broken(place: "faulty", reason: "the answer was lost") }
    return value
  }

  package func list() throws(PlaceFailure) -> [ObjectName] {
    try call { () throws(PlaceFailure) in
      if happens(.undeleted), let back = state.withLock({ $0.deleted.popLast() }) {
        _ = try place.put(back.name, back.bytes)
      }
      var names = try place.list()
      if happens(.late) { names.removeAll { _ in below(3) == 0 } }
      if happens(.repeated) { names += names.filter { _ in below(2) == 0 } }
      if happens(.reordered) { state.withLock { names.shuffle(using: &$0.random) } }
      return names
    }
  }

  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try call { () throws(PlaceFailure) in
      if happens(.late) { return nil }
      guard let bytes = try place.get(name) else { return nil }
      return happens(.cut) ? Array(bytes.prefix(below(bytes.count))) : bytes
    }
  }

  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    try call { () throws(PlaceFailure) in
      if happens(.full) { throw .full(place: "faulty") }
      let result = try place.put(name, bytes)
      if happens(.repeated) { _ = try place.put(name, bytes) }
      if happens(.conflictCopy) { copy(name, bytes) }
      return result
    }
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    try call { () throws(PlaceFailure) in
      if let bytes = try place.get(name) { state.withLock { $0.deleted.append((name, bytes)) } }
      try place.delete(name)
    }
  }

  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    try call { () throws(PlaceFailure) in try place.changed(seconds: seconds, unlessInput: input) }
  }

  package var hasDigests: Bool { place.hasDigests }

  package func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] {
    try place.states(of: names)
  }

  package func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try place.beginning(of: name)
  }

  package func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure) {
    try call { () throws(PlaceFailure) in try place.replaceMarker(bytes) }
  }

  package func close() { place.close() }

  private func copy(_ name: ObjectName, _ bytes: [UInt8]) {
    guard let folder else { return }
    let hex = name.device.bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    let number = below(1_000_000)
    for file in [
      "\(hex)/\(name.seqs.lowerBound).sync-conflict-20261127-\(number).ops",
      "\(hex)/000000000001-000000000001 (conflicted copy \(number)).ops", "\(hex) (copy)", "Icon\r",
    ] {
      _ = FileManager.default.createFile(atPath: "\(folder)/\(file)", contents: Data(bytes.dropLast()))
    }
  }
}
