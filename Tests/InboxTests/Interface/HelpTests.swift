import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

struct HelpTests {
  /// A list of three messages of two sources, the middle one selected.
  private static func stage(
    columns: Int = 80, rows: Int = 24, options: InterfaceOptions = InterfaceOptions(zone: Stage.utc)
  ) throws -> Stage {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.addSource("blog", title: "Blog")
    store.add("First", age: 10) { $0.content.url = "https://a.example/1" }
    store.add("Second", source: 2, age: 20) { $0.content.url = "https://a.example/2" }
    store.add("Third", age: 30) { $0.content.url = "https://a.example/3" }
    var stage = Stage(store, columns: columns, rows: rows, options: options)
    try stage.press("j")
    #expect(stage.selectedTitle == "Second")
    stage.effects = []
    return stage
  }

  /// All lines of the help with all subjects opened.
  private static func everything(_ stage: inout Stage) throws -> [String] {
    var seen: [String] = []
    for _ in 0..<120 {
      if case .group? = stage.state.helpPage?.selected { try stage.press("right") }
      if stage.state.helpPage?.selected == .programs { try stage.press("right") }
      seen += stage.lines
      try stage.press("down")
    }
    return seen
  }

  // MARK: What it shows

  @Test(arguments: [(160, 45), (120, 40), (80, 24), (40, 10)])
  func everyCommandCanBeReachedInTheHelp(columns: Int, rows: Int) throws {
    for key in ["?", ":"] {
      var stage = Stage(columns: columns, rows: rows)
      try stage.press(key)
      let seen = try Self.everything(&stage).joined(separator: "\n")
      for command in Command.allCases {
        let start = stage.state.options.words.help(command).wrapped(to: 12)[0].text
        #expect(seen.contains(start), "\(command.rawValue) is missing")
        #expect(seen.contains(key == "?" ? command.row.keys[0] : command.rawValue))
      }
    }
  }

