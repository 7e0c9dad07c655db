import Foundation
import Messages
import Platform
import Storage
import TerminalHarness
import TestBasics
import Testing

/// `reddot ask` and `push --hook --answer`: a program waits for an answer of the user in the inbox.
@Suite struct AskTests {
  private let household: Household

  init() throws { household = try Household() }

  private func ask(_ arguments: String...) throws -> Running { try household.start(["ask"] + arguments) }

  /// Runs `body` between the arrivals of two other messages.
  private func amid<Value>(_ body: () throws -> Value) throws -> Value {
    try household.pushNeighbour("Before")
    let value = try body()
    return value
  }

  /// Presses a digit, repeatedly while the inbox reports that it was pressed too early.
  private func answer(_ digit: String, in terminal: PseudoTerminal, _ sentence: String) throws {
    let early = "press the digit again"
    while true {
      terminal.send(digit)
      try terminal.wait(for: "the answer \(digit)") {
        $0.screen.text.contains(sentence) || $0.screen.text.contains(early)
      }
      if terminal.screen.text.contains(sentence) { return }
      // The sentence stays until it could be read; the next key after that removes it.
      try terminal.wait(for: "a line without the sentence") {
        guard $0.screen.text.contains(early) else { return true }
        $0.send("k")
        return false
      }
    }
  }

