import Foundation
import Messages
import PlaceStandIns
import Profile
import Storage
import Sync
import TestBasics
import Testing

/// Machines with real databases that synchronise through places that lose, repeat, reorder, cut and fill up.
@Suite struct SynchronisationTests {
  private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

  static let seeds = Histories.seeds(40)

  @Test(arguments: seeds) func whateverThePlaceDoesNothingIsLost(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let key = SyncKey.random()
    let placeID = [UInt8](repeating: 3, count: 16)
    // Every fourth time files of a folder.
    let folder = seed % 4 == 0 ? NSTemporaryDirectory() + "reddot-place-\(UUID().uuidString)" : nil
    defer { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
    let objects = MemoryObjects()
    func place() throws -> any Place { try folder.map { try FolderPlace(path: $0) } ?? MemoryPlace(objects) }
    _ = try place().put(.marker, Marker.make(placeID, key, program: "test", at: Self.noon))
    var now = Self.noon
    var (machines, places): ([PlacedMachine], [FaultyPlace]) = ([], [])
    for number in 0..<3 {
      let faulty = FaultyPlace(
        try place(), seed: random.next(), oneOf: Int.random(in: 3...12, using: &random), folder: folder)
      let skew: TimeInterval = [0, 0, 86_400, -86_400].randomElement(using: &random) ?? 0
      let machine = try PlacedMachine("machine \(number)", faulty, placeID: placeID, skew: skew, at: now)
      // All machines poll first, since a starred message would arrive as read on a machine that lacked it.
      try machine.poll(at: now)
      machines.append(machine)
      places.append(faulty)
    }
    for _ in 0..<60 {
      now += [0.001, 1, 3600].randomElement(using: &random) ?? 1
      let machine = machines[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try machine.poll(at: now)
      case 1..<6: try machine.act(at: now, &random)
      case 6, 7: try? machine.send(key, at: now)
      default:
        // A failed sync is tried again later.
        _ = try? machine.synchronise(key, at: now)
      }
    }
    for (machine, place) in zip(machines, places) {
      place.heal()
      try machine.poll(at: now)
    }
    for _ in 0..<2 {
      // A truncated object is read again within a day.
      now += 86_400
      for machine in machines { _ = try machine.synchronise(key, at: now) }
    }
    let shown = try machines.map { try $0.shown() }
    #expect(shown[0].count == 6)
    for other in shown.dropFirst() { #expect(other == shown[0], "seed \(seed)") }
    for machine in machines {
      #expect(try machine.store.check.compareAll() == [])
      #expect(try machine.store.sync.waiting().count == 0)
    }
  }

  // MARK: - One by one

  private func pair(
    _ objects: MemoryObjects = MemoryObjects()
  ) throws -> (key: SyncKey, left: PlacedMachine, right: PlacedMachine) {
    let key = SyncKey.random()
    let placeID = [UInt8](repeating: 3, count: 16)
    _ = try MemoryPlace(objects).put(.marker, Marker.make(placeID, key, program: "test", at: Self.noon))
    func machine(_ name: String) throws -> PlacedMachine {
      let place = FaultyPlace(try MemoryPlace(objects), seed: 1, faults: [])
      let made = try PlacedMachine(name, place, placeID: placeID, at: Self.noon)
      try made.poll(at: Self.noon)
      return made
    }
    return (key, try machine("laptop"), try machine("server"))
  }

  private func read(_ number: Int, _ machine: PlacedMachine, at now: Date) throws {
    try machine.perform({ .read([$0]) }, number, at: now)
  }

  @Test func whatWasReadOnOneMachineIsReadOnTheOther() throws {
    let (key, left, right) = try pair()
    try read(1, left, at: Self.noon + 1)
    #expect(try left.synchronise(key, at: Self.noon + 2).sent > 0)
    let outcome = try right.synchronise(key, at: Self.noon + 3)
    #expect(outcome.received["laptop"] != nil)
    #expect(try right.shown()[0] == "1 read")
    // The other way nothing is sent back.
    #expect(try left.synchronise(key, at: Self.noon + 4).received["server"] != nil)
    #expect(try right.synchronise(key, at: Self.noon + 5) == Synchronisation.Outcome())
    #expect(try left.synchronise(key, at: Self.noon + 5) == Synchronisation.Outcome())
    #expect(Synchronisation.Outcome().sentence == "Nothing new.")
  }

  @Test func aPlaceWithoutAMarkerAndAWrongKeyAreNamed() throws {
    let (_, left, _) = try pair()
    #expect(throws: SyncFailure.wrongKey(place: "the place")) {
      _ = try left.synchronise(.random(), at: Self.noon + 1)
    }
    let bare = FaultyPlace(try MemoryPlace(), seed: 1, faults: [])
    let synchronisation = Synchronisation(
      left.store, bare, called: "~/Sync", .random(), machine: "laptop", program: "test", now: { Self.noon })
    #expect(throws: SyncFailure.notSetUp(place: "~/Sync")) { _ = try synchronisation.run() }
    #expect(
      SyncFailure.notSetUp(place: "~/Sync").sentence
        == "nothing is set up in ~/Sync; mount it if it is not mounted, or run reddot sync init ~/Sync on the first machine"
    )
  }

