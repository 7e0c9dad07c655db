import Foundation
import TerminalHarness
import Testing

/// A message for a command, a file and the pager, in a terminal.
@Suite struct MessageProgramsTests {
  private let household: Household

  init() throws {
    household = try Household()
    try household.pushNeighbour("Older")
    let body = "One *two* $(touch \(household.home)/touched)\u{1B}[31m"
    let ran = try household.run(
      "push", "Notes; touch \(household.home)/touched", "--body=\(body)", "--url", "https://notes.example/")
    #expect(ran.exit == .status(0))
    try household.pushNeighbour("Newer")
  }

  private func inbox(_ environment: [String: String] = [:]) throws -> PseudoTerminal {
    let terminal = try household.inbox(columns: 100, environment: environment)
    try terminal.wait(forText: "Notes; touch")
    terminal.send("j")
    try terminal.wait(for: "the bar on the second row") {
      $0.screen.lines.contains { $0.contains("▌") && $0.contains("Notes; touch") }
    }
    return terminal
  }

  private var isTouched: Bool { FileManager.default.fileExists(atPath: "\(household.home)/touched") }

  // MARK: Links

  // MARK: Commands

  @Test func commandsAndFilesGetTheMessageOrAllThatAreMarked() throws {
    let terminal = try inbox()
    terminal.send("|")
    try terminal.wait(forText: "Give to:")
    terminal.send("cat >~/got; echo odd >&2; exit 3\r")
    try terminal.wait(forText: "ended with status 3: odd")
    let got = try household.text(of: "\(household.home)/got")
    #expect(got.hasPrefix("# Notes; touch"))
    #expect(got.contains("One \\*two\\* $(touch"))
    #expect(!got.contains("\u{1B}"))
    #expect(!isTouched)
    terminal.send("3|")
    try terminal.wait(forText: "Give JSON to:")
    terminal.send("cat >~/got.json\r")
    try terminal.wait(forText: "got.json ended with status 0.")
    #expect(
      try household.text(of: "\(household.home)/got.json") == household.run("show", "2", "--json").output)
    terminal.send("2|")
    try terminal.wait(forText: "Give HTML to:")
    terminal.send("head -n 1\r")
    try terminal.wait(forText: "head -n 1 ended with status 0: <!DOCTYPE html>")

