import Foundation
import Messages
import Screen
import Testing

@testable import Interface

struct SearchTests {
  @Test func resultsComeWhileTyping() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    stage.type("news")
    #expect(stage.state.shown.list.rows.map(\.title) == ["Older news", "Much older news"])
    #expect(stage.bottom.hasPrefix(" Search: news"))
    #expect(stage.frame.cursor == Point(column: 13, row: 23))
    try stage.press("down", "enter")
    #expect(stage.state.dialog.prompt == nil)
    #expect(stage.selectedTitle == "Much older news")
    #expect(stage.lines[0].contains("search: news"))
  }

  @Test func escapeInThePromptBringsTheListBack() throws {
    var stage = Stage(.long(600), columns: 80, rows: 24)
    stage.type("300j")
    try stage.press("/")
    stage.type("message 1")
    #expect(stage.selectedTitle == "Message 1")
    try stage.press("esc")
    #expect(stage.state.shown.list.query == InboxQuery())
    #expect(stage.selectedTitle == "Message 300")
  }

  @Test func escapeInTheListLeavesTheSearchWithWhatWasFound() throws {
    var stage = Stage(.long(600), columns: 80, rows: 24)
    try stage.press("/")
    stage.type("message 450")
    try stage.press("enter", "esc")
    #expect(stage.state.shown.list.query.search == nil)
    #expect(stage.selectedTitle == "Message 450")
    #expect(stage.state.focus.pane == .messages)
  }

  @Test func anAnswerToAnEarlierWordIsDropped() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    stage.type("old")
    let old = stage.store.snapshot(stage.state.shown.list.query, stage.state.shown.list.window)
    stage.type("x")
    stage.send(.inboxChanged(old))
    #expect(stage.state.shown.list.rows.isEmpty)
    #expect(stage.screen.contains("Nothing found."))
    #expect(stage.screen.contains("h ends the search."))
  }

  @Test func spacesAloneAreNotASearch() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("/")
    let before = stage.effects.count
    stage.type("   ")
    #expect(stage.effects.count == before)
    try stage.press("enter")
    #expect(stage.state.shown.list.query.search == nil)
  }

  @Test func theSearchStaysInItsSource() throws {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    try stage.press("/")
    stage.type("swift")
    #expect(stage.state.shown.list.query == InboxQuery(scope: .source(SourceID(2)), search: "swift"))
    #expect(stage.state.shown.list.rows.isEmpty)
  }
}
