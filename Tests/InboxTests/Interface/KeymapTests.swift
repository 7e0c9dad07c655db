import Screen
import Testing

@testable import Words

struct KeymapTests {
  @Test func theDefaultKeysDoNotClash() {
    #expect(Keymap.with(overrides: [:]).problems.isEmpty)
  }

  @Test(arguments: Command.allCases)
  func everyDefaultKeyDoesWhatTheTableSays(command: Command) throws {
    #expect(!command.row.keys.isEmpty)
    for name in command.row.keys {
      let keys = try #require(KeySequence(parsing: name))
      for place in Places.each {
        let found = Keymap.standard.command(for: keys.key, after: keys.lead, in: place)
        #expect(command.row.places.contains(place) ? found == command : found != command)
      }
    }
  }

  @Test func aCommandTakesItsKeysFromTheSettings() throws {
    let (keymap, problems) = Keymap.with(overrides: ["dismiss": ["x", "del"], "quit": ["ctrl-q"]])
    #expect(problems.isEmpty)
    #expect(keymap.command(for: KeyPress("x"), in: .messages) == .dismiss)
    #expect(keymap.command(for: KeyPress(.delete), in: .reader) == .dismiss)
    #expect(keymap.command(for: KeyPress("d"), in: .messages) == nil)
    #expect(keymap.command(for: KeyPress("q", .control), in: .sources) == .quit)
    #expect(keymap.name(of: .dismiss) == "x")
  }

  @Test func twoCharactersAreTwoKeys() throws {
    let (keymap, problems) = Keymap.with(overrides: ["undo": ["gu"], "quit": ["up"], "redo": ["g2"]])
    #expect(keymap.command(for: KeyPress("u"), after: KeyPress("g"), in: .messages) == .undo)
    #expect(keymap.command(for: KeyPress("u"), in: .messages) == .toggleUnread)
    #expect(keymap.name(of: .undo) == "gu")
    // The name of one key is that key.
    #expect(keymap.command(for: KeyPress(.up), in: .messages) == .quit)
    #expect(problems.contains(.digit(KeyPress("2"), command: .redo)))
    let twice = Keymap.with(overrides: ["undo": ["g/"]]).problems
    #expect(twice == [.clash(try #require(KeySequence(parsing: "g/")), .undo, .searchAll)])
  }

  @Test func anEmptyListLeavesACommandWithoutKeys() {
    let (keymap, problems) = Keymap.with(overrides: ["dismiss": []])
    #expect(problems.isEmpty)
    #expect(keymap.command(for: KeyPress("d"), in: .messages) == nil)
    #expect(keymap.name(of: .dismiss) == "-")
  }

  @Test func aClashNamesTheKeyAndBothCommands() {
    let (keymap, problems) = Keymap.with(overrides: ["dismiss": ["s"]])
    #expect(problems == [.clash(KeySequence(KeyPress("s")), .dismiss, .toggleStar)])
    // A key from the settings goes before a default one.
    #expect(keymap.command(for: KeyPress("s"), in: .messages) == .dismiss)
  }

  @Test func aClashBetweenTwoSettingsIsReportedOnce() throws {
    let (_, problems) = Keymap.with(overrides: ["help": ["ctrl-x"], "quit": ["ctrl-x"]])
    #expect(problems == [.clash(try #require(KeySequence(parsing: "ctrl-x")), .help, .quit)])
  }

  @Test func oneKeyMayServeTwoPlaces() {
    // `o` opens a link in list and reader; in the timeline it is free.
    let (keymap, problems) = Keymap.with(overrides: [
      "timeline": ["p"], "details": ["i"], "next_pane": ["tab"],
    ])
    #expect(problems.isEmpty)
    #expect(keymap.command(for: KeyPress("o"), in: .timeline) == nil)
    #expect(Keymap.with(overrides: ["half_page_down": ["ctrl-d"]]).problems.isEmpty)
  }

  @Test func mistakesAreReportedAndTheRestWorks() {
    let (keymap, problems) = Keymap.with(overrides: [
      "delete": ["x"], "dismiss": ["hyper-x", "x"], "quit": ["5", "X"],
    ])
    #expect(
      Set(problems) == [
        .unknownCommand("delete"), .unknownKey("hyper-x", command: .dismiss),
        .digit(KeyPress("5"), command: .quit),
      ])
    #expect(keymap.command(for: KeyPress("x"), in: .messages) == .dismiss)
    #expect(keymap.command(for: KeyPress("X"), in: .messages) == .quit)
  }

  @Test func problemsAreSentences() {
    let words = Words.english
    #expect(
      words.sentence(.clash(KeySequence(KeyPress("s")), .dismiss, .toggleStar)).text
        == "[keys] s is given to both dismiss and toggle_star; dismiss has it.")
    #expect(
      words.sentence(.unknownCommand("delete\u{1B}")).text
        == "[keys] names delete\u{FFFD}, which is not a command.")
    #expect(
      words.sentence(.unknownKey("hyper-x", command: .dismiss)).text
        == "[keys] dismiss: hyper-x is not a key.")
    #expect(
      words.sentence(.digit(KeyPress("5"), command: .quit)).text
        == "[keys] quit: 5 is a digit for counts, and cannot be a command.")
  }
}
