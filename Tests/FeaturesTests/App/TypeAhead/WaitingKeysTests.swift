import Foundation
import Messages
import Screen
import Storage
import Testing

@testable import Interface

/// Keys that are typed before the data that they apply to was read.
@Suite struct WaitingKeysTests {
  /// - Parameter unread: if given, no other message is unread.
  private func stage(
    _ count: Int = 1000, columns: Int = 80, rows: Int = 24, unread: Int? = nil
  ) throws -> StoreStage {
    let sample = try SampleStore(count)
    if let unread {
      let keys = try sample.store.lists.keys(InboxQuery(), limit: count)
      try sample.store.acts.perform(.read(keys.map(\.id)), at: SampleStore.start)
      try sample.store.acts.perform(.unread([keys[unread].id]), at: SampleStore.start)
    }
    return try StoreStage(sample, size: Size(columns: columns, rows: rows), options: .typed)
  }

  private func titles(_ stage: StoreStage, _ scope: InboxQuery.Scope) throws -> [String] {
    try stage.store.lists.keys(InboxQuery(scope: scope), limit: 2000).compactMap {
      try stage.store.messages.find($0.id)?.content.title
    }
  }

  @Test func theLastMessageIsDismissedNotTheOneBeforeTheJump() throws {
    let stage = try stage()
    try stage.press("G", "d")
    try stage.finish()
    #expect(try titles(stage, .dismissed) == ["Message 0999"])
  }

  @Test func aMessageThatASearchFindsIsDismissed() throws {
    let stage = try stage()
    try stage.type("/0777")
    try stage.press("enter", "d")
    try stage.finish()
    #expect(try titles(stage, .dismissed) == ["Message 0777"])
  }

  @Test func theNextUnreadMessageIsStarredFarAway() throws {
    let stage = try stage(unread: 600)
    let before = try Set(stage.store.lists.keys(InboxQuery(scope: .starred), limit: 2000))
    try stage.press("n", "s")
    try stage.finish()
    let new = try Set(stage.store.lists.keys(InboxQuery(scope: .starred), limit: 2000)).subtracting(before)
    #expect(try stage.store.lists.keys(InboxQuery(isUnreadOnly: true), limit: 9) == Array(new))
    #expect(new.count == 1)
  }

  @Test func aStepAfterAJumpIsDone() throws {
    let stage = try stage()
    try stage.press("G", "k")
    try stage.finish()
    #expect(stage.state.shown.list.selectedRow?.title == "Message 0998")
  }

  /// The line of the first source has disappeared when the second key is handled.
  @Test func aSecondKeyRemovesTheNextSource() throws {
    let stage = try stage(20)
    let names = try stage.store.sources.statuses().map(\.source.name)
    try stage.press("h", "G", "D", "D")
    try stage.finishAll()
    let removed = try Set(names).subtracting(stage.store.sources.statuses().map(\.source.name))
    #expect(removed.count == 2)
  }

  @Test func nothingHappensAfterQuitting() throws {
    let stage = try stage(20)
    // The list was viewed.
    try stage.press("j", "k")
    try stage.finishAll()
    let before = try StoreContents(stage.store)
    try stage.press("q", "d", "l", "s", "A", "o", "enter", "q")
    try stage.finishAll()
    #expect(try StoreContents(stage.store) == before)
    #expect(stage.quits == 1 && stage.sent.isEmpty)
  }

  @Test func keysBeforeQuittingAreDone() throws {
    let stage = try stage()
    try stage.press("G", "d", "q", "d")
    try stage.finishAll()
    #expect(try titles(stage, .dismissed) == ["Message 0999"])
    #expect(stage.quits == 1)
  }

  @Test(arguments: [(40, 14), (80, 24), (120, 40), (150, 40)])
  func aRangeMarksEachRowThatItGoesOver(columns: Int, rows: Int) throws {
    let stage = try stage(columns: columns, rows: rows)
    for (index, key) in ["V", "j", "j", "j", "j"].enumerated() {
      try stage.press(key)
      #expect(stage.lines.count { $0.contains("✓") } == index + 1)
    }
    try stage.finish()
    #expect(stage.lines.count { $0.contains("✓") } == 5)
  }

