import Foundation
import Storage
import TerminalHarness
import Testing

/// Several processes at the same time. The program `torture` tests those that are killed.
@Suite struct CrowdTests {
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
        // A waiting process has the file of the lock open.
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
