import Foundation
import Messages
import Profile
import Storage
import Sync
import TestBasics
import Testing

/// Each machine has its own copy of the folder, and rsync copies new files in both directions. Machines are copied with their
/// folders, and restored from earlier copies.
@Suite struct CarriedFolderTests {
  fileprivate static let rsync = "/usr/bin/rsync"
  private static let isInstalled = FileManager.default.isExecutableFile(atPath: rsync)

  static let seeds = Histories.seeds(4)

  private enum Field: CaseIterable { case read, starred, dismissed }

  private struct Cell: Hashable {
    var message: Int
    var field: Field
  }

  /// The machines, and the value that the last act on each cell set.
  private final class Group {
    let folder: PlaceFolder
    var machines: [PlacedMachine] = []
    var last: [Cell: Bool] = [:]
    var notes: [String] = []

    init() throws {
      folder = try PlaceFolder()
      for name in ["0", "1"] {
        if name == "1" { try FileManager.default.copyItem(atPath: path("place"), toPath: path("folder 1")) }
        machines.append(try folder.machine(name, folder.place(place(of: name)), messages: 8))
      }
    }

    func place(of name: String) -> String { name == "0" ? "place" : "folder \(name)" }

    func path(_ file: String) -> String { "\(folder.path)/\(file)" }

    func act(_ machine: PlacedMachine, _ random: inout SeededRandom) throws {
      let message = Int.random(in: 1...8, using: &random)
      let field = Field.allCases.randomElement(using: &random) ?? .read
      // A state that is already set isn't set again.
      let value = try !isSo(field, of: message, at: machine)
      try machine.perform(
        { id in
          switch field {
          case .read: value ? .read([id]) : .unread([id])
          case .starred: value ? .star([id]) : .unstar([id])
          case .dismissed: value ? .dismiss([id]) : .undismiss([id])
          }
        }, message, at: folder.later)
      last[Cell(message: message, field: field)] = value
    }

    func isSo(_ field: Field, of message: Int, at machine: PlacedMachine) throws -> Bool {
      let words = try machine.shown()[message - 1].split(separator: " ")
      return
        switch field
      {
      case .read: words.contains("read")
      case .starred: words.contains("starred")
      case .dismissed: words.contains("dismissed")
      }
    }

    func synchronise(_ machine: PlacedMachine) throws {
      notes += try folder.synchronise(machine).notes
    }

    /// Copies in both directions; if two files have the same name, the newer one stays.
    func carry(_ one: PlacedMachine, _ other: PlacedMachine) throws {
      let (left, right) = (path(place(of: one.name)), path(place(of: other.name)))
      for (from, to) in [(left, right), (right, left)] {
        let rsync = Process()
        rsync.executableURL = URL(filePath: CarriedFolderTests.rsync)
        rsync.arguments = ["-a", "--update", from + "/", to]
        try rsync.run()
        rsync.waitUntilExit()
        #expect(rsync.terminationStatus == 0)
      }
    }

    /// Everything is everywhere then.
    func carryAll() throws {
      let pairs = Array(zip(machines, machines.dropFirst()))
      for (one, other) in pairs + pairs.reversed() { try carry(one, other) }
    }

    func copy(_ machine: PlacedMachine) throws {
      let name = "\(machines.count)"
      try folder.copyDatabase(machine.name, to: name)
      try FileManager.default.copyItem(atPath: path(place(of: machine.name)), toPath: path(place(of: name)))
      machines.append(try folder.machine(ofCopy: name, folder.place(place(of: name)), messages: 8))
    }

    /// Restores a snapshot from before some acts that the others already have.
    func setBack(_ machine: PlacedMachine, withFolder: Bool, _ random: inout SeededRandom) throws {
      try? FileManager.default.removeItem(atPath: path("saved folder"))
      try folder.copyDatabase(machine.name, to: "saved")
      try FileManager.default.copyItem(atPath: path(place(of: machine.name)), toPath: path("saved folder"))
      for _ in 0..<Int.random(in: 0...3, using: &random) { try act(machine, &random) }
      try synchronise(machine)
      for other in machines where other !== machine { try carry(machine, other) }
      try machine.store.close()
      try folder.copyDatabase("saved", to: machine.name)
      if withFolder {
        try FileManager.default.removeItem(atPath: path(place(of: machine.name)))
        try FileManager.default.moveItem(atPath: path("saved folder"), toPath: path(place(of: machine.name)))
      }
      let index = machines.firstIndex { $0 === machine } ?? 0
      machines[index] = try folder.machine(
        ofCopy: machine.name, folder.place(place(of: machine.name)), messages: 8)
    }
  }

  @Test(.enabled(if: isInstalled, "skipped: no rsync"), arguments: seeds)
  func nothingThatAnyCopyDidIsLost(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let group = try Group()
    for _ in 0..<60 {
      let machine = try #require(group.machines.randomElement(using: &random))
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: try group.act(machine, &random)
      case 50..<72: try group.synchronise(machine)
      case 72..<85:
        let other = try #require(group.machines.randomElement(using: &random))
        if other !== machine { try group.carry(machine, other) }
      case 85..<93: if group.machines.count < 5 { try group.copy(machine) }
      case 93..<96: try group.setBack(machine, withFolder: true, &random)
      default: try group.setBack(machine, withFolder: false, &random)
      }
    }
    for _ in 0..<4 {
      for machine in group.machines { try group.synchronise(machine) }
      try group.carryAll()
    }
    for machine in group.machines { try group.synchronise(machine) }
    let shown = try group.machines.map { try $0.shown() }
    for other in shown.dropFirst() { #expect(other == shown[0], "seed \(seed)") }
    #expect(shown[0].count == 8)
    for (cell, value) in group.last {
      let isSo = try group.isSo(cell.field, of: cell.message, at: group.machines[0])
      #expect(isSo == value, "seed \(seed): \(cell)")
    }
    let copied = "this database was copied or restored; it continues as a new machine, and nothing is lost"
    #expect(group.notes.filter { $0 != copied } == [], "seed \(seed)")
    for machine in group.machines {
      #expect(try folderIsQuiet(group, machine), "seed \(seed)")
      #expect(try machine.store.sync.waiting().count == 0)
      #expect(try machine.store.check.compareAll() == [])
      try machine.store.close()
    }
  }

  private func folderIsQuiet(_ group: Group, _ machine: PlacedMachine) throws -> Bool {
    try group.folder.synchronise(machine) == Synchronisation.Outcome()
  }
}
