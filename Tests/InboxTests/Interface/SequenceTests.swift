import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Keys whose meaning depends on the next key.
struct SequenceTests {
  private static let keymap = Keymap.with(
    overrides: [
      "dismiss": ["d", "gx"], "toggle_star": ["s", "ss"], "remove_source": ["D", "gd"], "snooze": ["cz"],
      "search_all": ["g/"],
    ]
  ).keymap

  /// Ten messages of two sources, the newest first: those of odd numbers are unread.
  private static func stage(_ keymap: Keymap = keymap, columns: Int = 80) -> Stage {
    var store = ModelStore()
    for name in ["one", "two", "three"] { store.addSource(name) }
    for number in 0..<10 {
      store.add(
        "Message \(number)", source: Int64(number % 3 + 1), age: Double(number) * 60, unread: number % 2 == 1)
    }
    return Stage(
      store, columns: columns, rows: 24, options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
  }

  /// Presses keys without the end of the last one's time.
  private static func type(_ names: String..., in stage: inout Stage) throws {
    for name in names { stage.send(.input(.key(try #require(KeyPress(parsing: name))))) }
  }

  private static func panes(_ stage: Stage) -> [MessageID] {
    stage.effects.compactMap { if case .links(.goToPane(let id)) = $0 { id } else { nil } }
  }

  private static func dismissed(_ stage: Stage) -> [String] {
    stage.store.messages.filter(\.isDismissed).map(\.content.title)
  }

  @Test(arguments: [80, 150])
  func twoKeysAreDoneToTheRowThatIsSelected(columns: Int) throws {
    var stage = Self.stage(columns: columns)
    try stage.press("j", "j", "g", "p")
    #expect(Self.panes(stage) == [MessageID(3)])
    #expect(stage.selectedTitle == "Message 2")
    try stage.press("j", "g", "x")
    #expect(Self.dismissed(stage) == ["Message 3"])
    #expect(stage.selectedTitle == "Message 4")
    // Nothing else was done on the way.
    #expect(stage.acts == [.dismiss([MessageID(4)])])
  }

  @Test func theyAreDoneToTheMessageThatIsRead() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "j", "enter", "g", "p", "g", "x")
    #expect(Self.panes(stage) == [MessageID(4)])
    #expect(Self.dismissed(stage) == ["Message 3"])
  }

  @Test func nothingMovesWhileAKeyMayBecomeALongerCommand() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "j")
    let before = stage.lines.dropLast()
    try Self.type("g", in: &stage)
    #expect(stage.lines.dropLast() == before && stage.selectedTitle == "Message 3")
    // The key is in the corner, as a number is.
    #expect(stage.bottom.hasSuffix(" g"))
    stage.endSequence()
    #expect(stage.selectedTitle == "Message 0" && !stage.bottom.hasSuffix(" g"))
  }

  @Test func theShorterCommandIsDoneBeforeWhatFollows() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "j")
    try Self.type("g", "j", in: &stage)
    #expect(stage.selectedTitle == "Message 1")
    // A star for the row of the first key, then a step.
    try Self.type("j", "s", "j", in: &stage)
    #expect(stage.acts == [.star([MessageID(3)])] && stage.selectedTitle == "Message 3")
    // A click applies to the screen at that moment.
    try Self.type("g", in: &stage)
    let row = try #require(stage.lines.firstIndex { $0.contains("Message 4") })
    let column = try #require(stage.state.layout.messages).origin.column + 3
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: column, row: row)))))
    #expect(stage.selectedTitle == "Message 4")
    stage.endSequence()
    #expect(stage.selectedTitle == "Message 4")
  }

  @Test func bothKeysTogetherAreOneCommandOnly() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "s", "s")
    #expect(stage.acts == [.star([MessageID(3)])])
    try stage.press("j", "g", "g")
    #expect(stage.selectedTitle == "Message 0")
  }

  @Test func escapeIsAKeyLikeAnother() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "enter")
    try Self.type("s", "esc", in: &stage)
    #expect(stage.acts == [.star([MessageID(3)])])
    #expect(stage.state.focus.pane == .messages)
  }

  @Test func aNumberIsThatOfTheWholeCommand() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "2", "g", "x")
    #expect(Self.dismissed(stage) == ["Message 2", "Message 3"])
    // The number does not apply to the command after the shorter one.
    try stage.press("U", "3", "s", "u")
    #expect(stage.acts.last == .read([MessageID(6)]) || stage.acts.last == .unread([MessageID(3)]))
  }

  @Test func theSecondKeyMustFollowWithinASecond() throws {
    for (seconds, isOne) in [(0.9, true), (1.1, false)] {
      var stage = Self.stage()
      try stage.press("j", "j", "j")
      try Self.type("g", in: &stage)
      stage.send(.timeChanged(stage.state.now + seconds))
      try Self.type("p", in: &stage)
      #expect(Self.panes(stage) == (isOne ? [MessageID(4)] : []))
      #expect(stage.selectedTitle == (isOne ? "Message 3" : "Message 0"))
      #expect(stage.state.shown.timeline.isOpen != isOne)
    }
  }

  @Test func theTimeOfAnEarlierKeyDoesNotEndALaterOne() throws {
    var stage = Self.stage()
    try stage.press("j", "j")
    try Self.type("g", "p", in: &stage)
    let first = stage.state.input.sequences
    try Self.type("j", "g", in: &stage)
    stage.send(.keys(.sequenceEnded(first)))
    #expect(stage.selectedTitle == "Message 3")
    try Self.type("p", in: &stage)
    #expect(Self.panes(stage) == [MessageID(3), MessageID(4)])
  }

  @Test func aKeyThatIsNoCommandIsOnlyTheFirstOfTwo() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "c")
    #expect(!stage.bottom.contains("does nothing"))
    try stage.press("c", "j")
    #expect(stage.selectedTitle == "Message 3")
    try stage.press("c", "z", "2", "h", "enter")
    #expect(Self.dismissed(stage) == ["Message 3"])
  }

  // MARK: What happens in between

  @Test func messagesThatComeInBetweenDoNotMoveTheCommand() throws {
    var stage = Self.stage()
    try stage.press("j", "j")
    try Self.type("g", in: &stage)
    stage.outside {
      $0.add("New", age: -60)
      $0.messages[1].isDismissed = true
    }
    try Self.type("x", in: &stage)
    #expect(stage.acts == [.dismiss([MessageID(3)])])
  }

  @Test func whatIsGoneInBetweenIsNotReplacedByItsNeighbour() throws {
    var stage = Self.stage()
    try stage.press("j", "j")
    try Self.type("g", in: &stage)
    stage.outside { $0.messages[2].isDismissed = true }
    try Self.type("x", in: &stage)
    #expect(stage.acts.isEmpty && stage.bottom.contains("This message is gone."))
    // A command without a message is performed.
    try Self.type("g", in: &stage)
    stage.outside { $0.messages[3].isDismissed = true }
    try Self.type("/", in: &stage)
    #expect(stage.state.dialog.prompt != nil)
  }

  @Test func theSecondKeyAnswersNoQuestion() throws {
    let keymap = Keymap.with(overrides: ["dismiss": ["gy"]]).keymap
    var stage = Self.stage(keymap)
    try stage.press("j", "j")
    try Self.type("g", in: &stage)
    stage.state.dialog.question = .bannerLink(AskedAddress(address: "https://a.example", isAfterPress: true))
    try Self.type("y", in: &stage)
    #expect(Self.dismissed(stage) == ["Message 2"] && stage.state.dialog.question == nil)
  }

  @Test func keysThatWaitAreOneCommandAtTheirTurn() throws {
    var stage = Stage(
      .long(1000), columns: 80, rows: 24, options: InterfaceOptions(keymap: Self.keymap, zone: Stage.utc))
    var effects: [Effect] = []
    for key in ["G", "g", "x"] { effects += update(&stage.state, .input(.key(KeyPress(Character(key))))) }
    // The keys were typed right after each other, even if the list takes long.
    stage.state.now += 0.9
    stage.carryOut(effects)
    #expect(stage.acts == [.dismiss([MessageID(1000)])])
  }

  // MARK: Other places

  @Test func aLineOfTheSourcesIsMeantToo() throws {
    var stage = Self.stage()
    try stage.press("h", "G", "k", "g", "d")
    #expect(
      stage.effects.contains { if case .sources(.remove(SourceID(2), _, _)) = $0 { true } else { false } })
  }

  @Test func aProgramMayHaveTheFirstKey() throws {
    let program = BoundProgram(key: KeyPress("g"), template: ProgramTemplate(["play", "{title}"]))
    let keymap = Keymap.with(overrides: [:], programs: [program]).keymap
    var stage = Self.stage(keymap)
    func started() -> [[String]] {
      stage.effects.compactMap { if case .programs(.run(let words, _)) = $0 { words } else { nil } }
    }
    try stage.press("j", "j", "g", "p")
    #expect(started().isEmpty && Self.panes(stage) == [MessageID(3)])
    try stage.press("j", "g")
    #expect(started() == [["play", "Message 3"]])
  }

  @Test func bothKeysMayBeLettersOfAnotherScript() throws {
    var stage = Self.stage()
    // These letters are in the positions of g and x. Here, x alone is no command.
    try stage.press("j", "j", "п", "ч")
    #expect(Self.dismissed(stage) == ["Message 2"])
  }

  @Test func anActIsExtendedToTheStart() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "d", "g", "g")
    #expect(Self.dismissed(stage) == ["Message 0", "Message 1", "Message 2"])
    try stage.press("U")
    #expect(Self.dismissed(stage).isEmpty)
  }
}
