import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Two machines, each with a separate folder, and rsync that copies new files both ways.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncCarriedFolderTests {
  private static let rsync = "/usr/bin/rsync"
  private static let isInstalled = FileManager.default.isExecutableFile(atPath: rsync)
  private static let skipped: Comment = "skipped: no rsync"

  private let laptop: Household
  private let server: Household

  init() throws {
    (laptop, server) = (try Household.ofMachine("laptop"), try Household.ofMachine("server"))
  }

  private func place(_ machine: Household) -> String { "\(machine.home)/place" }

  private func carry(from machine: Household, to other: Household) throws {
    let ran = try Running(
      Self.rsync, ["-a", place(machine) + "/", place(other)], environment: machine.environment
    ).waitForEnd()
    #expect(ran.exit == .status(0), "\(ran.errors)")
  }

  private func carry() throws {
    try carry(from: laptop, to: server)
    try carry(from: server, to: laptop)
  }

  private func join() throws {
    #expect(try laptop.run("sync", "init", place(laptop)).exit == .status(0))
    #expect(
      try server.run("sync", "join", place(server), laptop.syncKey()).errors.hasPrefix(
        "reddot: nothing is set up in "))
    try carry(from: laptop, to: server)
    let joined = try server.run("sync", "join", place(server), laptop.syncKey())
    #expect(joined.exit == .status(0), "\(joined.errors)")
    try carry()
  }

  /// Adds unfinished files to a folder: one of a reddot that was killed, and one of a program that copies folders.
  private func leaveUnfinished(in machine: Household, _ random: inout SeededRandom) throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: place(machine)).filter {
      $0.count == 32
    }
    guard let folder = folders.sorted().randomElement(using: &random) else { return }
    let number = Int.random(in: 0..<1_000_000, using: &random)
    for name in [
      ".tmp-\(number)", ".000000000001-000000000009.ops.\(number)", "000000000001-000000000009.ops~",
    ] {
      try machine.write("\(place(machine))/\(folder)/\(name)", "rdsy")
    }
  }

  @Test(.enabled(if: isInstalled, skipped)) func whateverIsCarriedWhenBothShowTheSame() throws {
    var random = SeededRandom(seed: 11)
    try join()
    for _ in 0..<25 {
      let machine = Bool.random(using: &random) ? laptop : server
      let mark = ["--read", "--unread", "--star", "--unstar", "--dismiss", "--undismiss"]
      // Each command sends its change before it ends.
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let id = "\(Int.random(in: 1...Household.messagesOfMachine, using: &random))"
        let act = ["mark", mark.randomElement(using: &random) ?? "--read", id]
        #expect(try machine.run(act).exit == .status(0))
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try carry(from: laptop, to: server)
      case 1: try carry(from: server, to: laptop)
      case 2: try leaveUnfinished(in: machine, &random)
      case 3: #expect(try machine.run("sync").exit == .status(0))
      default: break
      }
    }
    try carry()
    for machine in [laptop, server] { #expect(try machine.run("sync").exit == .status(0)) }
    try carry()
    for machine in [laptop, server] { #expect(try machine.run("sync").exit == .status(0)) }
    #expect(try laptop.everything() == server.everything())
    #expect(try laptop.everything().count == Household.messagesOfMachine)
    for machine in [laptop, server] {
      let again = try machine.run("sync")
      #expect(again.output == "Nothing new.\n" && again.errors == "", "\(again)")
      #expect(try machine.run("sync", "status").output.contains("; nothing waits.\n"))
      #expect(try machine.run("check").exit == .status(0))
    }
  }
}
