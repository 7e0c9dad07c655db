import Basics
import Foundation
import Messages
import Screen
import TestBasics
import Testing

@testable import Interface
@testable import Words

/// The lines that name the days of the messages below them.
struct DayLinesTests {
  /// Messages of two sources: for each day, beginning with today, a number of them, a minute apart.
  private static func store(_ counts: [Int]) -> ModelStore {
    var store = ModelStore()
    store.addSource("blog", title: "Blog")
    store.addSource("team", title: "Team")
    for (day, count) in counts.enumerated() {
      for number in 0..<count {
        store.add(
          "Day \(day) number \(number).", source: Int64(number % 2 + 1),
          age: Double(day) * 86_400 + Double(number) * 60)
      }
    }
    return store
  }

  private static func stage(
    _ store: ModelStore, columns: Int = 100, rows: Int = 30, lines: RowLines = .auto,
    words: Words = .english
  ) -> Stage {
    var layout = LayoutOptions()
    layout.rowLines = lines
    return Stage(
      store, columns: columns, rows: rows,
      options: InterfaceOptions(words: words, zone: Stage.utc, layout: layout))
  }

  /// The lines of the list's pane, without the signs of their ends.
  private func pane(_ stage: Stage) -> [String] {
    guard let area = stage.state.layout.messages else { return [] }
    let frame = stage.frame
    return area.rows.map { row in
      var line = area.columns.map { frame[$0, row].text }.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The days and titles of the pane, in their order.
  private func contents(_ stage: Stage) -> [String] {
    pane(stage).compactMap { line in
      if let title = line.range(of: "Day ") { return String(line[title.lowerBound...]) }
      guard line.hasPrefix(" ── ") else { return nil }
      return String(line.dropFirst(4).prefix { $0 != "─" }).trimmingCharacters(in: .whitespaces)
    }
  }

  private func day(_ number: Int) -> String {
    let day = WallTime(ModelStore.start, in: Stage.utc)
    return Words.english.day(day.dayNumber - number, today: day).text
  }

  private func number(ofDay title: String) -> Int? {
    title.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  // MARK: What they say

  @Test(arguments: [ColorDepth.direct, .indexed, .sixteen, .eight, .none])
  func aWideListNamesItsDaysInLinesAndANarrowOneInItsRows(colors: ColorDepth) {
    var options = InterfaceOptions(zone: Stage.utc)
    options.colors = colors
    func pane(_ columns: Int, _ rows: Int) -> [String] {
      self.pane(Stage(Self.store([2, 1, 1]), columns: columns, rows: rows, options: options))
    }
    let wide = pane(160, 45)
    #expect(
      wide.prefix(8) == [
        " ── Today ───────────────────────────────────────────────────",
        "▌● 14:00  Blog  Day 0 number 0.",
        " ● 13:59  Team  Day 0 number 1.",
        " ── Yesterday ───────────────────────────────────────────────",
        " ● 14:00  Blog  Day 1 number 0.",
        " ── Wednesday 18 November ───────────────────────────────────",
        " ● 14:00  Blog  Day 2 number 0.",
        "",
      ], "\(wide)")
    #expect(
      pane(100, 24).prefix(5) == [
        "▌● 14:00      Blog  Day 0 number 0.",
        " ● 13:59      Team  Day 0 number 1.",
        " ● Thu 14:00  Blog  Day 1 number 0.",
        " ● Wed 14:00  Blog  Day 2 number 0.",
        "",
      ])
    for (columns, rows) in [(80, 24), (80, 45), (40, 10)] {
      #expect(
        pane(columns, rows).prefix(8) == [
          "▌● Day 0 number 0.",
          "▌  Blog · 14:00",
          " ● Day 0 number 1.",
          "   Team · 13:59",
          " ● Day 1 number 0.",
          "   Blog · Thu 14:00",
          " ● Day 2 number 0.",
          "   Blog · Wed 14:00",
        ])
    }
  }

  /// The list is the whole screen, or next to the sources.
  @Test(arguments: [
    (60, 25, true), (59, 25, false), (60, 24, false), (83, 25, true), (82, 25, false), (83, 24, false),
    (200, 24, false), (200, 25, true),
  ])
  func theyNeedAWideListOnATallScreen(columns: Int, rows: Int, areThere: Bool) throws {
    let stage = Self.stage(Self.store([2, 1, 1]), columns: columns, rows: rows)
    let width = try #require(stage.state.layout.messages).size.columns
    #expect(contents(stage).contains("Yesterday") == areThere, "\(width)")
    #expect(!areThere || width >= 60)
  }