  /// As in the demo: a banner that covers the screen, the timeline below the list.
  @Test(arguments: [(80, 24), (120, 40), (150, 40)])
  func aRangeBeginsAfterABannerIsClosedAndTheTimelineHidden(columns: Int, rows: Int) throws {
    var keys = try TypedKeys(size: Size(columns: columns, rows: rows))
    func typed(_ names: String...) -> [TypedStep] {
      names.compactMap(KeyPress.init(parsing:)).map { .input(.key($0)) }
    }
    let steps = typed("p") + [.rest, .banner(rows: nil), .rest] + typed("h", "p", "V", "j", "j", "j")
    for step in steps { #expect(try keys.take(step) == []) }
    #expect(keys.fast.lines.count { $0.contains("✓") } == 4)
    #expect(try keys.take(.rest) == [])
    #expect(keys.fast.lines.count { $0.contains("✓") } == 4)
  }

  @Test func whatIsNotReadInASecondIsGivenUpWithAWord() throws {
    let stage = try stage()
    try stage.press("j", "k")
    try stage.finishAll()
    let before = try StoreContents(stage.store)
    try stage.press("G", "d", "s")
    try stage.happened(.keys(.waitEnded(#require(stage.waits.last))))
    #expect(stage.lines.last?.contains("2 keys were ignored") == true)
    try stage.finish()
    #expect(try StoreContents(stage.store) == before)
    // The selection moved to the last loaded row.
    #expect(stage.state.shown.list.selectedRow?.title == "Message 0199")
  }

  @Test func theEndOfAnEarlierWaitGivesNothingUp() throws {
    let stage = try stage()
    try stage.press("G", "k")
    let first = try #require(stage.waits.last)
    try stage.finish()
    try stage.press("g", "d")
    try stage.happened(.keys(.waitEnded(first)))
    try stage.finish()
    #expect(try titles(stage, .dismissed) == ["Message 0000"])
  }

  @Test func escapeGivesUpWhatWaits() throws {
    let stage = try stage()
    try stage.press("j", "k")
    try stage.finishAll()
    let before = try StoreContents(stage.store)
    try stage.press("G", "d", "esc")
    #expect(stage.lines.last?.contains("1 key was ignored") == true)
    try stage.finish()
    #expect(try StoreContents(stage.store) == before)
    #expect(stage.state.focus.pane == .messages)
  }

  @Test func aMessageThatNobodySawIsNotMarkedRead() throws {
    let sample = try SampleStore(1000)
    let stage = try StoreStage(sample, size: Size(columns: 80, rows: 24), options: .typed)
    try stage.press("G", "A")
    var message = IncomingMessage(remoteID: RemoteID("new"), kind: .feed, title: "New")
    message.published = SampleStore.start + 60
    try stage.changeStore { _ in try sample.record([message], from: sample.ids[0]) }
    try stage.finish()
    let unread = try stage.store.lists.keys(InboxQuery(isUnreadOnly: true), limit: 9)
    #expect(try unread.map { try stage.store.messages.find($0.id)?.content.title } == ["New"])
  }

  /// A word that few messages of the store have is proposed for a rule, not one that most have.
  @Test func aRuleBeginsWithARareWord() throws {
    let sample = try SampleStore(0)
    func message(_ number: Int, _ title: String) -> IncomingMessage {
      var message = IncomingMessage(remoteID: RemoteID("\(number)"), kind: .feed, title: title)
      message.published = SampleStore.start - Double(number) * 60
      return message
    }
    let backups = (1...298).map { message($0, "\($0 % 3 == 0 ? "Nightly" : "Weekly") backup of host \($0)") }
    try sample.record(backups, from: sample.ids[0])
    try sample.record((300...399).map { message($0, "Lunch \($0)") }, from: sample.ids[1])
    try sample.record([message(400, "Weekly backup: grafana done")], from: sample.ids[2])
    try sample.record([message(0, "Weekly backup of grafana and host 7")], from: sample.ids[0])
    let stage = try StoreStage(sample, size: Size(columns: 100, rows: 24), options: .typed)
    try stage.press("W")
    try stage.finish()
    #expect(stage.state.dialog.ruleForm?.condition.text == "source:log title:grafana")
  }
}