  @Test func whatThePlaceLostIsSentAgain() throws {
    let objects = MemoryObjects()
    let (key, left, right) = try pair(objects)
    try read(1, left, at: Self.noon + 1)
    _ = try left.synchronise(key, at: Self.noon + 2)
    objects.all = objects.all.filter { $0.key == .marker }
    _ = try left.synchronise(key, at: Self.noon + 3)
    _ = try right.synchronise(key, at: Self.noon + 4)
    #expect(try right.shown()[0] == "1 read")
  }

  /// A place that refuses one object, as a folder does whose file belongs to another user.
  private final class RefusingPlace: Place {
    private let place: any Place
    private let refused: ObjectName

    init(_ place: any Place, _ refused: ObjectName) { (self.place, self.refused) = (place, refused) }

    func list() throws(PlaceFailure) -> [ObjectName] { try place.list() }

    func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
      if name == refused { throw .notAllowed(place: "the place", reason: "permission denied") }
      return try place.get(name)
    }

    func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
      try place.put(name, bytes)
    }

    func delete(_ name: ObjectName) throws(PlaceFailure) { try place.delete(name) }

    func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
      try place.changed(seconds: seconds, unlessInput: input)
    }

    func close() { place.close() }
  }

  @Test func anObjectThatCannotBeReadHoldsNoOtherBack() throws {
    let objects = MemoryObjects()
    let (key, left, right) = try pair(objects)
    for number in 1...3 {
      try read(number, left, at: Self.noon + Double(number))
      _ = try left.synchronise(key, at: Self.noon + Double(number))
    }
    let names = objects.all.keys.filter { $0 != .marker }.sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }
    #expect(names.count == 3)
    let place = RefusingPlace(try MemoryPlace(objects), names[1])
    let outcome = try Synchronisation(
      right.store, place, called: "the place", key, machine: "server", program: "test",
      now: { Self.noon + 5 }
    ).run()
    let path = names[1].path
    #expect(
      outcome.notes == ["an object of laptop cannot be read and was left out (permission denied): \(path)"])
    #expect(try right.shown().prefix(3) == ["1 read", "2 unread", "3 read"])
    // The object is read as soon as it can be read.
    #expect(try right.synchronise(key, at: Self.noon + 6).notes == [])
    #expect(try right.shown().prefix(3) == ["1 read", "2 read", "3 read"])
  }

  @Test func aDamagedObjectIsNamedAndLeftOut() throws {
    let objects = MemoryObjects()
    let (key, left, right) = try pair(objects)
    try read(1, left, at: Self.noon + 1)
    _ = try left.synchronise(key, at: Self.noon + 2)
    let name = try #require(objects.all.keys.first { $0 != .marker })
    objects.all[name]?[60] ^= 1
    let notes = try right.synchronise(key, at: Self.noon + 3).notes
    #expect(notes == ["1 object of another machine is damaged and was left out: \(name.path)"])
    // The machine that wrote it repairs it.
    _ = try left.synchronise(key, at: Self.noon + 4)
    _ = try right.synchronise(key, at: Self.noon + 5)
    #expect(try right.shown()[0] == "1 read")
  }

  @Test func whatWasPackedAndComesBackGoesAgain() throws {
    let objects = MemoryObjects()
    let (key, left, _) = try pair(objects)
    var all: [ObjectName: [UInt8]] = [:]
    // Like rsync, this restores objects from the other side that were deleted on this side.
    func synchronise(_ number: Int) throws {
      _ = try left.synchronise(key, at: Self.noon + Double(number) * 10 + 1)
      all.merge(objects.all) { first, _ in first }
      objects.all = all
    }
    for number in 0..<60 {
      try left.perform(
        { number % 2 == 0 ? .star([$0]) : .unstar([$0]) }, 1, at: Self.noon + Double(number) * 10)
      try synchronise(number)
    }
    // The objects of each act, one with 33 of them, and the marker.
    #expect(all.count <= 64)
    _ = try left.synchronise(key, at: Self.noon + 700)
    #expect(objects.all.count <= 32)
  }

  @Test func manySmallObjectsBecomeOne() throws {
    let objects = MemoryObjects()
    let (key, left, right) = try pair(objects)
    for number in 0..<40 {
      let id = try #require(try left.store.messages.find(RemoteID("1"), of: left.source)).id
      let now = Self.noon + Double(number) * 10
      try left.store.acts.perform(number % 2 == 0 ? .star([id]) : .unstar([id]), at: now)
      _ = try left.synchronise(key, at: now + 1)
    }
    #expect(objects.all.count < 15)
    _ = try right.synchronise(key, at: Self.noon + 500)
    #expect(try right.shown()[0] == "1 unread")
    try read(2, right, at: Self.noon + 501)
    _ = try right.synchronise(key, at: Self.noon + 502)
    _ = try left.synchronise(key, at: Self.noon + 503)
    #expect(try left.shown()[1] == "2 read")
  }
}