  @Test(arguments: [
    ("en", ["Today", "Yesterday", "Wednesday 18 November", "Thursday 18 September 2025"]),
    ("zh-Hans", ["今天", "昨天", "11月18日 星期三", "2025年9月18日 星期四"]),
    ("zh-Hant", ["今天", "昨天", "11月18日 星期三", "2025年9月18日 星期四"]),
    ("hi", ["आज", "कल", "बुधवार, 18 नवंबर", "गुरुवार, 18 सितंबर 2025"]),
  ])
  func everyLanguageHasNamesOfDays(language: String, names: [String]) {
    let today = WallTime(ModelStore.start, in: Stage.utc)
    let words = Words.inLanguage(language)
    #expect([0, 1, 2, 428].map { words.day(today.dayNumber - $0, today: today).text } == names)
    let stage = Self.stage(Self.store([1, 1, 1]), words: words)
    for name in names.prefix(3) { #expect(stage.screen.contains("── \(name) ──")) }
  }

  @Test func anotherYearIsNamed() {
    var store = Self.store([])
    for day in 40...43 { store.add("Day \(day)", age: Double(-day) * 86_400) }
    var stage = Self.stage(store)
    stage.send(.timeChanged(ModelStore.start + 43 * 86_400))
    #expect(
      contents(stage) == [
        "Today", "Day 43", "Yesterday", "Day 42", "Thursday 31 December 2026", "Day 41",
        "Wednesday 30 December 2026", "Day 40",
      ])
  }

  @Test func daysAreThoseOfTheReadersZone() {
    var store = Self.store([])
    store.add("Day A", age: 600)
    store.add("Day B", age: 3.5 * 3600)
    store.add("Day C", age: 12 * 3600)
    var stage = Self.stage(store)
    #expect(contents(stage) == ["Today", "Day A", "Day B", "Day C"])
    var options = stage.state.options
    options.zone = ZoneClock(TimeZone(secondsFromGMT: 13 * 3600) ?? .gmt)
    stage.send(.optionsChanged(options))
    #expect(contents(stage) == ["Today", "Day A", "Yesterday", "Day B", "Day C"])
    #expect(stage.screen.contains("02:50") && stage.screen.contains("23:30"))
  }

  @Test func atMidnightTodayIsYesterday() {
    var stage = Self.stage(Self.store([1, 1]))
    #expect(contents(stage) == ["Today", "Day 0 number 0.", "Yesterday", "Day 1 number 0."])
    stage.send(.timeChanged(ModelStore.start + 10 * 3600 - 1))
    #expect(contents(stage).first == "Today")
    stage.send(.timeChanged(ModelStore.start + 10 * 3600))
    #expect(contents(stage) == ["Yesterday", "Day 0 number 0.", "Thursday 19 November", "Day 1 number 0."])
  }

