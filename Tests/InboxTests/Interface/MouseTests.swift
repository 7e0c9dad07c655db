import Messages
import Screen
import Testing

@testable import Interface

struct MouseTests {
  private func send(_ kind: Mouse.Kind, _ column: Int, _ row: Int, to stage: inout Stage) {
    stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: column, row: row)))))
  }

  @Test func aClickSelectsAndADoubleClickReads() {
    var stage = Stage(columns: 84, rows: 24)
    send(.click, 40, 4, to: &stage)
    #expect(stage.selectedTitle == "Deployment at 15:00")
    #expect(stage.state.focus.pane == .messages)
    #expect(!stage.effects.contains { if case .journal(.perform) = $0 { true } else { false } })
    send(.doubleClick, 40, 4, to: &stage)
    #expect(stage.state.focus.pane == .reader)
    #expect(stage.acts.contains(.read([MessageID(2)])))
  }

  @Test func aClickOnASourceOpensItsList() {
    var stage = Stage(columns: 80, rows: 24)
    send(.click, 5, 6, to: &stage)
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
    #expect(stage.effects.contains(.polling(.refresh([SourceID(2)]))))
  }

  @Test func clicksOutsideEverythingDoNothing() {
    var stage = Stage(columns: 80, rows: 24)
    let selected = stage.selectedTitle
    for (column, row) in [(0, 0), (79, 23), (19, 10), (40, 20), (-5, -5), (500, 500)] {
      send(.click, column, row, to: &stage)
      send(.doubleClick, column, row, to: &stage)
    }
    #expect(stage.selectedTitle == selected)
    #expect(stage.state.focus.pane == .messages)
  }

  @Test func theWheelScrollsWhatIsUnderIt() {
    var stage = Stage(.long(300), columns: 80, rows: 24)
    send(.wheelDown, 40, 10, to: &stage)
    #expect(stage.state.shown.list.top == 3)
    // The selection moves only if it would not be visible.
    #expect(stage.selectedTitle == "Message 3")
    send(.wheelUp, 40, 10, to: &stage)
    send(.wheelUp, 40, 10, to: &stage)
    #expect(stage.state.shown.list.top == 0)
    #expect(stage.selectedTitle == "Message 3")
    for _ in 0..<150 { send(.wheelDown, 40, 10, to: &stage) }
    #expect(stage.screen.contains("Message 299"))
  }

  @Test func theWheelOverTheReaderLeavesTheListAlone() {
    var store = ModelStore.sample
    for index in store.messages.indices {
      store.messages[index].content.body = (0..<90).map { "line \($0)" }.joined(separator: "\n")
    }
    var stage = Stage(store, columns: 150, rows: 40)
    stage.send(.input(.key(KeyPress("j"))))
    let selected = stage.selectedTitle
    send(.wheelDown, 100, 10, to: &stage)
    #expect(stage.state.shown.reader.scroll == 3)
    #expect(stage.selectedTitle == selected)
    #expect(stage.state.focus.pane == .messages)
    send(.click, 100, 10, to: &stage)
    #expect(stage.state.focus.pane == .reader)
    #expect(stage.acts == [.read([MessageID(1)])])
  }

  @Test func aClickChoosesTheFeedThatWasDrawnThere() throws {
    var stage = Stage(columns: 40, rows: 10)
    try stage.press("a")
    stage.type("a.example")
    try stage.press("enter")
    stage.send(
      .sources(
        .addAnswered(
          stage.asked,
          .choices((1...30).map { FeedChoice(title: "Feed \($0)", url: "https://a.example/\($0)") }))))
    for _ in 0..<20 { try stage.press("j") }
    let row = try #require(stage.lines.firstIndex { $0.contains("Feed 17 ") })
    send(.click, 5, row, to: &stage)
    #expect(stage.lines[row].contains("Feed 17 "))
    #expect(stage.lines[row].contains("▌"))
    send(.doubleClick, 5, row, to: &stage)
    #expect(stage.effects.contains(.sources(.add("https://a.example/17", stage.asked))))
  }

  @Test func theSecondClickMeansWhatTheFirstOneWasOn() throws {
    // While the reader is open, the messages have the position that the sources get when the list has the focus.
    var stage = Stage(columns: 100, rows: 24)
    try stage.press("j", "enter")
    let row = try #require(stage.lines.firstIndex { $0.contains("Deployment") })
    send(.click, 5, row, to: &stage)
    send(.doubleClick, 5, row, to: &stage)
    #expect(stage.state.shown.list.query.scope == .all)
    #expect(stage.state.shown.reader.message?.content.title == "Deployment at 15:00")
    // New messages between the two clicks move the rows.
    stage = Stage(columns: 80, rows: 24)
    let place = try #require(stage.lines.firstIndex { $0.contains("Deployment at 15:00") })
    send(.click, 40, place, to: &stage)
    stage.outside { $0.add("News", age: -10) }
    send(.doubleClick, 40, place, to: &stage)
    #expect(stage.state.shown.reader.message?.content.title == "Deployment at 15:00")
  }

  @Test func theWheelGoesThroughTheHelp() {
    var stage = Stage(columns: 80, rows: 24)
    stage.type("?")
    send(.wheelDown, 40, 10, to: &stage)
    #expect(stage.state.dialog.overlay == .help && stage.state.helpPage?.list.selected == 3)
    send(.wheelUp, 40, 10, to: &stage)
    #expect(stage.state.helpPage?.list.selected == 0)
  }
}
