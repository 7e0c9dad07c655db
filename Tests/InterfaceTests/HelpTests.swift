import Screen
import Testing

@testable import Interface

struct HelpTests {
  @Test(arguments: [(120, 40), (80, 24), (40, 10)])
  func everyCommandCanBeReachedInTheHelp(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    try stage.press("?")
    var seen = ""
    for _ in 0..<30 {
      seen += stage.screen
      try stage.press("pgdn")
    }
    for command in Command.allCases {
      let start = String(stage.state.options.words.help(command).text.prefix(14))
      #expect(seen.contains(start), "\(command.rawValue) is missing")
      for key in command.row.keys { #expect(seen.contains(key)) }
    }
  }

  @Test func itShowsTheKeysOfTheSettings() throws {
    let keymap = Keymap.with(overrides: ["dismiss": ["x", "del"]]).keymap
    var stage = Stage(options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
    try stage.press("?")
    var seen = ""
    for _ in 0..<30 {
      seen += stage.screen
      try stage.press("pgdn")
    }
    #expect(seen.contains("x, del"))
    try stage.press("?")
    #expect(stage.bottom.contains("x dismiss"))
  }

  @Test(arguments: ["?", "q", "esc", "h", "enter"])
  func itClosesWithAnyKeyThatLeaves(key: String) throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("?")
    #expect(stage.state.dialog.overlay == .help(scroll: 0))
    if key != "enter" {
      try stage.press(key)
      #expect(stage.state.dialog.overlay == nil)
      #expect(!stage.effects.contains(.quit))
    }
  }

  @Test func itDoesNotScrollBeyondItsEnd() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("?", "G", "G", "5", "j")
    let atEnd = stage.screen
    try stage.press("j")
    #expect(stage.screen == atEnd)
    try stage.press("g")
    #expect(stage.state.dialog.overlay == .help(scroll: 0))
  }

  /// What a key does where one is comes before what it does elsewhere; there its place is said.
  @Test(arguments: [(120, 60), (80, 90)])
  func theKeysOfThePlaceComeFirst(columns: Int, rows: Int) throws {
    func line(_ text: String, _ stage: Stage) throws -> Int {
      try #require(stage.lines.firstIndex { $0.contains(text) }, "\(text)\n\(stage.screen)")
    }
    let inList = "Order of the list:", inSources = "Order of the sources:"
    var stage = Stage(columns: columns, rows: rows)
    try stage.press("?")
    #expect(stage.lines.contains { $0.hasPrefix("Keys here: list") })
    if columns < 100 {
      #expect(try line(inList, stage) < (try line("Elsewhere: sources", stage)))
      #expect(try line("Elsewhere: sources", stage) < (try line(inSources, stage)))
    }
    try stage.press("esc", "h", "?")
    #expect(stage.lines.contains { $0.hasPrefix("Keys here: sources") })
    if columns < 100 {
      #expect(try line(inSources, stage) < (try line("Elsewhere:", stage)))
      #expect(try line("Elsewhere:", stage) < (try line(inList, stage)))
    }
  }

  @Test func sortingSaysWhatItDidWhereItIs() throws {
    var stage = Stage(columns: 80, rows: 24)
    for order in ["oldest first", "by source", "by priority", "newest first"] {
      try stage.press("O")
      #expect(stage.bottom.contains("Order of the list: \(order)"))
    }
    try stage.press("h", "O")
    #expect(stage.bottom.contains("Sources sorted by name."))
  }

  @Test func anUnknownKeySaysWhereTheKeysAre() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("f7")
    #expect(stage.bottom.contains("f7 does nothing here. ? lists the keys."))
  }
}
