import Foundation
import Messages
import PlaceStandIns
import Profile
import Storage
import Sync
import Testing

/// The rules for trusting the objects at a place, and the number of times that they are read.
@Suite struct ObjectTests {
  private static let copied =
    "this database was copied or restored; it continues as a new machine, and nothing is lost"

  // MARK: - Names

  @Test func namesHaveTheDigestOfTheirBytes() throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...3, laptop)
    let names = try folder.objects()
    #expect(names.count == 3)
    for name in names {
      #expect(try name.digest == ObjectDigest(of: Array(Data(contentsOf: folder.file(name)))))
    }
    // Earlier versions take that for the place of a newer one.
    let marker = try #require(try folder.place().get(.marker))
    #expect(marker[4] == 2)
    #expect(try Marker.read(marker, folder.key, place: "~") == folder.placeID)
  }

  /// As the last version left it: names without digests, and nothing known of them.
  @Test func aFolderOfTheLastVersionKeepsItsMachines() throws {
    let folder = try PlaceFolder()
    let old = try folder.machine("laptop", folder.place(isServed: true))
    try folder.star(1...3, old)
    let before = try folder.objects()
    #expect(before.allSatisfy { $0.digest == nil } && before.count == 3)
    #expect(try folder.place().get(.marker)?[4] == 1)
    let device = try old.store.sync.machine()?.device
    try old.store.sync.forget(before)
    try old.store.close()
    let laptop = try folder.machine(ofCopy: "laptop")
    let server = try folder.machine("server")
    #expect(try folder.synchronise(laptop) == Synchronisation.Outcome())
    #expect(try folder.synchronise(server).received["laptop"] != nil)
    #expect(try folder.objects().filter { $0.device == device } == before)
    #expect(try laptop.store.sync.machine()?.device == device)
    #expect(try server.starred() == [1, 2, 3])
    // The objects of the last version are deleted when they are packed.
    for _ in 0..<16 {
      try laptop.perform({ .star([$0]) }, 4, at: folder.later)
      try folder.synchronise(laptop)
      try laptop.perform({ .unstar([$0]) }, 4, at: folder.later)
      try folder.synchronise(laptop)
    }
    let after = try folder.objects()
    #expect(after.allSatisfy { $0.digest != nil } && after.count < 32)
    #expect(try folder.synchronise(server).notes == [])
    #expect(try server.starred() == [1, 2, 3])
    #expect(try laptop.store.sync.machine()?.device == device)
  }

  @Test func aKillBetweenPutAndCommitKeepsTheMachine() throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...2, laptop)
    try laptop.perform({ .star([$0]) }, 3, at: folder.later)
    try folder.copyDatabase("laptop", to: "killed")
    try folder.synchronise(laptop)
    try laptop.store.close()
    let killed = try folder.machine(ofCopy: "killed")
    let (device, objects) = (try killed.store.sync.machine()?.device, try folder.objects())
    #expect(try killed.store.sync.waiting().count == 1)
    #expect(try folder.synchronise(killed) == Synchronisation.Outcome())
    #expect(try killed.store.sync.waiting().count == 0)
    try folder.star(4...4, killed)
    #expect(try killed.store.sync.machine()?.device == device)
    #expect(try folder.objects().count == objects.count + 1)
  }

  // MARK: - Damage

  /// A new machine gets all only from the place.
  private func newcomer(_ folder: PlaceFolder) throws -> [Int] {
    let newcomer = try folder.machine("newcomer \(UUID().uuidString)")
    #expect(try folder.synchronise(newcomer).notes == [])
    return try newcomer.starred()
  }

  @Test(arguments: [4, 6, 30, 60, 75]) func aDamagedOwnObjectIsPutAgain(byte: Int) throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...3, laptop)
    let names = try folder.objects()
    try folder.flip(names[1], byte: byte)
    // The object's name is unchanged, so an ordinary sync does not notice the damage.
    #expect(try folder.synchronise(laptop) == Synchronisation.Outcome())
    #expect(try folder.synchronise(laptop, checksAll: true).sent == 1)
    #expect(try newcomer(folder) == [1, 2, 3])
    #expect(try !folder.objects().contains(names[1]))
    // Once a day, this happens automatically.
    let device = try laptop.store.sync.machine()?.device
    try folder.flip(#require(try folder.objects().first { $0.device == device }), byte: byte)
    #expect(try folder.synchronise(laptop).sent == 0)
    folder.waitADay()
    #expect(try folder.synchronise(laptop).sent > 0)
    #expect(try newcomer(folder) == [1, 2, 3])
    #expect(try folder.synchronise(laptop, checksAll: true).sent == 0)
  }

  @Test(arguments: [4, 60]) func aDamagedOwnObjectOfATableIsPutAgain(byte: Int) throws {
    let (folder, objects) = (try PlaceFolder(), MemoryObjects())
    _ = try MemoryPlace(objects).put(
      .marker, Marker.make(folder.placeID, folder.key, program: "test", at: PlaceFolder.noon))
    let laptop = try folder.machine("laptop", MemoryPlace(objects))
    try folder.star(1...3, laptop)
    let names = objects.all.keys.sorted()
    #expect(names.count == 4 && names.allSatisfy { $0.digest == nil })
    objects.all[names[2]]?[byte] ^= 1
    #expect(try folder.synchronise(laptop, checksAll: true).sent == 1)
    let server = try folder.machine("server", MemoryPlace(objects))
    #expect(try folder.synchronise(server).notes == [])
    #expect(try server.starred() == [1, 2, 3])
  }

  @Test func oneBitOfAFormatIsNoNewerVersion() throws {
    let folder = try PlaceFolder()
    let (laptop, server) = (try folder.machine("laptop"), try folder.machine("server"))
    try folder.star(1...3, laptop)
    let name = try folder.objects()[1]
    try folder.flip(name, byte: 4, bit: 2)
    #expect(
      try folder.synchronise(server).notes == [
        "1 object of laptop is damaged and was left out: \(name.path)"
      ])
    #expect(try server.starred() == [1, 3])
    try folder.synchronise(laptop, checksAll: true)
    #expect(try folder.synchronise(server).notes == [])
    #expect(try server.starred() == [1, 2, 3])
  }

  @Test func aFormatThatIsSealedIsThatOfANewerVersion() throws {
    let folder = try PlaceFolder()
    let (laptop, server) = (try folder.machine("laptop"), try folder.machine("server"))
    try folder.star(1...1, laptop)
    let device = try #require(try laptop.store.sync.machine()?.device)
    let name = ObjectName(device: device, seqs: 3...3)
    let object = try SealedObject.seal([9], name: name, key: folder.key, format: 7)
    _ = try folder.place().put(folder.place().name(name, of: object), object)
    let note =
      "laptop writes a newer format; install a newer reddot here. Changes of this machine are still sent"
    #expect(try folder.synchronise(server).notes == [note])
    #expect(try folder.synchronise(server).notes == [])
  }

  @Test func aFileThatIsStillBeingCopiedIsReadWhenItIsWhole() throws {
    let folder = try PlaceFolder()
    let (laptop, server) = (try folder.machine("laptop"), try folder.machine("server"))
    try folder.star(1...3, laptop)
    let name = try folder.objects()[1]
    let whole = try Data(contentsOf: folder.file(name))
    try whole.dropLast(20).write(to: folder.file(name))
    let note = "1 object of laptop is damaged and was left out: \(name.path)"
    #expect(try folder.synchronise(server).notes == [note])
    #expect(try folder.synchronise(server).notes == [])
    #expect(try server.starred() == [1, 3])
    try whole.write(to: folder.file(name))
    #expect(try folder.synchronise(server).received == ["laptop": 1])
    #expect(try server.starred() == [1, 2, 3])
  }

  @Test func damagedFilesAreReadOnceAndSaidOnce() throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...3, laptop)
    // Objects of another machine, and some under this one's own id.
    for (device, count) in [
      (DeviceID.random(), 10_000), (try laptop.store.sync.machine()?.device ?? .random(), 50),
    ] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/place/\(device.folder)", withIntermediateDirectories: true)
      for number in 1...count {
        let seq = Int64(1_000_000 + number)
        let digest = number % 3 == 0 ? nil : ObjectDigest(of: [UInt8(truncatingIfNeeded: number)])
        let name = ObjectName(device: device, seqs: seq...seq, digest: digest)
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 200)
        try Data(bytes).write(to: folder.file(name))
      }
    }
    let place = WatchedPlace(try folder.place())
    let server = try folder.machine("server", place)
    let first = try folder.synchronise(server)
    #expect(first.notes.count == 101)
    #expect(first.notes.last == "9950 more objects are damaged or cannot be read, and were left out")
    #expect(try server.starred() == [1, 2, 3])
    _ = place.reads()
    for _ in 0..<2 {
      #expect(try folder.synchronise(server) == Synchronisation.Outcome())
      #expect(place.reads() == [])
    }
    let own = WatchedPlace(try folder.place())
    let same = try PlacedMachine("laptop", own, file: "\(folder.path)/laptop", at: folder.later)
    let device = try same.store.sync.machine()?.device
    #expect(try folder.synchronise(same).sent == 0)
    _ = own.reads()
    #expect(try folder.synchronise(same) == Synchronisation.Outcome())
    #expect(own.reads() == [])
    #expect(try same.store.sync.machine()?.device == device)
  }

  /// Objects of others do not delay a command: neither they nor their list are read.
  @Test func whatIsSentAfterAnActionTakesAsLongWhateverOthersSent() throws {
    let folder = try PlaceFolder()
    let place = WatchedPlace(try folder.place())
    let (laptop, server) = (try folder.machine("laptop", place), try folder.machine("server"))
    let phone = try folder.machine("phone")
    for number in 1...3 { try server.perform({ .star([$0]) }, number, at: folder.later) }
    _ = try folder.synchronise(server)
    _ = (place.reads(), place.wholeLists())
    try laptop.perform({ .star([$0]) }, 5, at: folder.later)
    try laptop.send(folder.key, at: folder.later)
    #expect(place.reads() == [] && place.wholeLists() == 0)
    #expect(try laptop.store.sync.waiting().count == 0)
    #expect(try laptop.starred() == [5])
    // Sending alone is no sync, so it is not recorded that everything was compared.
    #expect(try laptop.store.sync.progress()?.last == nil)
    for machine in [phone, server, laptop] { _ = try folder.synchronise(machine) }
    for machine in [laptop, server, phone] {
      #expect(try machine.starred() == [1, 2, 3, 5], "\(machine.name)")
    }
    // An object of this machine that the folder lost is still sent again.
    let device = try #require(try laptop.store.sync.machine()?.device)
    try FileManager.default.removeItem(atPath: "\(folder.path)/place/\(device.folder)")
    try laptop.perform({ .star([$0]) }, 7, at: folder.later)
    try laptop.send(folder.key, at: folder.later)
    let fresh = try folder.machine("fresh")
    _ = try folder.synchronise(fresh)
    #expect(try fresh.starred() == [1, 2, 3, 5, 7])
  }

  @Test func filesThatAreTooLongOrBeginOtherwiseAreNotReadWhole() throws {
    let folder = try PlaceFolder()
    let place = WatchedPlace(try folder.place())
    let server = try folder.machine("server", place)
    let device = DeviceID.random()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/place/\(device.folder)", withIntermediateDirectories: true)
    for (seq, size) in [(1, 1 << 40), (2, 60 << 20)] as [(Int64, off_t)] {
      let file = folder.file(ObjectName(device: device, seqs: seq...seq, digest: ObjectDigest(of: [])))
      try Data("rds?".utf8).write(to: file)
      #expect(truncate(file.path, size) == 0)
    }
    #expect(try folder.synchronise(server).notes.count == 2)
    // The beginning of one of them.
    #expect(place.reads().count == 1)
  }

  // MARK: - Places that lie

  private func table() throws -> (folder: PlaceFolder, objects: MemoryObjects) {
    let (folder, objects) = (try PlaceFolder(), MemoryObjects())
    _ = try MemoryPlace(objects).put(
      .marker, Marker.make(folder.placeID, folder.key, program: "test", at: PlaceFolder.noon))
    return (folder, objects)
  }

  private func expectFailure(_ machine: PlacedMachine, _ folder: PlaceFolder, _ reason: String) throws {
    let last = try machine.store.sync.progress()?.last
    let failure = #expect(throws: SyncFailure.self) { try folder.synchronise(machine) }
    #expect(
      failure?.sentence.hasPrefix("the place cannot be used: \(reason)") == true, "\(failure?.sentence ?? "")"
    )
    #expect(try machine.store.sync.progress()?.last == last)
    #expect(try machine.store.sync.waiting().count > 0)
  }

  @Test func aPlaceThatListsWhatItDoesNotHaveFails() throws {
    let (folder, objects) = try table()
    let laptop = try folder.machine("laptop", MemoryPlace(objects))
    try folder.star(1...1, laptop)
    let device = try #require(try laptop.store.sync.machine()?.device)
    try laptop.store.close()
    for other in [device, .random()] {
      let place = WatchedPlace(try MemoryPlace(objects)) { $0 + [ObjectName(device: other, seqs: 50...51)] }
      let lied = try PlacedMachine("laptop", place, file: "\(folder.path)/laptop", at: folder.later)
      try lied.perform({ .star([$0]) }, 2, at: folder.later)
      if other == device {
        try expectFailure(lied, folder, "it lists an object that it does not have: ")
      } else {
        // Its own changes are sent.
        #expect(throws: SyncFailure.self) { try folder.synchronise(lied) }
        #expect(try lied.store.sync.waiting().count == 0)
      }
      try lied.store.close()
    }
  }

  @Test func aPlaceThatTakesNothingFails() throws {
    let (folder, objects) = try table()
    let laptop = try folder.machine("laptop", WatchedPlace(MemoryPlace(objects), refusesAll: true))
    try expectFailure(laptop, folder, "it refuses an object as if it already had the object: ")
  }

  // MARK: - Numbers

  @Test func numbersAtTheEndOfAllNumbersAreDamage() throws {
    let (folder, objects) = try table()
    let (laptop, place) = (try folder.machine("laptop", MemoryPlace(objects)), try MemoryPlace(objects))
    try folder.star(1...2, laptop)
    let device = try #require(try laptop.store.sync.machine()?.device)
    let act = ActCodec.encode(
      Act(kind: .read, stamp: Stamp(rawValue: Stamp.limit - 1), undoes: .max, groups: []))
    let ends: [ClosedRange<Int64>] = [
      .max ... .max, (.max - 1) ... .max, (.max - 900)...(.max - 900), 0 ... .max, 1 ... .max,
    ]
    for device in [device, .random(), .random()] {
      for seqs in ends {
        let name = ObjectName(device: device, seqs: seqs)
        let head = Payload.Head(written: .max, machine: "stolen", program: "test")
        let acts = Array(repeating: act, count: min(name.actCount, 2))
        _ = try place.put(
          name, SealedObject.seal(Payload.encode(head, acts: acts), name: name, key: folder.key))
      }
    }
    // A machine's clock may also be far wrong.
    let name = ObjectName(device: .random(), seqs: (.max - 1001)...(.max - 1001))
    let head = Payload.Head(written: .max, machine: "late", program: "test")
    _ = try place.put(
      name, SealedObject.seal(Payload.encode(head, acts: [act]), name: name, key: folder.key))
    let server = try folder.machine("server", MemoryPlace(objects))
    #expect(try folder.synchronise(server).notes.count == 15)
    #expect(try folder.synchronise(server).notes == [])
    #expect(try folder.synchronise(laptop).notes.count == 10)
    #expect(try laptop.store.sync.machine()?.device == device)
    #expect(try server.starred() == [1, 2])
    let late = try server.store.sync.progress()?.machines.first { $0.name == "late" }
    #expect(late?.acts == 1 && late?.missing == .max - 1002)
    #expect(late?.heard == Date(timeIntervalSince1970: Double(Int64(1) << 45) / 1000))
  }

  // MARK: - Copies

  /// Two copies of a database have used the same number before they learn of each other.
  @Test func actsOfOneNumberOfTwoCopiesBothCount() throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...2, laptop)
    try folder.copyDatabase("laptop", to: "copy")
    let there = Set(try folder.objects())
    try folder.star(3...3, laptop)
    // The copy's folder doesn't have that yet.
    let third = try #require(try folder.objects().first { !there.contains($0) })
    let away = URL(filePath: "\(folder.path)/away")
    try FileManager.default.moveItem(at: folder.file(third), to: away)
    let copy = try folder.machine(ofCopy: "copy")
    try folder.star(4...4, copy)
    #expect(try copy.store.sync.machine()?.device == laptop.store.sync.machine()?.device)
    try FileManager.default.moveItem(at: away, to: folder.file(third))
    let server = try folder.machine("server")
    try folder.synchronise(server)
    #expect(try server.starred() == [1, 2, 3, 4])
    let machines = [laptop, copy, server]
    let notes = try (machines + machines + machines).flatMap { try folder.synchronise($0).notes }
    #expect(notes.filter { $0 != Self.copied } == [] && !notes.isEmpty)
    for machine in machines {
      #expect(try machine.starred() == [1, 2, 3, 4])
      #expect(try machine.store.check.compareAll() == [])
    }
    #expect(try Set(machines.map { try $0.store.sync.machine()?.device }).count == 3)
  }

  /// The object isn't the newest one under the id of the two copies.
  @Test func theActsOfACopyThatIsGoneArrive() throws {
    let folder = try PlaceFolder()
    let laptop = try folder.machine("laptop")
    try folder.star(1...2, laptop)
    try folder.copyDatabase("laptop", to: "copy")
    try FileManager.default.copyItem(atPath: "\(folder.path)/place", toPath: "\(folder.path)/other")
    let copy = try folder.machine(ofCopy: "copy", folder.place("other"))
    try folder.star(6...6, copy)
    try folder.star(3...5, laptop)
    let device = try laptop.store.sync.machine()?.device
    let there = Set(try folder.objects())
    for name in try folder.objects("other") where !there.contains(name) {
      try FileManager.default.copyItem(at: folder.file(name, "other"), to: folder.file(name))
    }
    #expect(try folder.synchronise(laptop).notes == [Self.copied])
    #expect(try laptop.starred() == [1, 2, 3, 4, 5, 6])
    #expect(try laptop.store.sync.machine()?.device != device)
    #expect(try newcomer(folder) == [1, 2, 3, 4, 5, 6])
    #expect(try laptop.store.check.compareAll() == [])
  }
}