  @Test func theAnswerIsPrinted() throws {
    let running = try amid { try ask("Deploy 4.2 to production?", "yes", "no", "--for", "10m") }
    let message = try household.message { $0["title"] as? String == "Deploy 4.2 to production?" }
    #expect(message["answers"] as? [String] == ["yes", "no"])
    #expect(message["unread"] as? Bool == true && message["priority"] as? Int == 4)
    #expect(try household.messages("--query", "is:waiting").count == 1)
    #expect(try household.run("status", "--json").output.contains(#""waiting":1"#))
    #expect(try household.run("status", "--format", "{waiting}").output == "1\n")
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "1 yes  2 no")
    try terminal.wait(forText: "Waiting")
    try answer("1", in: terminal, "answered: yes")
    let ran = try running.waitForEnd()
    #expect(ran.output == "yes\n" && ran.exit == .status(0) && ran.errors == "")
    try terminal.wait(forNoText: "Waiting")
    #expect(try household.run("status", "--format", "{waiting}").output == "0\n")
    // An undo does not take the answer back.
    terminal.send("U")
    #expect(try household.messages("--query", "is:waiting").isEmpty)
    try terminal.leave()
  }

  /// Three questions: the end of the second is on its row, and the others wait.
  @Test func theListSaysHowAQuestionEnded() throws {
    let first = try ask("First?", "yes", "no")
    _ = try household.message { $0["title"] as? String == "First?" }
    #expect(try household.run("ask", "Second?", "yes", "no", "--for", "1s").exit == .status(124))
    let third = try ask("Third?", "yes", "no")
    _ = try household.message { $0["title"] as? String == "Third?" }
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "Second?")
    for (title, end) in [
      ("First?", "1 yes  2 no"), ("Second?", "no answer in time, "), ("Third?", "1 yes  2 no"),
    ] {
      #expect(terminal.screen.lines.contains { $0.contains(title) && $0.contains(end) }, "\(title)")
    }
    try terminal.leave()
    let ended = try household.message { $0["title"] as? String == "Second?" }
    #expect(ended["ending"] as? String == "timed_out" && ended["answer"] is NSNull)
    #expect(ended["unread"] as? Bool == true)
    #expect(try household.messages("--query", "is:waiting").count == 2)
    for running in [first, third] {
      #expect(running.isRunning)
      kill(running.process, SIGTERM)
      #expect(try running.waitForEnd().exit == .status(130))
    }
  }

  @Test func withoutAnAnswerItEndsInTime() throws {
    let ran = try household.run("ask", "Anyone?", "yes", "--for", "1s")
    #expect(ran.exit == .status(124) && ran.output == "")
    let message = try household.message { $0["title"] as? String == "Anyone?" }
    #expect(message["unread"] as? Bool == true)
    #expect(try household.messages("--query", "is:waiting").isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalTakesItBack(_ signal: Int32) throws {
    let running = try ask("Sure?", "yes", "no")
    _ = try household.message { $0["title"] as? String == "Sure?" }
    kill(running.process, signal)
    #expect(try running.waitForEnd().exit == .status(130))
    #expect(try household.messages("--query", "is:waiting").isEmpty)
  }

  /// An inbox notices the end of the process. Without an inbox, the next command that opens the database notices it.
  @Test(arguments: [true, false])
  func theEndOfAKilledProcessEndsItsQuestion(_ hasInbox: Bool) throws {
    let terminal = hasInbox ? try household.inbox(columns: 100) : nil
    let running = try ask("Still there?", "yes", "no")
    _ = try household.message { $0["title"] as? String == "Still there?" }
    try terminal?.wait(forText: "1 yes  2 no")
    _ = running.kill(after: .zero)
    if let terminal {
      try terminal.wait(forNoText: "1 yes  2 no")
      terminal.send("\r")
      try terminal.wait(forText: "its program has ended")
      try terminal.leave()
    }
    #expect(try household.messages("--query", "is:waiting").isEmpty)
  }

  /// The system closes the files of a killed process one after the other: a connection before the socket.
  @Test func theEndIsSeenWhileItsSocketIsStillOpen() throws {
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "? help")
    // Each command connects once too.
    try household.pushNeighbour("Before")
    let store = try Store(path: household.database, now: Date())
    let folder = try #require(store.questions.folder)
    var socket: WaitingSocket? = try WaitingSocket(folder: folder, name: "ask-test")
    let question = ProgramQuestion(["yes", "no"], asked: Date(), until: Date() + 600, asker: "ask-test")
    let message = IncomingMessage(remoteID: RemoteID("ask-test"), kind: .local, title: "Ending?")
    _ = try store.questions.ask(message, question, at: Date())
    try terminal.wait(forText: "1 yes  2 no")
    for _ in 1...2 {
      let descriptor = try #require(socket).descriptor
      #expect(Descriptors.readable([descriptor], within: HangLimit.duration) == [descriptor])
      close(try #require(socket?.accept()))
    }
    #expect(terminal.screen.text.contains("1 yes  2 no"))
    socket = nil
    try terminal.wait(forText: "its program has ended")
    #expect(!terminal.screen.text.contains("1 yes  2 no"))
    try terminal.leave()
    try store.close()
  }

  @Test func whatIsNoAnswerIsRefused() throws {
    for arguments in [
      ["Question?"], ["", "yes"], ["Question?", "yes", "yes"], ["Question?", ""],
      ["Question?", String(repeating: "x", count: 41)], ["Question?"] + (1...10).map { "\($0)" },
      ["Question?", "yes", "--for", "40d"],
    ] {
      #expect(try household.run(["ask"] + arguments).exit == .status(64), "\(arguments)")
    }
    #expect(!FileManager.default.fileExists(atPath: household.database))
  }

  /// A socket's address has room for 107 bytes; a path has more.
  @Test func aLongPathOfTheDatabaseDoesNotMatter() throws {
    let folder = household.home + "/" + String(repeating: "long-", count: 30)
    let ran = try household.run(
      "ask", "Anyone?", "yes", "--for", "1s", "--database", folder + "/inbox.sqlite")
    #expect(ran.exit == .status(124), "\(ran.errors)")
  }

  // MARK: - Permissions

  private static let request =
    #"{"hook_event_name":"PermissionRequest","session_id":"s1","cwd":"/home/ada/shop","tool_name":"Bash","tool_input":{"command":"rm -rf build && make test"}}"#

  @Test(arguments: [
    ("1", #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#),
    (
      "2",
      #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Denied in reddot"}}}"#
    ),
  ])
  func aPermissionIsPrintedAsTheProgramReadsIt(_ digit: String, _ output: String) throws {
    try household.write(household.settingsFile, "language = \"en\"\n[hooks]\nask = true\n")
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "? help")
    let running = try household.start(["push", "--hook", "--answer"], input: Self.request)
    try terminal.wait(forText: "shop: ? rm -rf build && make test")
    try terminal.wait(forText: "1 allow  2 deny")
    // The program reports the same request by another event, which adds no second row.
    try household.run(
      ["push", "--hook"],
      input:
        #"{"hook_event_name":"Notification","session_id":"s1","cwd":"/home/ada/shop","message":"Needs your permission"}"#
    ).expect("")
    // Another process may store the report, and after the answer it would be about the program's next wait.
    try eventually("the report to be stored") {
      try FileManager.default.contentsOfDirectory(atPath: household.database + ".hooks")
        .allSatisfy { $0.hasPrefix(".") }
    }
    try answer(digit, in: terminal, "answered: ")
    #expect(try running.waitForEnd().output == output + "\n")
    #expect(try household.messages().count == 1)
    try terminal.leave()
  }

  /// Without the setting or an inbox, and in another form, the request is only stored.
  @Test(arguments: ["no inbox", "no setting", "another form"])
  func otherwiseItIsStoredAndNothingIsPrinted(_ reason: String) throws {
    let ask = reason == "no setting" ? "" : "[hooks]\nask = true\n"
    try household.write(household.settingsFile, "language = \"en\"\n\(ask)")
    let terminal = reason == "no inbox" ? nil : try household.inbox()
    try terminal?.wait(forText: "? help")
    let request =
      reason == "another form"
      ? Self.request.replacing("PermissionRequest", with: "Elicitation") : Self.request
    try household.run(["push", "--hook", "--answer"], input: request).expect("")
    let message = try household.message {
      ($0["title"] as? String)?.contains("rm -rf build && make test") == true
    }
    #expect(message["answers"] as? [String] == [])
    #expect(try household.run("status", "--format", "{waiting}").output == "1\n")
    try terminal?.leave()
  }

  @Test func theEndOfTheInboxLetsTheProgramAsk() throws {
    try household.write(household.settingsFile, "language = \"en\"\n[hooks]\nask = true\n")
    let terminal = try household.inbox(columns: 100)
    try terminal.wait(forText: "? help")
    let running = try household.start(["push", "--hook", "--answer"], input: Self.request)
    try terminal.wait(forText: "1 allow  2 deny")
    try terminal.leave()
    try running.waitForEnd().expect("")
    #expect(try household.messages("--query", "is:waiting").isEmpty)
  }

  @Test func withATimeItWaitsWithoutAnInbox() throws {
    let running = try household.start(["push", "--hook", "--answer", "--for", "1s"], input: Self.request)
    try running.waitForEnd().expect("")
    let message = try household.message { $0["title"] as? String == "shop: ? rm -rf build && make test" }
    #expect(message["answers"] as? [String] == ["allow", "deny"])
  }
}
