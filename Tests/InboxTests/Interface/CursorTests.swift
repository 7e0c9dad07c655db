import Markup
import Messages
import Screen
import Testing

@testable import Interface

/// The position of the hidden cursor, which screen readers and others follow.
struct CursorTests {
  /// The text of the row at the cursor, from the cursor on.
  private func text(atCursorOf stage: Stage) -> String {
    guard let place = stage.frame.parkedCursor else { return "no cursor" }
    let cells = stage.frame.row(place.row)
    return cells[(cells.startIndex + place.column)...].map(\.text).joined()
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 10), (20, 5)])
  func itIsOnTheSelectedMessage(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    for key in ["j", "j", "k", "G", "g"] {
      try stage.press(key)
      #expect(stage.frame.cursor == nil)
      let title = try #require(stage.selectedTitle)
      #expect(text(atCursorOf: stage).contains(title.prefix(8)))
      #expect(text(atCursorOf: stage).hasPrefix("▌"))
    }
  }

  @Test func itFollowsTheKeysFromPaneToPane() throws {
    var stage = Stage(columns: 120, rows: 40)
    try stage.press("h", "j", "j")
    #expect(text(atCursorOf: stage).hasPrefix("▌") && text(atCursorOf: stage).contains("Swift Blog"))
    try stage.press("l", "enter")
    #expect(stage.state.focus.pane == .reader)
    #expect(text(atCursorOf: stage).hasPrefix(" Swift 6.3 released"))
    try stage.press("?")
    #expect(text(atCursorOf: stage).hasPrefix("▌ space"))
    try stage.press("esc", "p")
    let timeline = try #require(stage.state.layout.timeline)
    #expect(stage.frame.parkedCursor == timeline.origin)
  }

  @Test func aPromptHasTheCursorThatIsSeen() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    stage.type("ne")
    #expect(stage.frame.cursor == Point(column: 11, row: 23))
    try stage.press("esc")
    #expect(stage.frame.cursor == nil && text(atCursorOf: stage).hasPrefix("▌"))
  }

  @Test func whatExplainsAnEmptyListHasIt() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    stage.type("xyzzy")
    try stage.press("enter")
    let place = try #require(stage.frame.parkedCursor)
    #expect(place == stage.state.layout.messages?.origin)
  }

  @Test func itIsOnTheControlOfABanner() throws {
    var stage = Stage(
      columns: 80, rows: 24, options: InterfaceOptions(zone: Stage.utc, animations: false))
    stage.send(.banner(.raised(BannerPlacement(source: "campaigns", rows: 4, origin: .bottom))))
    let html = """
      <p>Hello <a href="https://a.example/1">One</a> and <a href="https://a.example/2">Two</a></p>
      """
    stage.send(.banner(.loaded(ViewPage(html: html, base: "https://a.example/view.html"))))
    #expect(text(atCursorOf: stage).hasPrefix("▌"))
    try stage.press("tab")
    #expect(text(atCursorOf: stage).hasPrefix("One"))
    let one = try #require(stage.frame.parkedCursor)
    try stage.press("j")
    let two = try #require(stage.frame.parkedCursor)
    #expect(one.row == two.row && one.column < two.column)
    #expect(text(atCursorOf: stage).hasPrefix("Two"))
  }

  @Test func onAnySizeItIsOnTheScreen() throws {
    for (columns, rows) in [(0, 0), (1, 1), (1, 3), (3, 4), (7, 2), (500, 3), (3, 200)] {
      var stage = Stage(columns: columns, rows: rows)
      for key in ["j", "enter", "?", "esc", "p", "h", "h"] {
        try stage.press(key)
        if let place = stage.frame.parkedCursor { #expect(stage.frame.bounds.contains(place)) }
      }
    }
  }
}
