import Foundation
import TerminalHarness
import Testing

/// `reddot status --watch`
@Suite struct StatusWatchTests {
  @Test func eachChangeIsALineAndNothingElseIs() throws {
    let household = try Household()
    #expect(try household.run("push", "First", "--id", "1").exit == .status(0))
    let running = try household.start(["status", "--format", "{unread} {title}", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(separator: "\n")
    }
    try running.wait(for: "first line") { _ in lines() == ["1 First"] }
    #expect(try household.run("push", "Second \u{1B}[2J").exit == .status(0))
    try running.wait(for: "second line") { _ in lines().count == 2 }
    #expect(lines()[1].hasPrefix("2 Second") && !lines()[1].contains("\u{1B}"))
    // A star changes the database, but not the line.
    #expect(try household.run("mark", "--star", "1").exit == .status(0))
    #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    try running.wait(for: "third line") { _ in lines().count == 3 }
    #expect(lines()[2] == "0 ")
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }

  @Test func itEndsWithItsReader() throws {
    let household = try Household()
    #expect(try household.run("push", "First").exit == .status(0))
    // The reader ends after one line, and nothing changes after that.
    let script = "'\(BuiltProduct.path("reddot"))' status --watch | head -n 1; echo over"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = household.environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "● 1\nover\n")
  }

  @Test func itLivesOnWhateverHappensToTheDatabase() throws {
    let household = try Household()
    // Before there is one, too.
    let running = try household.start(["status", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    }
    try running.wait(for: "an empty line") { _ in lines().count == 2 }
    #expect(try household.run("push", "First", "--id", "1").exit == .status(0))
    try running.wait(for: "first message") { _ in lines().dropLast().last == "● 1" }
    let backup = "\(household.home)/backup"
    #expect(try household.run("backup", backup).exit == .status(0))
    #expect(try household.run("push", "Second").exit == .status(0))
    try running.wait(for: "second message") { _ in lines().dropLast().last == "● 2" }
    #expect(try household.run("restore", "--yes", "--force", backup).exit == .status(0))
    try running.wait(for: "what was restored") { _ in lines().dropLast().last == "● 1" }
    // The database is moved away, and another one is created.
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: household.database + suffix) {
      try FileManager.default.moveItem(
        atPath: household.database + suffix, toPath: "\(household.home)/away\(suffix)")
    }
    try running.wait(for: "nothing") { _ in lines().dropLast().last == "" }
    for number in 1...3 { #expect(try household.run("push", "New \(number)").exit == .status(0)) }
    try running.wait(for: "the new database") { _ in lines().dropLast().last == "● 3" }
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }

  /// An expiry has to be written, which waits for the process that locks the database.
  @Test func itLivesOnWhileAnotherProcessHoldsTheDatabase() throws {
    let household = try Household()
    #expect(try household.run("push", "Stays").exit == .status(0))
    let running = try household.start(["status", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(separator: "\n")
    }
    try running.wait(for: "first line") { _ in lines() == ["● 1"] }
    let end = Date(timeIntervalSinceNow: 3)
    let item = #"{"id": 1, "type": 1, "expiry": "3000millis", "actiondata": {"title": "Goes"}}"#
    let feed = try household.write("app.json", #"{"list": [\#(item)]}"#)
    try household.settings(sources: [("app", feed, "kind = \"native\"")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    try running.wait(for: "second line") { _ in lines().last == "● 2" }
    let holder = try SQLite(household.database)
    try holder.run("BEGIN EXCLUSIVE")
    // Meanwhile the program tries to write.
    try running.wait(for: "the message's end") { _ in Date() > end + 1 }
    #expect(lines().count == 2)
    try holder.run("COMMIT")
    try running.wait(for: "what is left") { _ in lines().last == "● 1" && lines().count == 3 }
    #expect(try household.run("push", "Another").exit == .status(0))
    try running.wait(for: "another one") { _ in lines().last == "● 2" && lines().count == 4 }
    #expect(running.errorBytes.isEmpty)
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }

  @Test func itFollowsTheSettings() throws {
    let household = try Household()
    #expect(try household.run("push", "First").exit == .status(0))
    let running = try household.start(["status", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(separator: "\n")
    }
    try running.wait(for: "first line") { _ in lines() == ["● 1"] }
    let feed = try household.write("team.xml", rss("Team", [item(1, "One"), item(2, "Two")]))
    try household.settings(sources: [("team", "file://\(feed)", "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    try running.wait(for: "a source that came later") { _ in lines().last == "● 3" }
    // An error in the settings is reported, and the line stays until the error is corrected.
    try household.settings("mouse = 3", sources: [("team", "file://\(feed)", "")])
    try running.wait(for: "the mistake") { !$0.errorBytes.isEmpty }
    #expect(String(decoding: running.errorBytes, as: UTF8.self).contains("mouse"))
    try household.settings(sources: [])
    try running.wait(for: "the source to go") { _ in lines().last == "● 1" }
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }

  /// In one step, as programs that save files do it: by something else, and by the database of another home.
  @Test func itLivesOnWhenTheFileIsReplaced() throws {
    let (household, other) = (try Household(), try Household())
    #expect(try household.run("push", "Mine").exit == .status(0))
    for number in 1...3 { #expect(try other.run("push", "Other \(number)").exit == .status(0)) }
    let backup = "\(other.home)/backup"
    #expect(try other.run("backup", backup).exit == .status(0))
    let running = try household.start(["status", "--watch"])
    func lines() -> [Substring] {
      String(decoding: running.outputBytes, as: UTF8.self).split(separator: "\n")
    }
    try running.wait(for: "first line") { _ in lines() == ["● 1"] }
    for suffix in ["-wal", "-shm"]
    where FileManager.default.fileExists(atPath: household.database + suffix) {
      try FileManager.default.removeItem(atPath: household.database + suffix)
    }
    try household.write(household.database, Data("not a database, but a text that somebody wrote there".utf8))
    try running.wait(for: "why it cannot be read") { !$0.errorBytes.isEmpty }
    #expect(String(decoding: running.errorBytes, as: UTF8.self).contains(household.database))
    try household.write(household.database, try Data(contentsOf: URL(fileURLWithPath: backup)))
    try running.wait(for: "the other database") { _ in lines().last == "● 3" }
    #expect(try household.run("push", "One more").exit == .status(0))
    try running.wait(for: "one more") { _ in lines().last == "● 4" }
    Foundation.kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .signal(SIGTERM))
  }
}
