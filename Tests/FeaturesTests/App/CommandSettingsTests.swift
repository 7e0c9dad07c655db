import Screen
import Testing
import Words

@testable import Settings

/// `[[command]]` and `open_command`.
struct CommandSettingsTests {
  private func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
  }

  @Test func keysStartPrograms() throws {
    let settings = try read(
      """
      [[command]]
      key = "B"
      run = ["buku", "--add", "{url}", "--title={title}"]
      [[command]]
      key = "ctrl-w"
      run = ["w3m", "{url}"]
      terminal = true
      """)
    #expect(
      settings.programs == [
        BoundProgram(
          key: KeyPress("B"), template: ProgramTemplate(["buku", "--add", "{url}", "--title={title}"])),
        BoundProgram(
          key: KeyPress("w", .control), template: ProgramTemplate(["w3m", "{url}"], usesTerminal: true)),
      ])
  }

  /// Sequences of commands and programs are in one table.
  @Test func keysPerformSeveralCommands() throws {
    let settings = try read(
      """
      [[command]]
      key = "B"
      run = ["buku", "{url}"]
      [[command]]
      key = "ctrl-o"
      do = ["open_link", "dismiss", "next_unread"]
      [[command]]
      key = "f5"
      do = ["snooze tomorrow 9"]
      """)
    #expect(settings.programs.map(\.key) == [KeyPress("B")])
    #expect(
      settings.sequences == [
        BoundCommands(
          key: KeyPress("o", .control),
          calls: [CommandCall(.openLink), CommandCall(.dismiss), CommandCall(.nextUnread)]),
        BoundCommands(key: KeyPress(.function(5)), calls: [CommandCall(.snooze, "tomorrow 9")]),
      ])
    let keymap = settings.keymap.keymap
    #expect(keymap.sequence(for: KeyPress("o", .control), in: .messages) == settings.sequences[0])
    #expect(keymap.sequence(for: KeyPress("o", .control), in: .sources) == nil)
  }

  @Test(arguments: [
    (
      "key = \"B\"\ndo = [\"open_link\", \"dismis\"]",
      "4: do: (key \"B\") \"dismis\" is not a command; did you mean dismiss?; run reddot help keys to list the commands"
    ),
    (
      "key = \"ctrl-o\"\ndo = [\"xyzzy\"]",
      "4: do: (key \"ctrl-o\") \"xyzzy\" is not a command; run reddot help keys to list the commands"
    ),
    (
      "key = \"B\"\ndo = [\"sort oldes\"]",
      "4: do: (key \"B\") \"sort\" takes newest, oldest, source, priority, not \"oldes\"; did you mean oldest?"
    ),
    ("key = \"B\"\ndo = [\"undo 2\"]", "4: do: (key \"B\") \"undo\" takes no value"),
    ("key = \"B\"\ndo = [\"open_link x\"]", "4: do: (key \"B\") \"open_link\" takes a number, not \"x\""),
    (
      "key = \"B\"\ndo = [\"snooze\", \"dismiss\"]",
      "4: do: (key \"B\") \"snooze\" asks for text; write the text after it, or make it the last command"
    ),
    ("key = \"B\"\ndo = []", "4: do: (key \"B\") must name at least one command"),
    ("key = \"B\"\ndo = \"dismiss\"", "4: do: must be a list"),
    ("key = \"B\"\nrun = [\"a\"]\ndo = [\"dismiss\"]", "5: do: cannot be combined with run"),
    ("key = \"B\"\ndo = [\"dismiss\"]\nterminal = true", "5: terminal: is only for run"),
    ("key = \"d\"\ndo = [\"dismiss\"]\n[keys]\nmark = \"d\"", "3: key: \"d\" is already the key of mark"),
  ])
  func wrongCommandsAreNamedWithTheirLines(table: String, mistake: String) throws {
    let mistakes = try #require(throws: SettingsMistakes.self) { try read("# mine\n[[command]]\n\(table)\n") }
    #expect(
      mistakes.mistakes.map(\.sentence).contains { $0.hasPrefix("config.toml:\(mistake)") }, "\(mistakes)")
    #expect(mistakes.mistakes.count == 1)
  }

  @Test(arguments: [
    (
      "key = \"B\"\nrun = [\"a\"]\n[[command]]\nkey = \"B\"\nrun = [\"b\"]",
      "6: key: \"B\" is already the key of the command on line 2"
    ),
    ("key = \"BB\"\nrun = [\"a\"]", "3: key: \"BB\" does not name a key"),
    ("key = \"7\"\nrun = [\"a\"]", "3: key: \"7\" is a digit for counts"),
    ("run = [\"a\"]", "2: command[0]: needs a key"),
    ("key = \"B\"", "2: command[0]: needs run or do"),
    ("key = \"B\"\nrun = \"buku {url}\"", "4: run: must be a list"),
    ("key = \"B\"\nrun = [\"{url}\"]", "4: run: must begin with the name of a program, not with {url}"),
    ("key = \"B\"\nrun = [\"sh\", \"-c\", \"echo {title}\"]", "4: run: must not give {title} to a shell"),
    (
      "key = \"B\"\nrun = [\"a\", \"{link}\"]",
      "4: run: must not contain {link}; allowed are {url}, {title}, {source}, {id}"
    ),
    ("key = \"B\"\nrun = [\"a\"]\nterminl = true", "5: terminl: is not a setting here"),
    (
      "key = \"x\"\nrun = [\"a\"]\n[keys]\ndismiss = \"x\"",
      "3: key: \"x\" is already the key of dismiss in [keys]"
    ),
  ])
  func mistakesAreNamedWithTheirLines(table: String, mistake: String) throws {
    let mistakes = try #require(throws: SettingsMistakes.self) { try read("# mine\n[[command]]\n\(table)\n") }
    #expect(
      mistakes.mistakes.map(\.sentence).contains { $0.hasPrefix("config.toml:\(mistake)") }, "\(mistakes)")
    #expect(mistakes.mistakes.count == 1)
  }

  @Test(arguments: [
    ("[\"w3m\"]", ["w3m"], false), ("\"w3m -o x\"", ["/bin/sh", "-c", "w3m -o x"], false),
    ("{ run = [\"w3m\", \"{url}\"], terminal = true }", ["w3m", "{url}"], true),
    ("{ run = [\"w3m\"] }", ["w3m"], false),
  ])
  func linksAreOpenedWithOrWithoutTheTerminal(value: String, words: [String], usesTerminal: Bool) throws {
    let settings = try read("open_command = \(value)\n")
    #expect(settings.openCommand == ProgramTemplate(words, usesTerminal: usesTerminal))
  }

  @Test(arguments: [
    "{}", "{ terminal = true }", "{ run = [\"a\"], terminal = 1 }", "{ run = [] }",
    "{ run = [\"a\"], else = 1 }",
    "\"w3m {url}\"", "[\"{url}\"]",
  ])
  func whatCannotOpenLinksIsAMistake(value: String) throws {
    let mistakes = try #require(throws: SettingsMistakes.self) { try read("open_command = \(value)\n") }
    #expect(mistakes.mistakes.map(\.line) == [1])
    #expect(mistakes.mistakes.first?.sentence.contains("open_command: must") == true)
  }
}