  @Test func itShowsTheKeysOfTheSettings() throws {
    let keymap = Keymap.with(overrides: ["dismiss": ["x", "del"]]).keymap
    var stage = Stage(options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
    try stage.press("?")
    #expect(stage.screen.contains("x, del"))
    try stage.press("?")
    #expect(stage.bottom.contains("x dismiss"))
  }

  /// Keys that don't fit in their column have a separate line; descriptions begin in the same column.
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

  @Test(arguments: ["?", "esc", "f1"])
  func itClosesWithTheKeysThatLeave(key: String) throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("?")
    #expect(stage.state.dialog.overlay == .help && stage.state.dialog.prompt != nil)
    try stage.press(key)
    #expect(stage.state.dialog.overlay == nil && stage.state.dialog.prompt == nil)
    #expect(!stage.effects.contains(.quit))
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 14)])
  func itBeginsWithWhatOneDoesMostHere(columns: Int, rows: Int) throws {
    for (keys, name, place) in [
      ([], "list", Places.messages), (["h"], "sources", .sources), (["j", "enter"], "message", .reader),
      (["p"], "polls", .timeline), (["w"], "rules", .rules), (["j", "L"], "links", .links),
      (["M"], "page", .overlay),
    ] {
      var stage = Stage(columns: columns, rows: rows)
      for key in keys { try stage.press(key) }
      if case .rules? = stage.state.dialog.overlay { stage.send(.rules(.loaded(stage.asked, []))) }
      try stage.press("?")
      let start = try #require(
        stage.lines.firstIndex { $0.hasPrefix("Keys here: \(name)") }, "\(stage.screen)")
      let commands = HelpPage.mostUsed(in: place)
      #expect(Set(commands).count == 10 && commands.allSatisfy { $0.row.places.contains(place) }, "\(name)")
      var line = start
      for command in commands {
        let text = String(stage.state.options.words.help(command).text.prefix(18))
        let next = stage.lines[line...].firstIndex { $0.contains(text) }
        guard rows > 20 || next != nil else { break }
        line = try #require(next, "\(text)\n\(stage.screen)")
      }
    }
  }

  /// The other keys are in subjects, which are closed.
  @Test func subjectsOpenAndClose() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("?")
    let heads = ["Moving", "Reading", "Messages", "Lists and sources", "Program"]
    for head in heads { #expect(stage.lines.contains { $0.contains("▸ \(head)") }, "\(stage.screen)") }
    #expect(!stage.screen.contains("One page down"))
    for _ in 0..<10 { try stage.press("down") }
    try stage.press("right")
    #expect(stage.screen.contains("▾ Moving") && stage.screen.contains("One page down"))
    // Inside a subject, the arrow selects the line of the subject.
    try stage.press("down", "down", "left")
    #expect(!stage.screen.contains("One page down"))
    try stage.press("enter")
    #expect(stage.screen.contains("One page down"))
    try stage.press("enter")
    #expect(!stage.screen.contains("One page down") && stage.state.dialog.overlay == .help)
  }

  @Test func aCommandOfAnotherPlaceSaysForWhichItIs() throws {
    var stage = try Self.stage()
    try stage.press("?")
    stage.type("order of the sources")
    #expect(stage.lines.contains { $0.contains("Order of the sources") }, "\(stage.screen)")
    #expect(stage.screen.contains("(sources)"))
    try stage.press("enter")
    #expect(stage.bottom.contains("sort_sources works elsewhere: sources"), "\(stage.bottom)")
    #expect(stage.state.dialog.overlay == .help)
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func itSaysThatMoreIsBelow(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    try stage.press("?")
    let needed = try #require(stage.state.helpPage).lines(columns: columns).count
    #expect(stage.bottom.contains("more below") == (needed > stage.state.helpRows))
    try stage.press("end", "pgdn", "pgdn")
    #expect(!stage.bottom.contains("more below"))
    #expect(stage.screen.contains("the wheel scrolls"))
  }

  /// Pages down show every line, and pages up as well; one line of each page is also on the next.
  @Test(arguments: [(160, 45), (80, 24), (40, 10), (30, 6)])
  func pagesSkipNoLine(columns: Int, rows: Int) throws {
    for isOpen in [false, true] {
      var stage = Stage(columns: columns, rows: rows)
      try stage.press("?")
      if isOpen { stage.openSubjects() }
      let all = try #require(stage.state.helpPage).lines(columns: columns).map(\.text.plain)
      let count = stage.state.helpRows
      func visible() -> Range<Int> {
        stage.state.dialog.scroll..<min(all.count, stage.state.dialog.scroll + count)
      }
      func press(_ key: String, to end: Int) throws {
        for _ in 0..<200 where !visible().contains(end) {
          let before = visible()
          try stage.press(key)
          #expect(visible().overlaps(before), "\(before) \(visible())\n\(stage.screen)")
          #expect(visible() != before, "\(before)\n\(stage.screen)")
          let page = try #require(stage.state.helpPage)
          let isLast = page.list.selected == page.items.count - 1
          #expect(isLast || page.selected(in: page.lines(columns: columns)).overlaps(visible()))
        }
        #expect(visible().contains(end))
      }
      try press("pgdn", to: all.count - 1)
      try stage.press("pgdn")
      #expect(stage.state.helpPage?.list.selected == (stage.state.helpPage?.items.count ?? 0) - 1)
      try press("pgup", to: 0)
      try stage.press("pgup")
      #expect(stage.state.helpPage?.list.selected == 0 && stage.state.dialog.scroll == 0)
      // The lines are those on the screen.
      #expect(stage.screen.contains(all[1].trimmingCharacters(in: .whitespaces).prefix(20)))
    }
  }

  // MARK: Finding

  @Test(arguments: [
    ("dism", Command.dismiss), ("star", .toggleStar), ("clipboard text", .copyText), ("A", .readAll),
    ("toggle unread", .toggleUnread), ("next_u", .nextUnread), ("OPML", .importFeeds), ("ctrl-r", .redo),
  ])
  func lettersFindCommands(text: String, command: Command) throws {
    var stage = try Self.stage()
    try stage.press("?")
    stage.type(text)
    let page = try #require(stage.state.helpPage)
    #expect(page.items.first == .command(command), "\(page.items.prefix(3))")
    #expect(page.items.count < Command.allCases.count)
  }

  @Test func whatIsNotThereFindsNothing() throws {
    var stage = try Self.stage()
    try stage.press("?")
    stage.type("dismisss")
    #expect(stage.state.helpPage?.items == [])
    try stage.press("enter")
    #expect(stage.bottom.contains("There is no command dismisss; did you mean dismiss?"), "\(stage.bottom)")
    #expect(stage.acts.isEmpty && stage.state.dialog.overlay == .help)
    // The sentence disappears with the next key.
    try stage.press("backspace")
    #expect(!stage.screen.contains("There is no command"))
    try stage.press("enter")
    #expect(stage.acts == [.dismiss([MessageID(2)])] && stage.state.dialog.overlay == nil)
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func theSelectedOneIsInSight(columns: Int, rows: Int) throws {
    var stage = try Self.stage(columns: columns, rows: rows)
    try stage.press(":")
    stage.type("s")
    for _ in 0..<30 {
      let place = try #require(stage.frame.parkedCursor)
      #expect(stage.state.layout.body.rows.contains(place.row) && stage.lines[place.row].hasPrefix("▌"))
      try stage.press("down")
    }
  }

  // MARK: Running

  @Test(arguments: ["?", ":"])
  func enterRunsTheChosenOneWhereTheHelpWasOpened(key: String) throws {
    var stage = try Self.stage()
    try stage.press(key)
    stage.type("toggle_star")
    // The command still applies to the same message after others have arrived.
    stage.outside { $0.add("News", age: 1) }
    try stage.press("enter")
    #expect(stage.acts == [.star([MessageID(2)])])
    #expect(stage.state.dialog.overlay == nil && stage.state.dialog.prompt == nil)
    // Another one is chosen with an arrow.
    try stage.press(key)
    stage.type("toggle")
    let items = try #require(stage.state.helpPage?.items)
    let place = try #require(items.firstIndex(of: .command(.toggleUnread)))
    for _ in 0..<place { try stage.press("down") }
    try stage.press("enter")
    #expect(stage.acts.last == .read([MessageID(2)]))
  }

  @Test func aMessageThatIsGoneIsNotReplacedByAnother() throws {
    var stage = try Self.stage()
    try stage.press(":")
    stage.type("dismiss")
    stage.outside { $0.messages.removeAll { $0.id == MessageID(2) } }
    try stage.press("enter")
    #expect(stage.acts.isEmpty)
    #expect(stage.bottom.contains("gone"), "\(stage.bottom)")
  }

  @Test func keysThatAreTypedAheadAreText() throws {
    var stage = try Self.stage()
    try stage.press(":", "d", "i", "s", "m", "i", "s", "s", "enter", "U")
    #expect(stage.acts == [.dismiss([MessageID(2)])])
    #expect(stage.effects.contains { if case .journal(.undo) = $0 { true } else { false } })
  }

  /// The page below the help is shown again, and its commands apply to the selection on it.
  @Test func overAPageItRunsItsCommands() throws {
    func rules(_ condition: String) -> [RuleRow] {
      ["one", "two", "three"].map { RuleRow(name: $0, condition: condition, actions: ["read"]) }
    }
    var stage = try Self.stage()
    try stage.press("w")
    stage.send(.rules(.loaded(stage.asked, rules("x"))))
    try stage.press("j", "?")
    #expect(stage.lines.contains { $0.contains("Keys here: rules") })
    stage.send(.rules(.loaded(stage.asked, rules("y"))))
    stage.type("remove_source")
    try stage.press("enter")
    #expect(stage.effects.contains { if case .rules(.remove("two", _)) = $0 { true } else { false } })
    guard case .rules? = stage.state.dialog.overlay else { return #expect(Bool(false), "\(stage.screen)") }
    try stage.press("?", "esc")
    #expect(stage.screen.contains("three"))
  }

  @Test func aClickSelectsAndADoubleClickRuns() throws {
    var stage = try Self.stage()
    try stage.press("?")
    let row = try #require(stage.lines.firstIndex { $0.contains("Dismiss the message") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 30, row: row)))))
    #expect(stage.state.helpPage?.selected == .command(.dismiss) && stage.acts.isEmpty)
    stage.send(.input(.mouse(Mouse(kind: .doubleClick, at: Point(column: 30, row: row)))))
    #expect(stage.acts == [.dismiss([MessageID(2)])])
  }

  // MARK: Commands with text

  @Test func commandsTakeWhatTheirPromptsTake() throws {
    func run(_ text: String) throws -> Stage {
      var stage = try Self.stage()
      try stage.press(":")
      stage.type(text)
      try stage.press("enter")
      return stage
    }
    var quiet = try run("quiet 2h")
    #expect(quiet.effects.contains(.quiet(.set("2h", quiet.asked))))
    quiet.send(.quiet(.set(quiet.asked, until: ModelStore.start + 7200)))
    #expect(quiet.state.dialog.prompt == nil && quiet.bottom.contains("Quiet until"))
    let snooze = try run("snooze 3h")
    #expect(
      snooze.effects.contains {
        if case .journal(.snooze(let selection, "3h", _, _)) = $0 {
          selection.ids == [MessageID(2)]
        } else {
          false
        }
      })
    #expect(snooze.state.dialog.prompt == nil)
    let sort = try run("sort oldest")
    #expect(sort.state.shown.list.query.order == .oldest)
    let search = try run("search first")
    #expect(search.state.shown.list.query.search == "first " && search.state.dialog.prompt == nil)
    let link = try run("open-link")
    #expect(link.effects.contains(.links(.open("https://a.example/2"))))
    let pipe = try run("pipe wc -l")
    #expect(pipe.effects.contains { if case .programs(.pipe(_, _, "wc -l")) = $0 { true } else { false } })
    let add = try run("add_source https://a.example/feed")
    #expect(
      add.effects.contains {
        if case .sources(.add("https://a.example/feed", _)) = $0 { true } else { false }
      })
  }

  @Test(arguments: [
    ("sort oldes", "sort takes newest, oldest, source, priority, not oldes; did you mean oldest?"),
    ("sort 7", "sort takes newest, oldest, source, priority, not 7."),
    ("open_link x", "open_link takes a number, not x."),
    ("quite 2h", "There is no command quite; did you mean quiet?"),
    ("xyzzy", "There is no command xyzzy."), ("undo 2h", "undo takes no value."),
  ])
  func aWrongOneSaysWhatIsAllowed(text: String, said: String) throws {
    for (columns, rows) in [(160, 45), (80, 24), (40, 10)] {
      var stage = try Self.stage(columns: columns, rows: rows)
      try stage.press(":")
      stage.type(text)
      try stage.press("enter")
      let shown = stage.lastLines.replacing("  ", with: " ")
      #expect(shown.contains(said), "\(stage.screen)")
      #expect(stage.state.dialog.prompt?.editor.text == text && stage.acts.isEmpty)
    }
  }

  /// The prompt of the command explains an invalid time, as when it is typed there.
  @Test func aWrongTimeStaysInItsPrompt() throws {
    var stage = try Self.stage()
    try stage.press(":")
    stage.type("snooze yesterdya")
    try stage.press("enter")
    #expect(stage.lastLines.contains("yesterdya is not a time in the future"), "\(stage.screen)")
    #expect(stage.state.dialog.prompt?.editor.text == "yesterdya")
    #expect(stage.state.dialog.overlay == nil && stage.acts.isEmpty)
  }

  @Test func tabPutsTheNameThere() throws {
    var stage = try Self.stage()
    try stage.press(":")
    stage.type("snoo")
    try stage.press("tab")
    #expect(stage.bottom.hasPrefix(" Command: snooze"))
    #expect(stage.bottom.contains("2h30m, 5pm"), "\(stage.bottom)")
  }

  @Test func withoutColoursTheSelectedLineIsSeen() throws {
    for signs in [Signs.unicode, .ascii] {
      for hasColors in [true, false] {
        var options = InterfaceOptions(zone: Stage.utc)
        (options.signs, options.colors) = (signs, hasColors ? .direct : .none)
        var stage = try Self.stage(options: options)
        try stage.press("?", "down")
        let row = try #require(stage.frame.parkedCursor).row
        #expect(stage.lines[row].hasPrefix(signs.bar.text))
        #expect(stage.frame[20, row].style != stage.frame[20, row + 1].style)
      }
    }
  }

  // MARK: Other

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
