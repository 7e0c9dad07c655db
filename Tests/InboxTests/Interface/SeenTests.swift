import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// The time at which the dot of a source, of the header and of the terminal's title disappears.
struct SeenTests {
  private func marks(_ stage: Stage) -> [InboxQuery.Scope] {
    stage.effects.compactMap { if case .markSeen(let scope) = $0 { scope } else { nil } }
  }

  private func arrive(_ source: Int64, in stage: inout Stage) {
    stage.effects = []
    stage.outside { $0.add("Fresh", source: source, age: -1) }
  }

  private let second = InboxQuery.Scope.source(SourceID(2))

  @Test func openingASourcesListTurnsItsDotOff() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("h")
    arrive(1, in: &stage)
    arrive(2, in: &stage)
    // The list All is on screen, but there was no key since.
    #expect(marks(stage).isEmpty)
    #expect(stage.lines[5].hasPrefix("   Swift Blog") || stage.lines[5].contains("●"))
    try stage.press("j", "j", "j")
    stage.effects = []
    stage.store.sources[1].isUnseen = true
    try stage.press("enter")
    #expect(marks(stage) == [second])
    #expect(!stage.store.sources[1].isUnseen)
  }

  @Test func whileASourcesListIsInSightItsDotEndsOff() {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    #expect(!stage.store.sources[1].isUnseen)
    arrive(2, in: &stage)
    #expect(marks(stage) == [second])
    #expect(stage.screen.contains("Fresh"))
    #expect(stage.frame.title.text == "reddot")
    // Another source's dot stays.
    arrive(1, in: &stage)
    #expect(marks(stage).isEmpty)
    #expect(stage.frame.title.text == "● 6 reddot")
  }

  @Test func withoutTheFocusTheDotStays() {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    stage.send(.input(.focus(false)))
    arrive(2, in: &stage)
    #expect(marks(stage).isEmpty)
    #expect(stage.frame.title.text == "● 5 reddot")
    stage.send(.input(.focus(true)))
    #expect(marks(stage) == [second])
    #expect(stage.effects.contains(.polling(.refresh(nil))))
    #expect(stage.frame.title.text == "reddot")
  }

  @Test func aListThatIsNotOnScreenIsNotLookedAt() throws {
    var stage = Stage(columns: 40, rows: 10, scope: .source(SourceID(2)))
    try stage.press("enter")
    arrive(2, in: &stage)
    #expect(marks(stage).isEmpty)
    try stage.press("h")
    #expect(marks(stage) == [second])
    try stage.press("?")
    arrive(2, in: &stage)
    #expect(marks(stage).isEmpty)
    try stage.press("?", "/")
    #expect(marks(stage) == [second])
  }

  @Test func aSearchDoesNotShowWhatArrives() throws {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    try stage.press("/")
    stage.type("board")
    arrive(2, in: &stage)
    #expect(marks(stage).isEmpty)
  }

  @Test func theListOfAllIsSeenWithTheFirstKey() throws {
    var stage = Stage(columns: 80, rows: 24)
    #expect(stage.frame.title.text == "● 4 reddot")
    #expect(marks(stage).isEmpty)
    try stage.press("j")
    #expect(marks(stage) == [.all])
    #expect(stage.frame.title.text == "reddot")
    arrive(1, in: &stage)
    #expect(stage.frame.title.text == "● 5 reddot")
    stage.send(.input(.mouse(Mouse(kind: .wheelDown, at: Point(column: 40, row: 10)))))
    #expect(marks(stage) == [.all])
  }

  @Test func theListOfAllIsSeenAfterThreeSecondsInSight() {
    var stage = Stage(columns: 80, rows: 24)
    arrive(1, in: &stage)
    let first = stage.effects.compactMap { if case .scheduleLook(let number) = $0 { number } else { nil } }
    #expect(first.count == 1)
    // Another message came meanwhile: it was not visible for three seconds yet.
    arrive(2, in: &stage)
    let second = stage.effects.compactMap { if case .scheduleLook(let number) = $0 { number } else { nil } }
    #expect(second.count == 1 && second != first)
    for number in first { stage.send(.looked(number)) }
    #expect(marks(stage).isEmpty)
    for number in second { stage.send(.looked(number)) }
    #expect(marks(stage) == [.all])
    #expect(stage.frame.title.text == "reddot")
  }

  @Test func whoLooksElsewhereForASecondHasNotSeenTheListOfAll() {
    var stage = Stage(columns: 80, rows: 24)
    arrive(1, in: &stage)
    let looks = stage.effects.compactMap { if case .scheduleLook(let number) = $0 { number } else { nil } }
    stage.send(.input(.focus(false)))
    for number in looks { stage.send(.looked(number)) }
    #expect(marks(stage).isEmpty)
    stage.send(.input(.focus(true)))
    #expect(stage.effects.last { if case .scheduleLook = $0 { true } else { false } } != nil)
  }

  @Test func itIsAskedOnceUntilTheStoreAnswers() {
    var stage = Stage(columns: 80, rows: 24, scope: .source(SourceID(2)))
    stage.store.sources[1].isUnseen = true
    let snapshot = stage.store.snapshot(stage.state.shown.list.query, stage.state.shown.list.window)
    #expect(update(&stage.state, .inboxChanged(snapshot)).contains(.markSeen(second)))
    #expect(update(&stage.state, .input(.resize(Size(columns: 90, rows: 30)))).isEmpty)
  }
}
