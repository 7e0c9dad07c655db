import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Acts on more than one message: marks, numbers, motions.
struct MarksTests {
  private static func dismissed(_ stage: Stage) -> [String] {
    stage.store.messages.filter(\.isDismissed).map(\.content.title)
  }

  private static func unread(_ stage: Stage) -> [String] {
    stage.store.messages.filter(\.isUnread).map(\.content.title)
  }

  private static func titles(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "Message \($0)" } }

  /// So many messages of one source, all unread.
  private static func stage(_ count: Int, columns: Int = 84) -> Stage {
    var store = ModelStore.long(count)
    for index in store.messages.indices { store.messages[index].isUnread = true }
    return Stage(store, columns: columns, rows: 24)
  }

  // MARK: Marking

  @Test func aMarkIsShownAndTakenAwayAgain() throws {
    var stage = Self.stage(10)
    try stage.press("v", "v")
    #expect(stage.selectedTitle == "Message 2")
    let marked = stage.lines.filter { $0.contains("✓") }
    #expect(marked.count == 2 && marked[0].contains("Message 0") && marked[1].contains("Message 1"))
    // A sign, a blank, the time: nothing runs into each other, and all rows have the same columns.
    #expect(marked.allSatisfy { $0.contains("●✓ 1") })
    let starts = stage.lines.compactMap { line in
      line.firstRange(of: "Message ").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(starts).count == 1)
    #expect(stage.lines[0].contains("2 marked"))
    #expect(stage.bottom.contains("d dismiss"))
    try stage.press("k", "v")
    #expect(stage.lines[0].contains("1 marked"))
    try stage.press("esc")
    #expect(!stage.screen.contains("marked") && !stage.screen.contains("✓"))
    #expect(stage.state.focus.pane == .messages)
    try stage.press("esc")
    #expect(stage.state.focus.pane == .sources)
  }

  @Test func aMarkHasASignInASCIIToo() throws {
    var stage = Stage(
      .long(5), columns: 80, rows: 24, options: InterfaceOptions(signs: .ascii, zone: Stage.utc))
    try stage.press("j", "j", "j", "v")
    let row = try #require(stage.lines.first { $0.contains("Message 3") })
    #expect(row.contains("*x") && stage.screen.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func aScreenReaderHearsMarks() throws {
    let signs = Signs.fitting(isASCII: false, areWords: true, words: .english)
    var stage = Stage(
      .long(5), columns: 80, rows: 24, options: InterfaceOptions(signs: signs, zone: Stage.utc))
    try stage.press("j", "j", "j", "v")
    #expect(stage.lines.contains { $0.hasPrefix("marked, unread, Message 3") })
  }

  @Test func whatIsMarkedIsDismissedAsOneStep() throws {
    var stage = Self.stage(10)
    try stage.press("v", "j", "v", "d")
    #expect(Self.dismissed(stage) == Self.titles([0, 2]))
    #expect(stage.bottom.contains("Done: dismissed 2 messages. U undoes it."))
    #expect(!stage.screen.contains("marked"))
    try stage.press("U")
    #expect(Self.dismissed(stage) == [])
    #expect(stage.bottom.contains("Undid: dismissed 2 messages"))
    try stage.press("U")
    #expect(stage.bottom.contains("Nothing to undo."))
  }

  @Test func everyActTakesWhatIsMarked() throws {
    var stage = Self.stage(10)
    try stage.press("v", "v", "u")
    #expect(Self.unread(stage) == Self.titles(2..<10))
    try stage.press("g", "v", "v", "v", "u")
    // One of them was unread: all are read then.
    #expect(Self.unread(stage) == Self.titles(3..<10))
    try stage.press("g", "v", "v", "u")
    #expect(Self.unread(stage) == Self.titles([0, 1] + (3..<10)))
    try stage.press("g", "v", "v", "s")
    #expect(stage.store.messages.filter(\.isStarred).map(\.content.title) == Self.titles(0...1))
    try stage.press("g", "v", "v", "s")
    let stars = stage.store.messages.count { $0.isStarred }
    #expect(stars == 0)
    try stage.press("g", "v", "v", "z", "2", "h", "enter")
    #expect(Self.dismissed(stage) == Self.titles(0...1))
    #expect(stage.bottom.contains("Snoozed 2 messages: back "))
    try stage.press("U")
    #expect(Self.dismissed(stage) == [])
  }

  @Test func theLinksOfWhatIsMarkedAreOpened() throws {
    var stage = Self.stage(30)
    for index in [1, 2] { stage.store.messages[index].content.url = "https://a.example/\(index)" }
    try stage.press("v", "v", "v", "o")
    let opened = stage.effects.compactMap { if case .links(.open(let link)) = $0 { link } else { nil } }
    #expect(opened == ["https://a.example/1", "https://a.example/2"])
    #expect(Self.unread(stage) == Self.titles([0] + (3..<30)))
    #expect(stage.bottom.contains("Opening 2 links"))
    stage.effects = []
    stage.type("*o")
    #expect(stage.effects.isEmpty)
    #expect(stage.bottom.contains("At most 20 links are opened at once."))
  }

  @Test func whatCannotBeDismissedStaysMarkedOrNot() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("v", "g", "d")
    #expect(stage.bottom.contains("This message cannot be dismissed"))
    try stage.press("g", "v", "v", "d")
    #expect(Self.dismissed(stage) == ["Swift 6.3 released"])
    #expect(stage.bottom.contains("Done: dismissed."))
  }

  @Test func inTheReaderMarksOfTheListCountNothing() throws {
    var stage = Self.stage(10)
    try stage.press("v", "v", "enter", "d")
    #expect(Self.dismissed(stage) == Self.titles([2]))
    #expect(stage.state.shown.reader.message?.content.title == "Message 3")
  }

  // MARK: Ranges

  @Test func aRangeGoesFromWhereItBeganToTheSelection() throws {
    var stage = Self.stage(20)
    try stage.press("3", "j", "V", "2", "j")
    #expect(stage.lines[0].contains("3 marked"))
    try stage.press("4", "k")
    #expect(stage.lines[0].contains("3 marked"))
    try stage.press("4", "j", "V", "j", "j")
    #expect(stage.lines[0].contains("3 marked"))
    try stage.press("d")
    #expect(Self.dismissed(stage) == Self.titles(3...5))
  }

  @Test func oneOfARangeCanBeLeftOut() throws {
    var stage = Self.stage(20)
    try stage.press("V", "4", "j", "V", "2", "k", "v", "d")
    #expect(Self.dismissed(stage) == Self.titles([0, 1, 3, 4]))
  }

  @Test func aRangeMayReachFartherThanWhatIsLoaded() throws {
    var stage = Self.stage(3000)
    try stage.press("j", "V", "G")
    #expect(stage.lines[0].contains("+ marked"))
    #expect(stage.state.shown.list.rows.count < 1000)
    try stage.press("u")
    #expect(Self.unread(stage) == ["Message 0"])
    #expect(stage.bottom.contains("Done: marked 2999 messages read."))
    try stage.press("U")
    #expect(Self.unread(stage).count == 3000)
  }

  // MARK: All

  @Test func allOfAListIsMarkedHoweverLongItIs() throws {
    var stage = Self.stage(3000)
    try stage.press("*", "j", "v", "d")
    #expect(Self.dismissed(stage).count == 2999)
    #expect(stage.selectedTitle == "Message 1")
    guard let act = stage.acts.first, act.kind == .dismiss, case let selection = act.messages else {
      Issue.record("\(stage.acts)")
      return
    }
    #expect(selection.parts.count == 1 && selection.ids.count <= MessageList.chunk)
    try stage.press("U")
    #expect(Self.dismissed(stage).isEmpty)
  }

  @Test func whatCameAfterwardsIsNotMeant() throws {
    var stage = Self.stage(1000)
    try stage.press("*")
    stage.outside { $0.add("News", age: -60) }
    try stage.press("d")
    #expect(stage.store.messages.filter { !$0.isDismissed }.map(\.content.title) == ["News"])
  }

  @Test func onlyWhatASearchFindsIsMarked() throws {
    var stage = Self.stage(500)
    stage.type("/Message 49")
    try stage.press("enter", "*", "d")
    #expect(Self.dismissed(stage) == Self.titles([49] + (490..<500)))
    try stage.press("esc")
    #expect(!stage.screen.contains("marked"))
  }

  @Test func allTwiceIsNone() throws {
    var stage = Self.stage(30)
    try stage.press("*")
    #expect(stage.lines[0].contains("30 marked"))
    try stage.press("*")
    #expect(!stage.lines[0].contains("marked"))
  }

  @Test func anotherListHasNoMarks() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("v", "f")
    #expect(!stage.screen.contains("marked"))
    try stage.press("V", "j", "h", "j", "j", "enter")
    #expect(!stage.screen.contains("marked"))
  }

  // MARK: Numbers

  @Test func aNumberTakesThatManyMessages() throws {
    var stage = Self.stage(10)
    try stage.press("j", "3", "d")
    #expect(Self.dismissed(stage) == Self.titles(1...3))
    #expect(stage.selectedTitle == "Message 4")
    try stage.press("2", "u")
    #expect(
      Self.unread(stage).filter { !Self.dismissed(stage).contains($0) } == Self.titles([0, 6, 7, 8, 9]))
    #expect(stage.selectedTitle == "Message 6")
    stage.type("kk99s")
    #expect(stage.store.messages.filter(\.isStarred).map(\.content.title) == Self.titles(4...9))
    try stage.press("g", "4", "v")
    #expect(stage.lines[0].contains("4 marked"))
  }

  @Test func aNumberMayReachFartherThanWhatIsLoaded() throws {
    var stage = Self.stage(3000)
    stage.type("j1000d")
    #expect(Self.dismissed(stage) == Self.titles(1...1000))
    try stage.press("U")
    #expect(Self.dismissed(stage).isEmpty)
  }

  @Test func whileReadingANumberTakesThisMessageAndTheNext() throws {
    var stage = Self.stage(10)
    try stage.press("j", "enter", "2", "d")
    #expect(Self.dismissed(stage) == Self.titles(1...2))
    #expect(stage.state.shown.reader.message?.content.title == "Message 3")
  }

  @Test func beforeALinkANumberIsTheLinks() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("j", "enter", "1", "o")
    #expect(stage.effects.contains(.links(.open("https://www.swift.org/blog"))))
  }

  // MARK: Motions

  @Test func anActAndTheEndTakeAllBelow() throws {
    var stage = Self.stage(3000)
    stage.type("5jdG")
    #expect(Self.dismissed(stage) == Self.titles(5..<3000))
    #expect(stage.selectedTitle == "Message 4")
    #expect(stage.bottom.contains("Done: dismissed 2995 messages."))
    // The effects of both keys are one act.
    try stage.press("U")
    #expect(Self.dismissed(stage).isEmpty)
    try stage.press("U")
    #expect(stage.bottom.contains("Nothing to undo."))
  }

  @Test func anActAndTheStartTwiceTakeAllAbove() throws {
    var stage = Self.stage(10)
    stage.type("5jugg")
    #expect(Self.unread(stage) == Self.titles(6..<10))
    try stage.press("U")
    #expect(Self.unread(stage).count == 10)
  }

  @Test func whatIsDoneBelowIsWhatWasDoneHere() throws {
    var stage = Self.stage(6)
    for index in [1, 3] { stage.store.messages[index].isUnread = false }
    stage.outside { _ in }
    stage.type("juG")
    #expect(Self.unread(stage) == Self.titles(0..<6))
    try stage.press("U")
    #expect(Self.unread(stage) == Self.titles([0, 2, 4, 5]))
  }

  /// After a pause, the two keys are separate.
  @Test func aMotionThatComesLaterOnlyMoves() throws {
    var stage = Self.stage(10)
    try stage.press("d")
    stage.send(.timeChanged(ModelStore.start + 2))
    try stage.press("G")
    #expect(Self.dismissed(stage) == Self.titles([0]))
    #expect(stage.selectedTitle == "Message 9")
    stage.type("kdjG")
    #expect(Self.dismissed(stage) == Self.titles([0, 8]))
    stage.type("dg")
    #expect(Self.dismissed(stage) == Self.titles([0, 8, 9]))
    #expect(stage.selectedTitle == "Message 1")
    stage.send(.timeChanged(ModelStore.start + 9))
    try stage.press("g")
    #expect(Self.dismissed(stage) == Self.titles([0, 8, 9]))
  }

  @Test func inTheReaderTheEndIsTheEndOfTheText() throws {
    var stage = Self.stage(10)
    stage.type("j")
    try stage.press("enter", "d", "G")
    #expect(Self.dismissed(stage) == Self.titles([1]))
  }
}
