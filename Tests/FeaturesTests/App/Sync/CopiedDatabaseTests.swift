import Foundation
import Messages
import PlaceStandIns
import Profile
import Storage
import Sync
import Synchronization
import Testing

/// A machine's database is copied, or restored from a backup, at 20 points of its history. Then both continue.
@Suite struct CopiedDatabaseTests {
  private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

  /// A laptop whose database is a file, and a server.
  private final class Pair {
    let folder = NSTemporaryDirectory() + "reddot-copied-\(UUID().uuidString)"
    let key = SyncKey.random()
    let placeID = [UInt8](repeating: 3, count: 16)
    let objects = MemoryObjects()
    let cutting: CutPlace
    let laptop: PlacedMachine
    let server: PlacedMachine
    private var now = CopiedDatabaseTests.noon

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      _ = try MemoryPlace(objects).put(.marker, Marker.make(placeID, key, program: "test", at: now))
      cutting = CutPlace(try MemoryPlace(objects))
      laptop = try PlacedMachine(
        "laptop", cutting, placeID: placeID, file: folder + "/laptop", messages: 20, at: now)
      server = try PlacedMachine("server", MemoryPlace(objects), placeID: placeID, messages: 20, at: now)
      for machine in [laptop, server] { try machine.poll(at: now) }
    }

    deinit {
      do {
        try laptop.store.close()
        try FileManager.default.removeItem(atPath: folder)
      } catch {
        print("\(folder) stays behind: \(error)")
      }
    }

    /// The next time, so that each act has a different one.
    var later: Date {
      now += 10
      return now
    }

    func synchronise(_ machine: PlacedMachine) throws -> [String] {
      try machine.synchronise(key, at: later).notes
    }

    /// A synchronisation that ends at one call of its place.
    func cut(_ call: CutPlace.Call, _ number: Int, isDone: Bool) {
      cutting.cut(call, number, isDone: isDone)
      #expect(throws: SyncFailure.self) { _ = try synchronise(laptop) }
      cutting.heal()
    }

