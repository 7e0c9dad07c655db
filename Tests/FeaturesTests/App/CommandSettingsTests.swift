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

  @Test(arguments: [
    (
      "key = \"B\"\nrun = [\"a\"]\n[[command]]\nkey = \"B\"\nrun = [\"b\"]",
      "6: key: \"B\" is already the key of the command on line 2"
    ),
    ("key = \"BB\"\nrun = [\"a\"]", "3: key: \"BB\" does not name a key"),
    ("key = \"7\"\nrun = [\"a\"]", "3: key: \"7\" counts"), ("run = [\"a\"]", "2: command[0]: needs a key"),
    ("key = \"B\"", "2: command[0]: needs a run"),
    ("key = \"B\"\nrun = \"buku {url}\"", "4: run: must be a list"),
    ("key = \"B\"\nrun = [\"{url}\"]", "4: run: must begin with the name of a program, not with {url}"),
    ("key = \"B\"\nrun = [\"sh\", \"-c\", \"echo {title}\"]", "4: run: must not give {title} to a shell"),
    (
      "key = \"B\"\nrun = [\"a\", \"{link}\"]",
      "4: run: must not hold {link}: there are {url}, {title}, {source}, {id}"
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
