import Foundation
import Messages
import Profile
import Sync
import Testing

/// A folder for a test: databases, and a place or several copies of one.
final class PlaceFolder {
  static let noon = Date(timeIntervalSince1970: 1_800_000_000)

  let path = NSTemporaryDirectory() + "reddot-carried-\(UUID().uuidString)"
  let key = SyncKey.random()
  let placeID = [UInt8](repeating: 3, count: 16)
  private var now = PlaceFolder.noon

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    _ = try place().put(.marker, Marker.make(placeID, key, program: "test", at: now))
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("\(path) stays behind: \(error)")
    }
  }

  /// The next time, so that each act has a different one.
  var later: Date {
    now += 10
    return now
  }

  func waitADay() { now += 86_400 }

  /// - Parameter isServed: as earlier versions wrote it: names have no digests.
  func place(_ name: String = "place", isServed: Bool = false) throws -> FolderPlace {
    try FolderPlace(path: "\(path)/\(name)", isServed: isServed)
  }

  func machine(_ name: String, _ place: (any Place)? = nil, messages: Int = 20) throws -> PlacedMachine {
    let made = try PlacedMachine(
      name, place ?? self.place(), placeID: placeID, file: "\(path)/\(name)", messages: messages, at: now)
    try made.poll(at: now)
    return made
  }

  /// Copies the database in its state after the program is killed.
  func copyDatabase(_ name: String, to other: String) throws {
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(path)/\(other)\(ending)")
      guard ending != "-shm", FileManager.default.fileExists(atPath: "\(path)/\(name)\(ending)") else {
        continue
      }
      try FileManager.default.copyItem(
        atPath: "\(path)/\(name)\(ending)", toPath: "\(path)/\(other)\(ending)")
    }
  }

  /// The machine whose database is a copy.
  func machine(ofCopy name: String, _ place: (any Place)? = nil, messages: Int = 20) throws -> PlacedMachine {
    try PlacedMachine(
      name, place ?? self.place(), file: "\(path)/\(name)", messages: messages, at: later)
  }

  @discardableResult func synchronise(
    _ machine: PlacedMachine, checksAll: Bool = false
  ) throws -> Synchronisation.Outcome {
    try machine.synchronise(key, checksAll: checksAll, at: later)
  }

  /// The objects in the folder, without the marker.
  func objects(_ place: String = "place") throws -> [ObjectName] {
    try self.place(place).list().filter { $0 != .marker }
  }

  func file(_ name: ObjectName, _ place: String = "place") -> URL {
    URL(filePath: "\(path)/\(place)/\(name.path)")
  }

  /// Changes one bit of an object in its place.
  func flip(_ name: ObjectName, byte: Int = 60, bit: UInt8 = 1) throws {
    var bytes = try Data(contentsOf: file(name))
    bytes[byte] ^= bit
    try bytes.write(to: file(name))
  }

  /// Stars messages, with a separate object for each act.
  func star(_ numbers: ClosedRange<Int>, _ machine: PlacedMachine) throws {
    for number in numbers {
      try machine.perform({ .star([$0]) }, number, at: later)
      try synchronise(machine)
    }
  }
}

extension PlacedMachine {
  /// The numbers of the starred messages.
  func starred() throws -> [Int] {
    try shown().filter { $0.hasSuffix(" starred") }.compactMap { Int($0.prefix { $0 != " " }) }
  }
}
