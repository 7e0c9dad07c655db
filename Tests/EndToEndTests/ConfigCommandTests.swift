import Foundation
import TerminalHarness
import TestBasics
import Testing

/// `reddot config`, and the head of a settings file that reddot makes.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ConfigCommandTests {
  private let household: Household

  init() throws { household = try Household() }

  /// An editor that records its arguments, and writes the next of the versions into the file.
  private func editor(_ texts: String...) throws -> String {
    for (place, text) in texts.enumerated() { try household.write("next/\(place)", text) }
    let path = try household.write(
      "bin/vi",
      """
      #!/bin/sh
      echo "$@" >> ~/arguments
      for file; do :; done
      next=$(ls ~/next | head -n 1)
      [ -n "$next" ] && cat ~/next/$next > "$file" && rm ~/next/$next
      exit 0
      """)
    chmod(path, 0o755)
    return path
  }

  private func config(_ editor: String) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 24)
    try terminal.start(
      BuiltProduct.path("reddot"), ["config"],
      environment: household.environment.merging(["VISUAL": editor, "EDITOR": "false"]) { $1 },
      keeping: household)
    return terminal
  }

  private static let good = "[[source]]\nname = \"team\"\nurl = \"https://team.example/feed\"\n"

  @Test func theFileIsEditedAndChecked() throws {
    let terminal = try config(try editor(Self.good))
    try terminal.wait(forText: "config.toml: no errors")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(try household.text(of: household.settingsFile) == Self.good)
    #expect(try household.text(of: "\(household.home)/arguments") == "\(household.settingsFile)\n")
  }

  @Test func anErrorIsNamedAndTheFileCanBeOpenedAgainThere() throws {
    let terminal = try config(try editor("mouse = true\ninterwal = 3\n", Self.good))
    try terminal.wait(forText: "Open it again?")
    #expect(terminal.screen.text.contains("config.toml:2: interwal"))
    terminal.send("y\n")
    try terminal.wait(forText: "no errors")
    #expect(try terminal.waitForExit() == .status(0))
    let arguments = try household.text(of: "\(household.home)/arguments").split(separator: "\n")
    #expect(arguments == [Substring(household.settingsFile), "+2 \(household.settingsFile)"])
  }

  @Test func aFileThatStaysWrongIsAFailure() throws {
    let terminal = try config(try editor("mouse = 3\n"))
    try terminal.wait(forText: "Open it again?")
    terminal.send("\n")
    #expect(try terminal.waitForExit() == .status(1))
    #expect(try household.text(of: household.settingsFile) == "mouse = 3\n")
  }

  @Test func anEditorThatFailsIsNamed() throws {
    let terminal = try config("no-such-editor")
    try terminal.wait(forText: "set EDITOR to another")
    #expect(try terminal.waitForExit() == .status(1))
  }

  @Test func withoutATerminalThereIsOnlyThePath() throws {
    try household.run("config", "--path").expect("\(household.settingsFile)\n")
    try household.run("config", "--path", "--config", "/tmp/other.toml").expect("/tmp/other.toml\n")
    try household.run("config").expectFailure(
      "the editor needs a terminal; run reddot config --path to print the path of the file")
    #expect(try household.run("config", "--path", "--print").exit == .status(64))
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
  }

  @Test func whatIsPrintedHasNoSecret() throws {
    let path = try household.write(
      household.settingsFile,
      """
      # token = "old-SECRET"
      [[source]]
      name = "a"
      url = "https://user:SECRET@a.example/feed?id=3&token=SECRET#x"

      [[source]]
      name = "b"   # a comment
      url = "https://b.example/feed"
      token = "SECRET \\" SECRET"
      user = "bo"

      [[source]]
      name = "c"
      kind = "command"
      command = ["check", "--api-key=SECRET", "--all"]

      """)
    chmod(path, 0o600)
    try household.run("config", "--print").expect(
      """
      # token =***
      [[source]]
      name = "a"
      url = "https://***@a.example/feed?id=3&token=***#x"

      [[source]]
      name = "b"   # a comment
      url = "https://b.example/feed"
      token = "***"
      user = "bo"

      [[source]]
      name = "c"
      kind = "command"
      command = ["check", "--api-key=***", "--all"]

      """)
  }

  @Test func aFileWhoseSecretsCannotBeFoundIsNotPrinted() throws {
    for text in [
      "source = [{ name = \"a\", url = \"https://a.example/\", token = \"SECRET\" }]\n",
      "[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\ntoken = \"SECRET\"\nwrong\n",
    ] {
      chmod(try household.write(household.settingsFile, text), 0o600)
      let ran = try household.run("config", "--print")
      #expect(ran.exit == .status(1) && ran.output.isEmpty && !ran.errors.contains("SECRET"), "\(text)")
    }
  }

  @Test func aFileThatReddotMakesSaysWhatItIsAndShowsARule() throws {
    let feed = try household.write("feed.xml", rss("Team", [item(1, "First")]))
    #expect(try household.run("add", feed).exit == .status(0))
    let text = try household.text(of: household.settingsFile)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(4).allSatisfy { $0.hasPrefix("# ") })
    #expect(lines.prefix { $0.hasPrefix("#") }.count == 8)
    #expect(text.contains("reddot help config") && text.contains("\n\n[[source]]\n"))
    try household.run("rules").expect(
      "", errors: "reddot: no rules in the settings; add one with [[rule]]\n")
    // The example of a rule in the file is valid.
    try household.write(household.settingsFile, text.replacing(#/(?m)^#(?! )/#, with: ""))
    #expect(try household.run("rules").output.hasPrefix("quiet builds: "))
    // An existing file gets no comments at its beginning.
    let second = try household.write("second.xml", rss("Second", [item(1, "Other")]))
    try household.write(household.settingsFile, "# mine\n")
    #expect(try household.run("add", second).exit == .status(0))
    #expect(try household.text(of: household.settingsFile).hasPrefix("# mine\n\n[[source]]\n"))
  }
}
