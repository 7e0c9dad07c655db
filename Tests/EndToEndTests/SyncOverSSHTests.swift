import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot sync serve` behind a real sshd: two machines, and the box that both reach.
@Suite(.timeLimit(.minutes(HangLimit.minutes)), .enabled(if: SSHServer.isInstalled, "skipped: no sshd"))
struct SyncOverSSHTests {
  private let box: SSHServer
  private let laptop: Household
  private let server: Household

  init() throws {
    box = try SSHServer()
    (laptop, server) = (try Household.ofMachine("laptop"), try Household.ofMachine("server"))
  }

  private func run(_ machine: Household, _ arguments: String...) throws -> Ran {
    try machine.run(arguments, environment: box.environment)
  }

  private func join() throws {
    let begun = try run(laptop, "sync", "init", box.place)
    #expect(begun.output.hasPrefix("\"laptop\" synchronises through ssh:box:place: sent "), "\(begun.errors)")
    let key = try laptop.syncKey()
    // As `ssh laptop reddot sync key | reddot sync join ssh:box:place -` does it.
    let joined = try server.run(
      ["sync", "join", box.place, "-"], input: key + "\n", environment: box.environment)
    #expect(joined.output.contains("\"server\" joined laptop: received "), "\(joined.errors)")
    #expect(try run(laptop, "sync").exit == .status(0))
  }

  private func expectTheSame() throws {
    for machine in [laptop, server, laptop, server] {
      let ran = try run(machine, "sync")
      #expect(ran.exit == .status(0), "\(ran.errors)")
    }
    #expect(try laptop.everything() == server.everything())
    for machine in [laptop, server] {
      #expect(try run(machine, "sync").output == "Nothing new.\n")
      #expect(try run(machine, "sync", "status").output.contains("; nothing waits.\n"))
    }
  }

  @Test func whatIsDoneOnOneMachineIsDoneOnTheOther() throws {
    try join()
    #expect(try run(laptop, "mark", "--star", "3").exit == .status(0))
    #expect(try run(laptop, "sync", "status").output.contains("; 1 change waits since "))
    #expect(try run(laptop, "sync").output == "Sent 1 change.\n")
    #expect(try run(server, "mark", "--dismiss", "5").exit == .status(0))
    #expect(try run(server, "sync").output == "Sent 1 change. Received 1 of laptop.\n")
    #expect(try run(laptop, "sync").output == "Received 1 of server.\n")
    #expect(try server.run("list", "--starred").output.contains("Message"))
    #expect(try laptop.run("list", "--dismissed").output.contains("Message"))
    try expectTheSame()
  }

  @Test func aSessionThatIsKilledLosesNothing() throws {
    try join()
    // Before the greeting, within it, before and within answers.
    for (number, bytes) in [0, 5, 20, 100, 300].enumerated() {
      try box.serve(killedAfter: bytes)
      for machine in [laptop, server] {
        let mark = number % 2 == 0 ? "--star" : "--unstar"
        #expect(try run(machine, "mark", mark, machine === laptop ? "3" : "4").exit == .status(0))
        let failed = try run(machine, "sync")
        #expect(failed.exit == .status(1), "\(bytes): \(failed.output)")
        #expect(failed.errors.hasPrefix("reddot: ssh ended: "), "\(failed.errors)")
      }
      try box.serve()
      for machine in [laptop, server] { #expect(try run(machine, "sync").exit == .status(0)) }
    }
    try expectTheSame()
  }

  @Test func aShellThatGreetsDoesNoHarm() throws {
    try box.serve(greeting: "Welcome to the box!\n" + String(repeating: "It has news.\n", count: 1000))
    try join()
    #expect(try run(laptop, "mark", "--read", "--all").exit == .status(0))
    try expectTheSame()
  }

  @Test func onlyItsForcedCommandRuns() throws {
    try box.serve(greeting: "")
    let ran = try Running(
      "/bin/sh", ["-c", "ssh -T -o BatchMode=yes box echo something else </dev/null"],
      environment: laptop.environment.merging(box.environment) { $1 }
    ).waitForEnd()
    #expect(ran.output == "reddot-sync 1\n")
  }
}