    // A file is not overwritten unasked.
    let path = try household.write("kept.txt", "mine")
    terminal.send(">")
    try terminal.wait(forText: "Save as: Notes-touch")
    terminal.send("\u{15}~/kept.txt\r")
    try terminal.wait(forText: "enter replaces it")
    #expect(try household.text(of: path) == "mine")
    terminal.send("\r")
    try terminal.wait(forText: "Saved in \(path.prefix(60))")
    #expect(try household.text(of: path) == household.run("show", "2").output)
    terminal.send(">\u{15}~/new.json\r")
    try terminal.wait(forText: "new.json")
    try terminal.wait(forText: "Saved in")
    #expect(
      try household.text(of: "\(household.home)/new.json") == household.run("show", "2", "--json").output)

    // The marked messages are one input.
    #expect(try household.run("push", "Second").exit == .status(0))
    try terminal.wait(forText: "Second")
    terminal.send("*3|")
    try terminal.wait(forText: "Give JSON to:")
    terminal.send("cat >~/both.json\r")
    try terminal.wait(forText: "both.json ended with status 0.")
    let all = try ["4", "3", "2", "1"].map { try household.run("show", $0, "--json").output }.joined()
    #expect(try household.text(of: "\(household.home)/both.json") == all)
    terminal.send("*>\u{15}~/both.md\r")
    try terminal.wait(forText: "Saved in")
    let both = try household.text(of: "\(household.home)/both.md")
    #expect(both.hasPrefix("# Second\n") && both.contains("\n\n---\n\n# Notes; touch"))
    try terminal.leave()
  }

  @Test func aRunningCommandDoesNotBlockKeys() throws {
    let terminal = try inbox()
    #expect(mkfifo("\(household.home)/gate", 0o600) == 0)
    terminal.send("|cat >/dev/null; read line <~/gate; echo \"$line\"\r")
    try terminal.wait(forText: "Running cat")
    terminal.send("?")
    try terminal.wait(forText: "Moving")
    terminal.send("?")
    try terminal.wait(forNoText: "Moving")
    let gate = try #require(FileHandle(forWritingAtPath: "\(household.home)/gate"))
    try gate.write(contentsOf: Data("through\n".utf8))
    try gate.close()
    try terminal.wait(forText: "ended with status 0: through")
    try terminal.leave()
  }

  @Test func theEndWaitsForTheFirstOfManyCommands() throws {
    let terminal = try inbox()
    #expect(mkfifo("\(household.home)/gate", 0o600) == 0)
    terminal.send("|cat >/dev/null; read line <~/gate; echo \"$line\" >~/kept\r")
    try terminal.wait(forText: "Running cat")
    for number in 1...70 {
      terminal.send("|cat >/dev/null; echo \(number)\r")
      try terminal.wait(forText: "ended with status 0: \(number)")
    }
    terminal.send("q")
    try terminal.wait(for: "the terminal given back") { !$0.screen.isAlternate }
    let gate = try #require(FileHandle(forWritingAtPath: "\(household.home)/gate"))
    try gate.write(contentsOf: Data("through\n".utf8))
    try gate.close()
    #expect(try terminal.waitForExit() == .status(0))
    #expect(try household.text(of: "\(household.home)/kept") == "through\n")
  }

  // MARK: The pager

  /// Writes a pager that prints its input and waits for a line from the terminal.
  private func pager(_ more: String = "") throws -> String {
    try household.write(
      "pager",
      """
      echo "this is the pager"; cat "$@" >~/paged; head -n 3 ~/paged
      read line </dev/tty; echo "$line" >~/typed
      \(more)
      """)
  }

  @Test(arguments: ["PAGER", "EDITOR"])
  func thePagerUsesTheTerminalUntilItEnds(variable: String) throws {
    let before = try PseudoTerminal().modes
    let terminal = try inbox([variable: "sh '\(try pager())'"])
    terminal.send("\rv")
    try terminal.wait(forText: "this is the pager")
    try terminal.wait(forText: "Notes; touch")
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.modes == before)
    // Keys go to the pager now, so none of them quits the inbox.
    terminal.send("q\u{15}seen\n")
    try terminal.wait(forText: "read on")
    #expect(terminal.screen.isAlternate)
    #expect(terminal.screen.modes == [1, 7, 1000, 1006, 1004, 2004])
    #expect(try household.text(of: "\(household.home)/typed") == "seen\n")
    let paged = try household.text(of: "\(household.home)/paged")
    #expect(paged.contains("One *two* $(touch"))
    #expect(!paged.contains("\u{1B}"))
    #expect(!isTouched)
    try terminal.leave()
  }

  @Test func anEditorsFileLiesInAFolderOfItsOwn() throws {
    let other = "\(household.home)/tmp"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let editor = try household.write("editor", "stat -c '%a %U' \"${1%/*}\" >~/folder; echo \"$1\" >~/path")
    let terminal = try inbox(["EDITOR": "sh '\(editor)'", "TMPDIR": other])
    // The folder was made by an attacker who guessed its name.
    try FileManager.default.createDirectory(
      atPath: "\(other)/reddot-\(terminal.process)", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o777])
    terminal.send("\rv")
    try terminal.wait(for: "the editor's end") { _ in
      FileManager.default.fileExists(atPath: "\(household.home)/path")
        && (try? FileManager.default.contentsOfDirectory(atPath: other)) == ["reddot-\(terminal.process)"]
    }
    #expect(try household.text(of: "\(household.home)/folder").hasPrefix("700 "))
    let path = try household.text(of: "\(household.home)/path")
    #expect(path.hasPrefix("\(other)/reddot-") && !path.contains("reddot-\(terminal.process)/"))
    try terminal.leave()
  }

  @Test func interruptsGoToThePagerAndAFailureIsReported() throws {
    let terminal = try inbox(["PAGER": "trap 'echo interrupted' INT; sh '\(try pager("exit 4"))'"])
    terminal.send("\rv")
    try terminal.wait(forText: "this is the pager")
    terminal.send("\u{3}")
    try terminal.wait(forText: "ended")
    #expect(terminal.screen.isAlternate)
    try terminal.leave()
    let other = try inbox(["PAGER": "no-such-pager"])
    other.send("\rv")
    try other.wait(forText: "no-such-pager: ended with status 127")
    try other.leave()
  }

  @Test func aSignalToTheInboxEndsThePagerToo() throws {
    let terminal = try inbox(["PAGER": "echo $$ >~/pid; exec sh '\(try pager())'"])
    terminal.send("\rv")
    try terminal.wait(forText: "this is the pager")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .signal(SIGTERM))
    let pid = try #require(
      Int32(try household.text(of: "\(household.home)/pid").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  // MARK: Programs of the settings

  /// Writes its arguments, one per line.
  private func program(_ more: String) throws {
    try household.write("args", "printf '%s\\n' \"$@\" >~/args.part; mv ~/args.part ~/got; \(more)\n")
  }

  /// Keys and links that start it.
  private func settings() throws {
    let run = #"["sh", "\#(household.home)/args", "{url}", "{title}", "{id}"]"#
    try household.settings(
      """
      open_command = { run = ["sh", "\(household.home)/args", "{url}", "opened"], terminal = true }
      [[command]]
      key = "B"
      run = \(run)
      [[command]]
      key = "T"
      run = \(run)
      terminal = true
      """, sources: [])
  }

  private func wait(for lines: String, _ terminal: PseudoTerminal) throws {
    try terminal.wait(for: "the arguments") { _ in
      FileManager.default.contents(atPath: "\(household.home)/got") == Data(lines.utf8)
    }
  }

  private var arguments: String { "https://notes.example/\nNotes; touch \(household.home)/touched\n2\n" }

  @Test func keysAndLinksStartProgramsThatGetTheMessageAsArguments() throws {
    try settings()
    try program("echo busy >&2; exit 5")
    let terminal = try inbox()
    terminal.send("B")
    try wait(for: arguments, terminal)
    try terminal.wait(forText: "sh: ended with status 5: busy")
    #expect(!isTouched)

    // In the terminal, and links too.
    try FileManager.default.removeItem(atPath: "\(household.home)/got")
    try program("echo in the terminal; read line")
    terminal.send("T")
    try terminal.wait(forText: "in the terminal")
    #expect(!terminal.screen.isAlternate)
    terminal.send("\n")
    try terminal.wait(for: "the inbox") { $0.screen.isAlternate && $0.screen.text.contains("Notes; touch") }
    try wait(for: arguments, terminal)
    terminal.send("o")
    try terminal.wait(forText: "in the terminal")
    try wait(for: "https://notes.example/\nopened\n", terminal)
    terminal.send("\n")
    try terminal.wait(for: "the inbox") { $0.screen.isAlternate && $0.screen.text.contains("Notes; touch") }

    // A program that outlives the inbox continues, and its standard error isn't broken either.
    try program("read line <~/gate; echo odd >&2 && echo \"$line\" >~/after.part; mv ~/after.part ~/after")
    #expect(mkfifo("\(household.home)/gate", 0o600) == 0)
    terminal.send("B")
    try wait(for: arguments, terminal)
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    let gate = try #require(FileHandle(forWritingAtPath: "\(household.home)/gate"))
    try gate.write(contentsOf: Data("through\n".utf8))
    try gate.close()
    let after = "\(household.home)/after"
    try eventually("what the program writes") { FileManager.default.fileExists(atPath: after) }
    #expect(try household.text(of: after) == "through\n")
  }
}
