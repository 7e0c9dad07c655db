import Foundation
import Messages
import Storage
import Synchronization
import TerminalHarness
import TestBasics
import Testing

/// Processes that are killed at any moment, and several at the same time.
@Suite struct CrashTests {
  private static let rounds = 80
  private static let growth = 8

  private func writeSources(_ household: Household, _ count: Int) throws {
    try household.write(
      "board.json", try native("Board", (1...count).map { ["id": $0, "title": "Message \($0)"] }))
    try household.write(
      "team.xml", rss("Team", (1...count).reversed().map { item($0, "Message \($0)") }))
  }

  /// Every message of both sources, whenever a process was killed.
  @Test func afterAKillAtAnyMomentNothingIsLostOrRepeated() async throws {
    let household = try Household()
    try household.settings(sources: [
      (name: "board", url: "\(household.home)/board.json", more: "kind = \"native\""),
      (name: "team", url: "\(household.home)/team.xml", more: ""),
    ])
    try writeSources(household, 10)
    let clock = ContinuousClock()
    var first: Ran?
    let usual = try clock.measure { first = try household.run("poll", "--force") }
    #expect(first?.exit == .status(0))
    let isOver = Atomic(false)

    // During the polls other processes push and mark, and are killed too.
    let acts = Task { () throws -> (pushed: [String], all: [String], read: Set<Int>) in
      try await onThread {
        var chance = SeededRandom(seed: 2)
        var pushed: [String] = []
        var all: [String] = []
        var read: Set<Int> = []
        var number = 0
        while !isOver.load(ordering: .acquiring) {
          number += 1
          let isPush = number % 2 == 0
          // Messages 1 to 10 were there at the start, of each source.
          let id = number % 20 + 1
          let running = try household.start(
            isPush ? ["push", "Pushed \(number)", "--id", "\(number)"] : ["mark", "--read", "\(id)"])
          let ran =
            number % 3 == 0
            ? running.kill(after: usual * Double.random(in: 0...1.2, using: &chance))
            : try running.waitForEnd()
          #expect(!ran.errors.contains("locked"))
          if ran.exit != .signal(SIGKILL) { #expect(ran.exit == .status(0), "\(ran.errors)") }
          if isPush { all.append("\(number)") }
          if ran.exit == .status(0) {
            if isPush { pushed.append("\(number)") } else { read.insert(id) }
          }
        }
        return (pushed, all, read)
      }
    }

    let kills = try await onThread {
      defer { isOver.store(true, ordering: .releasing) }
      var chance = SeededRandom(seed: 1)
      var kills = 0
      // The duration of a poll grows with the feeds and with the load of the machine.
      var lately = usual
      for round in 1...Self.rounds {
        try writeSources(household, 10 + round * Self.growth)
        let start = clock.now
        let ran = try household.start(["poll", "--force"]).kill(
          after: lately * Double.random(in: 0...1.4, using: &chance))
        if ran.exit == .signal(SIGKILL) {
          kills += 1
        } else {
          lately = clock.now - start
          #expect(ran.exit == .status(0), "\(ran.errors)")
        }
        #expect(!ran.errors.contains("locked"))
      }
      return kills
    }
    let acted = try await acts.value
    #expect(kills >= 30, "too few kills to say anything")

    #expect(try household.run("poll", "--force").exit == .status(0))
    let count = 10 + Self.rounds * Self.growth
    let messages = try household.messages("--limit", "100000")
    func ids(_ source: String) -> [String] {
      messages.filter { $0["source"] as? String == source }.compactMap { $0["remote_id"] as? String }
    }
    for source in ["board", "team"] {
      #expect(ids(source).count == count)
      #expect(Set(ids(source)) == Set((1...count).map { "\($0)" }))
    }
    // An acknowledged message is there once; one of a killed process once or never.
    #expect(Set(ids("local")).count == ids("local").count)
    #expect(Set(ids("local")).isSuperset(of: acted.pushed))
    #expect(Set(ids("local")).isSubset(of: acted.all))
    let read = Set(messages.filter { $0["unread"] as? Bool == false }.compactMap { $0["id"] as? Int })
    #expect(read.isSuperset(of: acted.read))
    let store = try Store(path: household.database, now: Date())
    #expect(try store.check.compareAll() == [])
    #expect(try store.check.compareSearchIndex() == [])
    // Dot, number and list agree.
    let unread = messages.count - read.count
    try household.run("status").expect("● \(unread)\n")
  }

  @Test func aKilledFirstStartDoesNotPreventTheNext() throws {
    var chance = SeededRandom(seed: 3)
    let household = try Household()
    try household.settings(sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
    try household.write("team.xml", rss("Team", [item(1, "First")]))
    for _ in 0..<25 {
      // A new database every time, since its creation is interrupted.
      for suffix in ["", "-wal", "-shm"] { unlink(household.database + suffix) }
      let time = Duration.milliseconds(Int.random(in: 0...120, using: &chance))
      _ = try household.start(["poll", "--force"]).kill(after: time)
      let ran = try household.run("poll", "--force")
      #expect(ran.exit == .status(0), "\(ran.errors)")
      #expect(try household.messages().count == 1)
    }
  }

  @Test func twoProcessesPollASourceOnce() throws {
    let server = try LyingServer()
    let household = try Household()
    try household.settings(sources: [(name: "team", url: server.url("/feed"), more: "")])
    let gate = DispatchSemaphore(value: 0)
    let feed = rss("Team", [item(2, "Second"), item(1, "First")])
    server.answer("/feed") { connection in
      gate.wait()
      connection.respond("200 OK", [], Data(feed.utf8))
    }
    let first = try household.start(["poll", "--force"])
    try first.wait(for: "request") { _ in !server.requests("/feed").isEmpty }
    let others = try (0..<3).map { _ in try household.start(["poll", "--force"]) }
    for other in others {
      try other.wait(for: "wait for the first") { _ in
        // It holds the lock's file open while it waits.
        let folder = "/proc/\(other.process)/fd"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasSuffix(
            ".locks/1") == true
        }
      }
    }
    gate.signal()
    let ran = try first.waitForEnd()
    ran.expect("team: 2 new\n  Second\n  First\n")
    for other in others {
      let ran = try other.waitForEnd()
      #expect(ran.exit == .status(0))
      #expect(ran.errors == "")
      #expect(ran.output.hasPrefix("team: 2 new\n"))
    }
    #expect(server.requests("/feed").count == 1)
    #expect(try household.messages().count == 2)
  }

  @Test func aCrowdOfCommandsNeverMeetsALockedDatabase() throws {
    let household = try householdWithTwoSources()
    var crowd: [Running] = []
    for number in 0..<24 {
      let commands = [
        ["push", "Pushed \(number)", "--id", "\(number)"], ["mark", "--read", "--all"], ["poll", "--force"],
        ["list"],
        ["mark", "--star", "\(number % 5 + 1)"], ["status"],
      ]
      crowd.append(try household.start(commands[number % commands.count]))
    }
    for running in crowd {
      let ran = try running.waitForEnd()
      #expect(ran.exit == .status(0))
      #expect(ran.errors == "")
    }
    #expect(try household.messages("--source", "local").count == 4)
    #expect(try Store(path: household.database, now: Date()).check.compareAll() == [])
  }
}

/// Runs blocking work on its own thread.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
