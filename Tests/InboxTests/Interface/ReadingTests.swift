import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Opening, paging, going to the next message.
struct ReadingTests {
  private func perform(_ stage: Stage) -> [UserAct] {
    stage.effects.compactMap { if case .journal(.perform(let act, _)) = $0 { act } else { nil } }
  }

  @Test func openingReads() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter")
    #expect(stage.state.focus.pane == .reader)
    #expect(perform(stage) == [.read([MessageID(1)])])
    #expect(stage.lines.contains { $0.contains("It is here.") })
    // Only once: reading it again, or getting it again, changes nothing.
    stage.effects = []
    stage.outside { $0.addSource("other") }
    try stage.press("h", "enter")
    #expect(perform(stage).isEmpty)
  }

  @Test func aPreviewDoesNotRead() throws {
    var stage = Stage(columns: 150, rows: 40)
    try stage.press("j")
    #expect(stage.effects.contains(.reader(.load(MessageID(1)))))
    #expect(stage.screen.contains("It is here."))
    #expect(perform(stage).isEmpty)
    try stage.press("l")
    #expect(perform(stage) == [.read([MessageID(1)])])
    #expect(!stage.effects.contains(.quit))
  }

  @Test func aPreviewThatComesTooLateIsDropped() throws {
    var stage = Stage(columns: 150, rows: 40)
    try stage.press("j", "j")
    stage.send(.reader(.loaded(MessageID(1), stage.store.message(MessageID(1)))))
    #expect(stage.screen.contains("The board will be away"))
  }

  @Test func backLeavesOnePaneAtATime() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("enter", "h")
    #expect(stage.state.focus.pane == .messages)
    try stage.press("esc")
    #expect(stage.state.focus.pane == .sources)
    try stage.press("esc", "h")
    #expect(stage.state.focus.pane == .sources)
    try stage.press("j", "j", "l")
    #expect(stage.state.focus.pane == .messages)
    #expect(stage.state.shown.list.query.scope == .source(SourceID(1)))
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 10)])
  func tabGoesRound(columns: Int, rows: Int) throws {
    var stage = Stage(columns: columns, rows: rows)
    var visited: [Pane] = []
    for _ in 0..<4 {
      try stage.press("tab")
      visited.append(stage.state.focus.pane)
    }
    #expect(visited == [.reader, .sources, .messages, .reader])
    try stage.press("p", "backtab", "tab", "tab")
    #expect(stage.state.focus.pane == .sources)
  }

  @Test func fromTheTimelineTabReturnsToWhatWasRead() throws {
    var store = ModelStore.sample
    store.messages[0].content.html = "<a href='reddot:message/3'>another</a>"
    var stage = Stage(store, columns: 150, rows: 40)
    // A reddot: link opens a message that isn't the selected one.
    try stage.press("j", "enter", "1", "o", "p")
    #expect(stage.state.focus.pane == .timeline)
    try stage.press("backtab")
    #expect(stage.state.focus.pane == .reader)
    #expect(stage.state.shown.reader.message?.content.title == "Tests done")
  }

  @Test func spaceReadsEverything() throws {
    var store = ModelStore()
    store.addSource("a")
    let long = (0..<60).map { "line \($0)" }.joined(separator: "\n")
    for index in 0..<4 { store.add("Message \(index)", age: Double(index), unread: index != 1, body: long) }
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("space")
    #expect(
      stage.state.focus.pane == .reader && stage.state.shown.reader.message?.content.title == "Message 0")
    // 63 lines, 21 of them visible.
    try stage.press("space", "space", "space")
    #expect(stage.lines.contains { $0.contains("line 59") })
    try stage.press("space")
    #expect(stage.state.shown.reader.message?.content.title == "Message 2")
    #expect(stage.state.shown.reader.scroll == 0)
    for _ in 0..<8 { try stage.press("space") }
    #expect(stage.state.shown.reader.message?.content.title == "Message 3")
    #expect(stage.bottom.contains("Everything is read."))
    #expect(perform(stage) == [.read([MessageID(1)]), .read([MessageID(3)]), .read([MessageID(4)])])
  }

  @Test func enterPagesOnAndStaysAtTheEnd() throws {
    var store = ModelStore()
    store.addSource("a")
    let long = (0..<60).map { "line \($0)" }.joined(separator: "\n")
    for index in 0..<3 { store.add("Message \(index)", age: Double(index), body: long) }
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("j", "enter", "enter")
    #expect(stage.lines.contains { $0.contains("line 20") })
    #expect(!stage.lines.contains { $0.contains("line 5 ") })
    try stage.press("enter", "enter")
    #expect(stage.lines.contains { $0.contains("line 59") })
    let atEnd = stage.lines
    stage.effects = []
    try stage.press("enter", "enter")
    #expect(stage.lines == atEnd)
    #expect(stage.effects.isEmpty)
    #expect(stage.state.shown.reader.message?.content.title == "Message 1")
  }

  @Test func theNextUnreadMessageIsFoundBeyondTheWindow() throws {
    var store = ModelStore.long(2000)
    for index in store.messages.indices { store.messages[index].isUnread = index == 1700 || index == 100 }
    var stage = Stage(store, columns: 80, rows: 24)
    try stage.press("n")
    #expect(stage.selectedTitle == "Message 100")
    #expect(stage.state.focus.pane == .messages)
    try stage.press("n")
    #expect(stage.selectedTitle == "Message 1700")
    #expect(perform(stage).isEmpty)
    try stage.press("n")
    #expect(stage.bottom.contains("Nothing unread below."))
    try stage.press("enter", "N")
    #expect(stage.state.shown.reader.message?.content.title == "Message 100")
    #expect(stage.state.focus.pane == .reader)
    #expect(perform(stage).count == 2)
    try stage.press("N")
    #expect(stage.bottom.contains("Everything is read."))
  }

  @Test func aMessageThatIsGoneSaysSo() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j")
    stage.store.messages.removeAll { $0.id == MessageID(1) }
    try stage.press("enter")
    #expect(stage.state.focus.pane == .messages)
    #expect(stage.bottom.contains("This message is gone."))
  }

  @Test func aChangedMessageChangesUnderTheReadersEyes() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter")
    stage.outside { $0.messages[0].content.body = "Corrected." }
    #expect(stage.screen.contains("Corrected."))
    #expect(stage.state.focus.pane == .reader)
  }

  @Test func detailsShowWhatElseTheSourceSent() throws {
    var stage = Stage(columns: 80, rows: 24)
    stage.store.messages[0].content.extras = MessageExtras()
    stage.store.messages[0].content.extras?.unknownKeys = "{\"mood\":\"\u{1B}[31mgood\"}"
    try stage.press("j", "enter", "i", "G")
    #expect(stage.screen.contains("Also sent"))
    #expect(stage.screen.contains("{\"mood\":\"\u{FFFD}[31mgood\"}"))
    try stage.press("i")
    #expect(!stage.screen.contains("Also sent"))
  }

  @Test func theTextIsLaidOutOnceForAWidth() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter")
    let lines = stage.state.shown.reader.lines
    stage.resize(40, 10)
    #expect(stage.state.shown.reader.lines != lines)
    #expect(stage.state.shown.reader.lines.allSatisfy { $0.columns <= 38 })
    stage.resize(200, 50)
    #expect(stage.state.shown.reader.lines.allSatisfy { $0.columns <= LayoutOptions.standardTextWidth })
  }
}
