import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The screen for screen readers and braille displays.
struct ScreenReaderTests {
  private func stage(
    _ store: ModelStore = .sample, columns: Int = 120, rows: Int = 30, language: String = "en",
    scope: InboxQuery.Scope = .all
  ) -> Stage {
    let words = Words.named(language)
    let options = InterfaceOptions(
      words: words, signs: .fitting(isASCII: false, areWords: true, words: words), zone: Stage.utc,
      animations: false)
    return Stage(store, columns: columns, rows: rows, scope: scope, options: options)
  }

  private func row(_ stage: Stage, _ text: String) -> String {
    stage.lines.first { $0.contains(text) } ?? "no row"
  }

  @Test func aRowSaysItsStatesThenItsTitle() {
    let stage = stage()
    #expect(
      row(stage, "Maintenance")
        == "selected, unread, downtime, Maintenance on Sunday, 02:00 to 04:00, Team board, 13:55")
    #expect(row(stage, "Swift 6.3") == "unread, Swift 6.3 released, Swift Blog, 13:50")
    #expect(row(stage, "Tests done") == "Tests done, Scripts, 12:00")
    #expect(row(stage, "消息中心") == "unread, starred, 消息中心 的 新 功能 和 修复, Team board, Thu 13:00")
  }

  @Test func inTheListOfASourceItsNameIsNotRepeated() {
    #expect(row(stage(scope: .source(SourceID(1))), "Older news") == "Older news, 11 Oct")
  }

  @Test func aSourceSaysWhatItsSignsWouldSay() throws {
    var store = ModelStore.sample
    store.sources[0].state.failures = 2
    store.sources[0].state.lastFailure = .gone
    store.sources[1].badge = 4
    store.sources[1].source.settings.verifiesCertificates = false
    var stage = stage(store)
    try stage.press("h", "j", "j")
    #expect(row(stage, "Swift Blog") == "selected, Swift Blog, 1 unread, failed")
    #expect(row(stage, "Team board") == "Team board, 3 unread, new, certificates not verified, [4]")
    #expect(row(stage, "Starred") == "Starred, 1")
  }

  @Test func theCursorIsAtTheBeginningOfTheSelectedRow() throws {
    var stage = stage()
    for key in ["j", "j", "k", "G", "h", "j", "k"] {
      try stage.press(key)
      let place = try #require(stage.frame.parkedCursor)
      #expect(place.column == 0)
      #expect(stage.lines[place.row].hasPrefix("selected, "))
      #expect(stage.lines.count { $0.contains("selected") } == 1)
    }
  }

  @Test(arguments: [(200, 50), (120, 40), (80, 24), (40, 10), (20, 5), (3, 3)])
  func onePaneIsShownAndNothingIsDrawn(columns: Int, rows: Int) throws {
    var store = ModelStore.sample
    store.messages[0].content.html = """
      <blockquote>So it was.</blockquote><ul><li>one<li>two</ul><hr>
      <table><tr><th>Name<th>Age<tr><td>Ada<td>36<tr><td>Bob<td>7</table><pre>x = 1</pre>
      <details><summary>More</summary>text</details>
      """
    var stage = stage(store, columns: columns, rows: rows)
    for key in ["j", "enter", "i", "esc", "h", "l", "?", "esc", "p", "p", "/", "esc", "s", "f", "f"] {
      try stage.press(key)
      let drawn = stage.frame.cells.flatMap(\.scalars).filter {
        switch $0.value {
        // Arrows, technical signs, boxes, blocks, shapes, dingbats, braille.
        case 0x2190...0x23FF, 0x2500...0x27BF, 0x2800...0x28FF, 0x2022, 0x2026, 0xB7: true
        case _: false
        }
      }
      #expect(drawn.isEmpty, "after \(key): \(String(String.UnicodeScalarView(drawn)))")
      let layout = stage.state.layout
      #expect([layout.sources, layout.messages, layout.reader].compactMap { $0 }.count <= 1)
    }
  }

  @Test func aMessageIsReadFromTopToBottom() throws {
    var store = ModelStore()
    store.addSource("swift", title: "Swift Blog")
    store.add("People", age: 600) {
      $0.content.html = """
        <p>Hello</p><blockquote>So it was.</blockquote><p>They <code>are</code>:</p>
        <table><tr><th>Name<th>Age<tr><td>Ada<td>36<tr><td>Bob<td>7</table>
        """
    }
    store.addNeighbours()
    var stage = stage(store)
    try stage.press("j", "j", "enter")
    let area = try #require(stage.state.layout.reader)
    let text = area.rows.map { stage.lines[$0].dropFirst(1) }.drop { $0 != "Hello" }.prefix(13)
    #expect(
      Array(text) == [
        "Hello", "", "Quotation:", " So it was.", "", "They are:", "", "Name: Ada", "Age: 36", "",
        "Name: Bob",
        "Age: 7", "",
      ])
  }

  @Test(arguments: Words.languages)
  func everyLanguageHasItsWords(_ language: String) {
    let stage = stage(language: language)
    let words = Words.named(language)
    #expect(
      row(stage, "Maintenance").hasPrefix("\(words(.stateSelected).text), \(words(.stateUnread).text), "))
  }

  @Test func aTitleIsCutBeforeTheTextAfterIt() {
    var store = ModelStore.sample
    store.messages[0].content.title = String(repeating: "long ", count: 5000)
    let line = row(stage(store, columns: 60), "long")
    #expect(line.hasPrefix("unread, long long") && line.hasSuffix(", Swift Blog, 13:50"))
  }
}
