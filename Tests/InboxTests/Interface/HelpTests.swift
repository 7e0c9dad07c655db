import Foundation
import Screen
import Testing

@testable import Interface
@testable import Words

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

  /// More keys than their column holds have a line of their own; texts stand below each other.
  @Test(arguments: [40, 80])
  func textsBeginInOneColumn(columns: Int) throws {
    var stage = Stage(columns: columns, rows: 24)
    try stage.press("?")
    let texts = ["Next message", "Open the list", "Read, page", "Next unread"]
    let starts = texts.compactMap { text in
      stage.lines.compactMap { line in
        line.firstRange(of: text).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }.first
    }
    #expect(starts.count == texts.count && Set(starts).count == 1, "\(stage.screen)")
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

  @Test(arguments: [(160, 45), (80, 24), (40, 14)])
  func itBeginsWithWhatOneDoesMostHere(columns: Int, rows: Int) throws {
    for (keys, name, place) in [
      ([], "list", Places.messages), (["h"], "sources", .sources), (["j", "enter"], "message", .reader),
      (["p"], "polls", .timeline),
    ] {
      var stage = Stage(columns: columns, rows: rows)
      for key in keys { try stage.press(key) }
      try stage.press("?")
      let start = try #require(
        stage.lines.firstIndex { $0.hasPrefix("Keys here: \(name)") }, "\(stage.screen)")
      let commands = HelpPage.mostUsed(in: place)
      #expect(commands.count == 10 && commands.allSatisfy { $0.row.places.contains(place) })
      var line = start
      for command in commands {
        let text = String(stage.state.options.words.help(command).text.prefix(18))
        let next = stage.lines[line...].firstIndex { $0.contains(text) }
        guard rows > 20 || next != nil else { break }
        line = try #require(next, "\(text)\n\(stage.screen)")
      }
    }
  }

  @Test(arguments: [(160, 45), (100, 30), (80, 24), (40, 10)])
  func itSaysThatMoreIsBelow(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    try stage.press("?")
    let needed = try #require(stage.state.overlayRows(columns: columns))
    #expect(stage.bottom.contains("more below") == (needed > stage.state.layout.body.size.rows))
    try stage.press("G")
    #expect(!stage.bottom.contains("more below"))
  }

  /// By subject, in two columns where they fit. What is for another place says so.
  @Test func theOtherKeysAreBelowBySubject() throws {
    var wide = Stage(columns: 120, rows: 70)
    try wide.press("?")
    #expect(
      wide.lines.contains { $0.hasPrefix("Moving") && $0.contains("Lists and sources") }, "\(wide.screen)")
    let sort = try #require(wide.lines.firstIndex { $0.contains("Order of the sources") }, "\(wide.screen)")
    #expect(wide.lines[sort...(sort + 1)].joined().contains("(sources)"))
    var narrow = Stage(columns: 99, rows: 100)
    try narrow.press("?")
    let headings = ["Moving", "Reading", "Messages", "Lists and sources", "Program"]
    #expect(narrow.lines.filter { headings.contains($0.trimmingCharacters(in: .whitespaces)) }.count == 5)
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