    /// Returns another machine with a copy of the laptop's database.
    func copy() throws -> PlacedMachine {
      for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: folder + "/laptop\(ending)") {
        try FileManager.default.copyItem(
          atPath: folder + "/laptop\(ending)", toPath: folder + "/copy\(ending)")
      }
      return try PlacedMachine("copy", MemoryPlace(objects), file: folder + "/copy", messages: 20, at: later)
    }
  }

  private struct Step: Sendable {
    var words: String
    var run: @Sendable (Pair) throws -> Void

    init(_ words: String, _ run: @escaping @Sendable (Pair) throws -> Void) {
      (self.words, self.run) = (words, run)
    }
  }

  /// The history of the laptop; the point is behind each of them.
  private static let history = [
    Step("set up, and nothing sent") { _ in },
    Step("joined") { _ = try $0.synchronise($0.laptop) },
    Step("an act that waits") { try $0.laptop.perform({ .read([$0]) }, 1, at: $0.later) },
    Step("cut before put") { $0.cut(.put, 1, isDone: false) },
    Step("cut between put and commit") { $0.cut(.put, 1, isDone: true) },
    Step("sent after that") { _ = try $0.synchronise($0.laptop) },
    Step("what the server did waits") {
      try $0.server.perform({ .star([$0]) }, 2, at: $0.later)
      _ = try $0.synchronise($0.server)
    },
    Step("cut while it is read") { $0.cut(.get, 3, isDone: false) },
    Step("read") { _ = try $0.synchronise($0.laptop) },
    Step("an undo that waits") { _ = try $0.laptop.store.acts.undo(at: $0.later) },
    Step("the undo between put and commit") { $0.cut(.put, 1, isDone: true) },
    Step("two acts more, which wait") {
      try $0.laptop.perform({ .star([$0]) }, 3, at: $0.later)
      try $0.laptop.perform({ .dismiss([$0]) }, 4, at: $0.later)
    },
    Step("sent") { _ = try $0.synchronise($0.laptop) },
    Step("many objects") { try sendMany($0) },
    Step("cut before the packed object is there") {
      try $0.laptop.perform({ .star([$0]) }, 5, at: $0.later)
      $0.cut(.put, 2, isDone: false)
    },
    Step("cut before the small ones are gone") { $0.cut(.delete, 1, isDone: false) },
    Step("packed") { _ = try $0.synchronise($0.laptop) },
    Step("a snooze that waits") {
      let time = $0.later
      try $0.laptop.perform({ .snooze([$0], until: time + 1e6) }, 6, at: time)
    },
    Step("another act of the server arrives") {
      try $0.server.perform({ .unstar([$0]) }, 2, at: $0.later)
      _ = try $0.synchronise($0.server)
      _ = try $0.synchronise($0.laptop)
    },
    Step("all read, which waits") { try $0.laptop.store.acts.perform(.readAll(InboxQuery()), at: $0.later) },
  ]

  /// Sends one more object than the limit, so that they are packed.
  private static func sendMany(_ pair: Pair) throws {
    let device = try pair.laptop.store.sync.machine()?.device
    var isStarred = false
    while pair.objects.all.keys.count(where: { $0.device == device }) < 33 {
      try pair.laptop.perform({ isStarred ? .unstar([$0]) : .star([$0]) }, 7, at: pair.later)
      isStarred.toggle()
      _ = try pair.synchronise(pair.laptop)
    }
  }

  private enum Order: CaseIterable {
    case laptopFirst, copyFirst, laptopTwice
  }

  @Test(arguments: history.indices) func bothGoOnAndNothingIsLost(point: Int) throws {
    for order in Order.allCases {
      let pair = try Pair()
      for step in Self.history[...point] { try step.run(pair) }
      try goOn(pair, pair.copy(), order, "\(Self.history[point].words), \(order)")
    }
  }

  private func goOn(_ pair: Pair, _ copy: PlacedMachine, _ order: Order, _ point: String) throws {
    var notes: [String] = []
    func onTheLaptop() throws {
      try pair.laptop.perform({ .star([$0]) }, 11, at: pair.later)
      try pair.laptop.perform({ .unread([$0]) }, 12, at: pair.later)
      try pair.laptop.perform({ .star([$0]) }, 15, at: pair.later)
    }
    func onTheCopy() throws {
      try copy.perform({ .dismiss([$0]) }, 13, at: pair.later)
      try copy.perform({ .star([$0]) }, 14, at: pair.later)
      try copy.perform({ .dismiss([$0]) }, 15, at: pair.later)
    }
    switch order {
    case .laptopFirst:
      try onTheLaptop()
      notes += try pair.synchronise(pair.laptop)
      try onTheCopy()
    case .copyFirst:
      try onTheLaptop()
      try onTheCopy()
      notes += try pair.synchronise(copy)
    case .laptopTwice:
      try onTheCopy()
      notes += try pair.synchronise(pair.laptop)
      try onTheLaptop()
      notes += try pair.synchronise(pair.laptop)
    }
    let machines = [pair.laptop, pair.server, copy]
    for machine in machines + machines + machines { notes += try pair.synchronise(machine) }
    let shown = try machines.map { try $0.shown() }
    #expect(shown[0].count == 20, "\(point)")
    for other in shown.dropFirst() { #expect(other == shown[0], "\(point)") }
    let marks = Dictionary(uniqueKeysWithValues: shown[0].map { ($0.prefix { $0 != " " }, $0) })
    for (number, mark) in [("11", "starred"), ("12", "unread"), ("13", "dismissed"), ("14", "starred")] {
      #expect(marks[number[...]]?.contains(" \(mark)") == true, "\(point), \(number)")
    }
    #expect(marks["15"]?.hasSuffix(" starred dismissed") == true, "\(point)")
    #expect(
      notes == ["this database was copied or restored; it continues as a new machine, and nothing is lost"],
      "\(point)")
    #expect(try Set(machines.map { try $0.store.sync.machine()?.device }).count == 3, "\(point)")
    for machine in machines {
      #expect(try machine.store.sync.waiting().count == 0, "\(point)")
      #expect(try machine.store.check.compareAll() == [], "\(point)")
    }
    try copy.store.close()
  }
}

/// A place whose calls fail from one on.
private final class CutPlace: Place {
  enum Call { case list, get, put, delete }

  private struct Cut {
    var call: Call
    /// The number of calls of that kind that are left, including the one that fails.
    var left: Int
    /// The call fails, although it was done.
    var isDone: Bool
  }

  private let place: MemoryPlace
  private let cut = Mutex<Cut?>(nil)

  init(_ place: MemoryPlace) { self.place = place }

  /// - Parameter number: from 1 on, of the calls of that kind.
  func cut(_ call: Call, _ number: Int, isDone: Bool) {
    cut.withLock { $0 = Cut(call: call, left: number, isDone: isDone) }
  }

  func heal() { cut.withLock { $0 = nil } }

  private func pass<Value>(_ call: Call, _ body: () throws(PlaceFailure) -> Value) throws(PlaceFailure)
    -> Value
  {
    let now = cut.withLock { cut -> Cut? in
      if cut?.call == call || (cut?.left ?? 1) < 1 { cut?.left -= 1 }
      return cut
    }
    let failure = PlaceFailure.broken(place: "cut", reason: "the connection ended")
    guard let now, now.left < 1 else { return try body() }
    if now.left == 0, now.isDone { _ = try body() }
    throw failure
  }

  func list() throws(PlaceFailure) -> [ObjectName] {
    try pass(.list) { () throws(PlaceFailure) in try place.list() }
  }

  func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try pass(.get) { () throws(PlaceFailure) in try place.get(name) }
  }

  func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    try pass(.put) { () throws(PlaceFailure) in try place.put(name, bytes) }
  }

  func delete(_ name: ObjectName) throws(PlaceFailure) {
    try pass(.delete) { () throws(PlaceFailure) in try place.delete(name) }
  }

  func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    try place.changed(seconds: seconds, unlessInput: input)
  }

  func close() { place.close() }
}