  @Test func onlyAListInTheOrderOfTimeHasThem() throws {
    var stage = Self.stage(Self.store([1, 2]))
    try stage.press("O")
    #expect(
      contents(stage) == ["Yesterday", "Day 1 number 1.", "Day 1 number 0.", "Today", "Day 0 number 0."])
    try stage.press("O")
    #expect(stage.state.shown.list.query.order == .source)
    #expect(contents(stage) == ["Day 0 number 0.", "Day 1 number 0.", "Day 1 number 1."])
    #expect(stage.screen.contains("Thu 14:00"))
    try stage.press("O")
    #expect(stage.state.shown.list.query.order == .priority)
    #expect(contents(stage).count == 3)
    // The list of a source has no order by source.
    try stage.press("O", "O", "O", "J")
    #expect(stage.state.shown.list.query.scope != .all)
    #expect(contents(stage).contains("Yesterday"))
  }

  @Test func aScreenReaderHasTheDayInEachRow() {
    let options = InterfaceOptions(
      words: .english, signs: .fitting(isASCII: false, areWords: true, words: .english), zone: Stage.utc)
    let stage = Stage(Self.store([1, 1]), columns: 120, rows: 40, options: options)
    #expect(!stage.screen.contains("Yesterday"))
    #expect(stage.screen.contains("Thu 14:00"))
  }

  @Test func theWelcomeHasNone() {
    #expect(!Self.stage(ModelStore()).screen.contains("Today"))
  }

  // MARK: They are no rows

  @Test func countsAreOfMessages() throws {
    var stage = Self.stage(Self.store([2, 3, 2]))
    stage.type("3j")
    #expect(stage.selectedTitle == "Day 1 number 1.")
    stage.type("2j")
    #expect(stage.selectedTitle == "Day 2 number 0.")
    stage.type("3k")
    #expect(stage.selectedTitle == "Day 1 number 0.")
    try stage.press("g", "3", "d")
    #expect(stage.acts == [UserAct(.dismiss, MessageSelection([1, 2, 3].map { MessageID($0) }))])
    #expect(
      contents(stage) == [
        "Yesterday", "Day 1 number 1.", "Day 1 number 2.", day(2), "Day 2 number 0.", "Day 2 number 1.",
      ])
    #expect(stage.selectedTitle == "Day 1 number 1.")
  }

  @Test func anActGoesOnOverALine() throws {
    var stage = Self.stage(Self.store([3, 3]))
    try stage.press("j", "d", "G")
    #expect(contents(stage) == ["Today", "Day 0 number 0."])
    stage = Self.stage(Self.store([3, 3]))
    stage.type("jd3j")
    #expect(stage.selectedTitle == "Day 1 number 2.")
    #expect(contents(stage).count == 7)
    stage = Self.stage(Self.store([3, 3]))
    try stage.press("j", "V", "2", "j", "d")
    #expect(
      contents(stage) == ["Today", "Day 0 number 0.", "Yesterday", "Day 1 number 1.", "Day 1 number 2."])
  }

  @Test(arguments: [1, 4])
  func aMessageInTheMiddleOfItsDayIsDismissed(index: Int) throws {
    var stage = Self.stage(Self.store([3, 3]))
    let all = (0..<2).flatMap { day in [self.day(day)] + (0..<3).map { "Day \(day) number \($0)." } }
    #expect(contents(stage) == all)
    stage.type("\(index)j")
    let title = try #require(stage.selectedTitle)
    try stage.press("d")
    #expect(contents(stage) == all.filter { $0 != title })
    #expect(stage.selectedTitle == "Day \(index / 3) number 2.")
    // The last message of a day takes the line along.
    try stage.press("k", "d", "d")
    #expect(contents(stage) == all.filter { number(ofDay: $0) == 1 - index / 3 || $0 == day(1 - index / 3) })
    try stage.press("U", "U", "U")
    #expect(contents(stage) == all)
  }

  @Test func whatArrivesTakesItsDayAlong() throws {
    var stage = Self.stage(Self.store([0, 2, 2]))
    try stage.press("j")
    #expect(contents(stage).first == "Yesterday")
    stage.outside { $0.add("Day 0 new", age: 5) }
    #expect(contents(stage).prefix(3) == ["Today", "Day 0 new", "Yesterday"])
    #expect(stage.selectedTitle == "Day 1 number 1.")
  }

  @Test(arguments: [RowLines.one, .two])
  func aClickMeansWhatIsDrawnThere(lines: RowLines) throws {
    var stage = Self.stage(Self.store([2, 3, 2]), rows: 34, lines: lines)
    try stage.press("j", "h")
    let area = try #require(stage.state.layout.messages)
    let shown = pane(stage)
    for (row, line) in shown.enumerated() where line.contains("──") {
      for kind in [Mouse.Kind.click, .doubleClick] {
        stage.send(
          .input(
            .mouse(Mouse(kind: kind, at: Point(column: area.origin.column + 5, row: area.origin.row + row)))))
        #expect(stage.state.focus.pane == .sources)
        #expect(stage.selectedTitle == "Day 0 number 1.")
      }
    }
    #expect(shown.filter { $0.contains("──") }.count == 3)
    for (row, line) in shown.enumerated() {
      guard let title = line.range(of: "Day ").map({ String(line[$0.lowerBound...]) }) else { continue }
      for below in 0..<(lines == .two ? 2 : 1) {
        let place = Point(column: area.origin.column + 5, row: area.origin.row + row + below)
        stage.send(.input(.mouse(Mouse(kind: .click, at: place))))
        #expect(stage.selectedTitle == title)
      }
    }
  }

  // MARK: Scrolling

  /// Checks the conditions that must hold on every screen.
  private func expectWhole(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = pane(stage)
    let contents = contents(stage)
    let list = stage.state.shown.list
    // The first line names the day of the first message, and a line is above each other day.
    var expected: [String] = []
    var last: Int?
    for title in contents where title.hasPrefix("Day ") {
      let number = number(ofDay: title) ?? -1
      if number != last { expected.append(day(number)) }
      last = number
      expected.append(title)
    }
    if let end = contents.last, !end.hasPrefix("Day ") { expected.append(end) }
    #expect(contents == expected, sourceLocation: sourceLocation)
    #expect(lines.first?.contains("──") == true, sourceLocation: sourceLocation)
    let title = stage.selectedTitle ?? "none"
    #expect(
      lines.contains { $0.hasPrefix("▌") && $0.contains(title) }, "\(title): \(lines)",
      sourceLocation: sourceLocation)
    // There is no gap below the last message while more messages are above the first. Only a space that is too small for a
    // row with its day may stay empty.
    if list.top > 0, let end = lines.last, end.isEmpty {
      #expect(
        lines.suffix(stage.state.layout.rowLines + 1).contains { !$0.isEmpty }, sourceLocation: sourceLocation
      )
    }
  }

  private func titles(_ stage: Stage) -> [String] { contents(stage).filter { $0.hasPrefix("Day ") } }

  @Test func theFirstLineNamesTheDayOfTheFirstMessage() throws {
    var stage = Self.stage(Self.store([5, 30, 3, 1, 1, 40]))
    for _ in 0..<79 {
      expectWhole(stage)
      try stage.press("j")
    }
    #expect(stage.selectedTitle == "Day 5 number 39.")
    for _ in 0..<79 {
      try stage.press("k")
      expectWhole(stage)
    }
    #expect(contents(stage).prefix(2) == ["Today", "Day 0 number 0."])
  }

  private static func random(_ seed: Int) -> ModelStore {
    var random = SeededRandom(seed: UInt64(seed))
    return store((0..<150).map { _ in Int.random(in: 0...6, using: &random) })
  }

  @Test(arguments: 0..<8)
  func pagesShowOneMessageOfTheLastPageAndSkipNone(seed: Int) throws {
    var stage = Self.stage(
      Self.random(seed), rows: 25 + 3 * seed, lines: seed % 2 == 0 ? .one : .two)
    let all = stage.store.rows(InboxQuery()).map(\.title)
    for (key, order) in [("pgdn", all), ("pgup", all.reversed())] {
      var seen = titles(stage)
      var pages = 0
      while stage.selectedTitle != order.last {
        let before = titles(stage)
        try stage.press(key)
        expectWhole(stage)
        let now = titles(stage)
        seen += now
        pages += 1
        guard now != before else { break }
        let shared = Set(before).intersection(now)
        // The last page is full, so it has more of the page before.
        #expect(key == "pgdn" ? now.contains(before.last ?? "") : now.contains(before.first ?? ""))
        if stage.selectedTitle != order.last, now.first != all.first, now.last != all.last {
          // If a line is too little for another message and its day at the top, the page may show another message at the bottom.
          #expect(shared.count == 1 || key == "pgup" && shared.count == 2, "\(shared)")
        }
        try #require(pages < 400)
      }
      #expect(Set(seen) == Set(all))
    }
  }

  /// This also applies if the pages are not loaded yet.
  @Test(arguments: ["pgdn", "ctrl-d"])
  func aNumberOfPagesIsThatManyPages(key: String) throws {
    var once = Self.stage(Self.random(3))
    var each = once
    try once.press("1", "2", key)
    for _ in 0..<12 { try each.press(key) }
    if key == "pgdn" {
      #expect(contents(once) == contents(each))
      #expect(once.selectedTitle == each.selectedTitle)
    }
    expectWhole(once)
    try once.press("G", "1", "5", "pgup")
    try each.press("G")
    for _ in 0..<15 { try each.press("pgup") }
    #expect(contents(once) == contents(each))
  }

  @Test(arguments: 0..<6)
  func whateverMovesTheSelectionIsVisible(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) + 100)
    var stage = Self.stage(Self.random(seed), rows: 31, lines: seed % 2 == 0 ? .one : .two)
    let keys = ["j", "k", "5j", "5k", "40j", "40k", "G", "g", "d", "3d", "U", "u", "s", "n", "f"]
    for _ in 0..<250 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let kind = [Mouse.Kind.wheelUp, .wheelDown].randomElement(using: &random) ?? .wheelUp
        stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: 50, row: 10)))))
      case 1: try stage.press(["pgdn", "pgup", "ctrl-d", "ctrl-u"].randomElement(using: &random) ?? "pgdn")
      case 2: stage.resize(100, Int.random(in: 25...45, using: &random))
      case 3: stage.outside { $0.add("Day 0 new", age: -1) }
      case 4 where stage.store.messages.count > 200:
        let index = Int.random(in: 0..<200, using: &random)
        stage.outside { $0.messages.removeSubrange(index..<index + 3) }
      default: stage.type(keys.randomElement(using: &random) ?? "j")
      }
      guard !stage.state.shown.list.rows.isEmpty else { continue }
      expectWhole(stage)
    }
  }

  @Test func theWheelMovesMessagesAndTheirDays() throws {
    var stage = Self.stage(Self.store([4, 40]))
    stage.send(.input(.mouse(Mouse(kind: .wheelDown, at: Point(column: 50, row: 10)))))
    #expect(contents(stage).prefix(4) == ["Today", "Day 0 number 3.", "Yesterday", "Day 1 number 0."])
    stage.send(.input(.mouse(Mouse(kind: .wheelDown, at: Point(column: 50, row: 10)))))
    #expect(contents(stage).prefix(2) == ["Yesterday", "Day 1 number 2."])
    #expect(stage.selectedTitle == "Day 1 number 2.")
  }
}
