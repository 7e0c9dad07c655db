import Foundation
import TerminalHarness
import Testing

/// `reddot run`: its program, and the result in the inbox.
@Suite struct RunCommandTests {
  private func message(_ household: Household) throws -> [String: Any] {
    try #require(try household.messages().first)
  }

  @Test func outputsPassThroughAndTheMessageSaysTheRest() throws {
    let household = try Household()
    let ran = try household.run(
      ["run", "--", "sh", "-c", "cat; echo 'wrong' >&2; printf '\\033[31mred\\033[0m\\r\\n'; exit 3"],
      input: "typed\n")
    #expect(ran.output == "typed\n\u{1B}[31mred\u{1B}[0m\r\n")
    #expect(ran.errors == "wrong\n")
    #expect(ran.exit == .status(3))
    let message = try message(household)
    #expect((message["title"] as? String)?.hasPrefix("✗ sh -c cat; echo") == true)
    #expect((message["title"] as? String)?.contains(" failed (3) after ") == true)
    #expect(message["priority"] as? Int == 4)
    let body = try #require(message["body"] as? String)
    let lines = body.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("exit status 3, after ") == true)
    #expect(lines.first?.hasSuffix(" s") == true)
    #expect(lines.dropFirst().sorted() == ["red", "typed", "wrong"])
  }

  @Test func outputComesAsItIsWritten() throws {
    let household = try Household()
    let pipe = "\(household.home)/gate"
    #expect(mkfifo(pipe, 0o600) == 0)
    let running = try household.start([
      "run", "--", "sh", "-c", "echo first; read line < '\(pipe)'; echo $line",
    ])
    // The program waits for the test, so this output arrived before the program's end.
    try running.wait(for: "the first line") { $0.outputBytes == Array("first\n".utf8) }
    let gate = try #require(FileHandle(forWritingAtPath: pipe))
    try gate.write(contentsOf: Data("second\n".utf8))
    try gate.close()
    let ran = try running.waitForEnd()
    #expect(ran.output == "first\nsecond\n")
    #expect(ran.exit == .status(0))
    #expect(try message(household)["priority"] as? Int == 3)
  }

  @Test func itEndsAsTheProgramDidBySignalToo() throws {
    let household = try Household()
    #expect(try household.run("run", "--", "sh", "-c", "kill -TERM $$").exit == .signal(SIGTERM))
    #expect((try message(household)["title"] as? String)?.contains(" ended by SIGTERM after ") == true)
    try household.run("run", "--", "no-such-program-here").expect(
      "", errors: "reddot: no-such-program-here: the program does not exist\n", status: 127)
    #expect(try household.run("run").exit == .status(64))
  }

  @Test func aSignalForUsReachesTheProgram() throws {
    let household = try Household()
    let gate = "\(household.home)/gate"
    #expect(mkfifo(gate, 0o600) == 0)
    let running = try household.start([
      "run", "--", "sh", "-c", "trap 'kill $!; echo told; exit 7' TERM; cat < '\(gate)' & echo ready; wait",
    ])
    try running.wait(for: "the trap") { $0.outputBytes == Array("ready\n".utf8) }
    kill(running.process, SIGTERM)
    let ran = try running.waitForEnd()
    #expect(ran.output == "ready\ntold\n")
    #expect(ran.exit == .status(7))
    // The signal may reach the shell's child before it has reset the trap; then it waits for a writer for ever.
    let writer = open(gate, O_WRONLY | O_NONBLOCK)
    if writer >= 0 { close(writer) }
  }

  @Test func onlyFailuresSaysNothingOfSuccess() throws {
    let household = try Household()
    try household.run("run", "--only-failures", "--", "true").expect("")
    #expect(!FileManager.default.fileExists(atPath: household.database))
    #expect(try household.run("run", "--only-failures", "--", "false").exit == .status(1))
    #expect((try message(household)["title"] as? String)?.hasPrefix("✗ false failed (1) after ") == true)
  }

  @Test func theSameIdIsTheSameMessage() throws {
    let household = try Household()
    for program in ["false", "true"] {
      _ = try household.run("run", "--id", "ci", "--title", "Tests", "--", program)
    }
    #expect(try household.messages().count == 1)
    #expect((try message(household)["title"] as? String)?.hasPrefix("✓ Tests, ") == true)
    #expect(try message(household)["remote_id"] as? String == "ci")
  }

  @Test func itsArgumentsAreNotOurs() throws {
    let household = try Household()
    try household.run("run", "--", "echo", "--json", "--", "-x").expect("--json -- -x\n")
    try household.run("run", "printf", "%s\\n", "--help").expect("--help\n")
  }

  @Test func optionsBeforeTheProgramAreOurs() throws {
    let household = try Household()
    for words in [["--help"], ["-h"], ["--only-failures", "--help"]] {
      let ran = try household.run(["run"] + words)
      #expect(ran.exit == .status(0) && ran.output.contains("EXAMPLES:"), "\(words)")
    }
    #expect(try household.run("run", "--version").output == household.run("--version").output)
    for words in [["--titel", "x", "true"], ["--titel=x", "true"], ["-x"], ["-x", "--", "true"]] {
      let ran = try household.run(["run"] + words)
      #expect(ran.exit == .status(64), "\(words)")
      let name = words[0].prefix { $0 != "=" }
      #expect(ran.errors.hasPrefix("Error: unknown option '\(name)'; "), "\(ran.errors)")
      #expect(ran.errors.contains("Did you mean '--title'?") == (name == "--titel"), "\(ran.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: household.database))
    // After --, the word is the name of a program, even if no such program exists.
    #expect(try household.run("run", "--only-failures", "--", "--help").exit == .status(127))
    #expect(try message(household)["title"] as? String == "✗ --help: not started: the program does not exist")
  }

  @Test func whatCannotBeStoredIsSaidAndTheStatusIsTheProgramsOwn() throws {
    let household = try Household()
    let ran = try household.run("run", "--database", "/proc/none/db", "--", "sh", "-c", "exit 5")
    #expect(ran.exit == .status(5))
    #expect(ran.errors.hasPrefix("reddot: "))
  }

  // MARK: - Beside it

  @Test(arguments: [
    ("stauts", "status"), ("lst", "list"), ("Psuh", "push"), ("remin", "remind"), ("sear", "search"),
  ])
  func anUnknownCommandIsAnsweredWithTheNearest(word: String, nearest: String) throws {
    let ran = try Household().run(word)
    #expect(ran.exit == .status(64))
    #expect(ran.errors.hasPrefix("Error: \"\(word)\" is not a command; did you mean \"\(nearest)\"? "))
  }

  @Test func aCommandThatNoneIsNearToIsNotGuessed() throws {
    let ran = try Household().run("frobnicate")
    #expect(ran.exit == .status(64))
    #expect(ran.errors.hasPrefix("Error: \"frobnicate\" is not a command; reddot --help lists them"))
    let second = try Household().run("rules", "tets", "x")
    #expect(
      second.errors.contains(
        "\"tets\" is not a command; did you mean \"test\"? reddot rules --help lists them"))
  }

  @Test func unknownFormatsEndWithOne() throws {
    let household = try Household()
    for (text, status) in [("hello", 1), ("{}", 1), (#"{"list": []}"#, 0), (rss("T", []), 0)]
      as [(String, Int32)]
    {
      let file = try household.write("some", text)
      #expect(try household.run("inspect", file).exit == .status(status), "\(text)")
      #expect(try household.run("inspect", file, "--json").exit == .status(status), "\(text)")
    }
  }

  @Test func aRelativeTimeIsNotADate() throws {
    let household = try Household()
    let file = try household.write(
      "n.json",
      #"{"list": [{"id": 1, "type": 2, "actiontype": "display", "relativetime": 2, "expiry": 30, "actiondata": {"title": "T", "msg": "M"}}]}"#
    )
    let text = try household.run("inspect", file).output
    #expect(text.contains("(2 hours after reddot's first start)  T\n"))
    #expect(!text.contains("problem"))
    let json = try household.run("inspect", file, "--json").output
    #expect(json.contains(#""visible_from":null,"expires":null"#))
    #expect(json.contains(#""relativetime":2"#))
    #expect(json.hasSuffix("\"problems\":[],\"left_out\":0}\n"))
  }

  // MARK: - A message on paper

  @Test func showHasTheReadersLayout() throws {
    let household = try Household()
    let html = """
      <p>\(String(repeating: "word ", count: 30))</p><ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr></table>
      <p>See <a href="https://team.example/x">this</a>.</p>
      """
    try household.write(
      "team.xml",
      rss(
        "Team",
        [
          item(3, "Newer"), item(2, "Layout", more: "<description><![CDATA[\(html)]]></description>"),
          item(1, "Older"),
        ]))
    try household.settings(
      "animations = false\n[poll]\ninitial_delay = \"1h\"",
      sources: [(name: "team", url: "\(household.home)/team.xml", more: "")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    let paper = try household.run("show", "2").output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(paper.allSatisfy { $0.count <= 80 })
    #expect(paper.contains { $0.hasPrefix("[1] this  https://team.example/x") })
    let terminal = try household.inbox(columns: 80, rows: 40)
    try terminal.wait(forText: "Layout")
    terminal.send("j\r")
    try terminal.wait(forText: "https://team.example/x")
    let screen = terminal.screen.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for line in paper where !line.isEmpty {
      #expect(screen.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
    try terminal.leave()
  }

  @Test func showHasTheTerminalsWidth() throws {
    let household = try Household()
    let words = String(repeating: "word ", count: 60)
    #expect(try household.run("push", "Long", "--body", words).exit == .status(0))
    // As many words as fit between the margins, up to the reader's measure.
    for (columns, width) in [(60, 54), (120, 69)] {
      let terminal = try household.inbox(columns: columns, arguments: ["show", "1"])
      #expect(try terminal.waitForExit() == .status(0))
      let text = terminal.screen.lines.filter { $0.contains("word word") }
      let longest = try #require(text.map { $0.split(separator: " ").joined(separator: " ").count }.max())
      #expect(longest == width, "\(terminal.screen.text)")
    }
  }

  @Test func theHelpOffersRunWhereAnExitStatusIsWanted() throws {
    let help = try Household().run("push", "--help").output
    #expect(help.contains("reddot run -- make test"))
    #expect(!help.contains("$?"))
  }
}
