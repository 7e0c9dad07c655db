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
    #expect(try household.run("restore", "--force", backup).exit == .status(0))
    try running.wait(for: "what was restored") { _ in lines().dropLast().last == "● 1" }
    // Moved away, and another one comes.
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
}
