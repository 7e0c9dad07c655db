import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Several commands on one key.
struct CommandSequenceTests {
  /// Five messages of two sources, the third selected; all but the fourth are unread.
  private static func stage(
    _ commands: [String], columns: Int = 80, key: String = "ctrl-o"
  ) throws -> Stage {
    var store = ModelStore()
    store.addSource("team", title: "The team")
    store.addSource("blog", title: "Blog")
    for number in 1...5 {
      store.add(
        "Message \(number)", source: number == 2 ? 2 : 1, age: Double(number) * 10, unread: number != 4
      ) {
        $0.content.url = "https://a.example/\(number)"
      }
    }
    let calls = try commands.map { try CommandCall.parse($0).get() }
    let bound = BoundCommands(key: try #require(KeyPress(parsing: key)), calls: calls)
    let (keymap, problems) = Keymap.with(overrides: [:], sequences: [bound])
    #expect(problems.isEmpty)
    var stage = Stage(
      store, columns: columns, rows: 24, options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
    try stage.press("j", "j")
    #expect(stage.selectedTitle == "Message 3")
    stage.effects = []
    return stage
  }

  private func opened(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .links(.open(let address)) = $0 { address } else { nil } }
  }

  private func joins(_ stage: Stage) -> [ActID: ActID] {
    let pairs = stage.effects.compactMap { effect -> (ActID, ActID)? in
      if case .journal(.join(let id, let first)) = effect { (id, first) } else { nil }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private func ids(_ stage: Stage) -> [ActID] {
    stage.effects.compactMap { if case .journal(.perform(_, let id)) = $0 { id } else { nil } }
  }

  private let third = MessageID(3)

  @Test(arguments: [80, 160])
  func eachIsDoneToTheMessageThatWasSelected(columns: Int) throws {
    var stage = try Self.stage(["open_link", "dismiss", "next_unread"], columns: columns)
    try stage.press("ctrl-o")
    #expect(opened(stage) == ["https://a.example/3"])
    #expect(stage.acts == [.read([third]), .dismiss([third])])
    // The fourth is read.
    #expect(stage.selectedTitle == "Message 5")
    let acts = ids(stage)
    #expect(joins(stage) == [acts[1]: acts[0]])
    // Another press is another step.
    stage.effects = []
    try stage.press("ctrl-o")
    #expect(stage.acts == [.read([MessageID(5)]), .dismiss([MessageID(5)])])
    #expect(joins(stage) == [ids(stage)[1]: ids(stage)[0]] && !ids(stage).contains(acts[0]))
  }

  /// If the keys of these commands are pressed one by one, each of them selects another message.
  @Test func actsDoNotMove() throws {
    var stage = try Self.stage(["dismiss", "toggle_star", "toggle_unread"])
    try stage.press("ctrl-o")
    #expect(stage.acts == [.dismiss([third]), .star([third]), .read([third])])
    #expect(stage.selectedTitle == "Message 4")
    var single = try Self.stage(["dismiss"])
    try single.press("d", "s")
    #expect(single.acts == [.dismiss([third]), .star([MessageID(4)])])
  }

  @Test func afterAMotionTheyAreDoneToWhatIsSelectedThen() throws {
    var stage = try Self.stage(["toggle_star", "down", "toggle_star", "up", "up", "dismiss"])
    try stage.press("ctrl-o")
    #expect(stage.acts == [.star([third]), .star([MessageID(4)]), .dismiss([MessageID(2)])])
  }

  @Test func theNeighbourIsTheNextUnreadOne() throws {
    var stage = try Self.stage(["dismiss", "next_unread"])
    try stage.press("k", "ctrl-o")
    #expect(stage.acts == [.dismiss([MessageID(2)])] && stage.selectedTitle == "Message 3")
    // While reading, the neighbour is opened, and only that.
    var reader = try Self.stage(["dismiss", "next_unread"])
    try reader.press("k", "enter")
    reader.effects = []
    try reader.press("ctrl-o")
    #expect(reader.acts == [.dismiss([MessageID(2)]), .read([third])])
    #expect(reader.state.shown.reader.message?.id == third && reader.state.focus.pane == .reader)
    // The fourth is read already: it is not opened on the way.
    try reader.press("ctrl-o")
    #expect(reader.state.shown.reader.message?.id == MessageID(5))
  }

  @Test func withoutAMotionTheNeighbourIsOpened() throws {
    var reader = try Self.stage(["toggle_star", "dismiss"])
    try reader.press("enter")
    reader.effects = []
    try reader.press("ctrl-o")
    #expect(reader.acts.prefix(2) == [.star([third]), .dismiss([third])])
    #expect(reader.state.shown.reader.message?.id == MessageID(4))
  }

  @Test func keysThatAreTypedAheadWaitForAllOfThem() throws {
    var stage = try Self.stage(["open_link", "dismiss", "next_unread"])
    try stage.press("ctrl-o", "s", "j")
    #expect(stage.acts == [.read([third]), .dismiss([third]), .star([MessageID(5)])])
  }

  /// The message is read first, to know its link. Messages that arrive in the meantime do not change the target.
  @Test func itWaitsForTheMessageAndMeansTheSame() throws {
    var stage = try Self.stage(["open_link", "dismiss"])
    var state = stage.state
    var effects = update(&state, .input(.key(KeyPress("o", .control))))
    #expect(effects.contains(.reader(.load(third))))
    effects += update(&state, .input(.key(KeyPress("s"))))
    #expect(!effects.contains { if case .journal = $0 { true } else { false } })
    stage.store.add("News", age: 1)
    effects += update(
      &state, .inboxChanged(stage.store.snapshot(state.shown.list.query, state.shown.list.window)))
    effects += update(&state, .reader(.loaded(third, stage.store.message(third))))
    let acts = effects.compactMap { effect -> UserAct? in
      if case .journal(.perform(let act, _)) = effect { act } else { nil }
    }
    #expect(acts == [.read([third]), .dismiss([third]), .star([MessageID(4)])])
  }

  @Test func whatIsNotAnsweredEndsIt() throws {
    for ending in [Action.input(.key(KeyPress(.escape))), .keys(.waitEnded(1))] {
      let stage = try Self.stage(["open_link", "dismiss"])
      var state = stage.state
      let effects = update(&state, .input(.key(KeyPress("o", .control))))
      #expect(effects.contains(.keys(.scheduleWaitEnd(1))))
      _ = update(&state, ending)
      let late = update(&state, .reader(.loaded(third, stage.store.message(third))))
      #expect(!late.contains { if case .journal = $0 { true } else { false } })
      #expect(render(state, state.terminal.size).lines().last?.contains("dismiss was not done.") == true)
    }
  }

  @Test func whatCannotBeDoneEndsIt() throws {
    var stage = try Self.stage(["open_link", "dismiss"])
    stage.outside { $0.messages[2].content.url = nil }
    try stage.press("ctrl-o")
    #expect(stage.acts.isEmpty && stage.bottom.contains("This message has no link."), "\(stage.bottom)")
    #expect(stage.selectedTitle == "Message 3")
  }

  @Test func aCommandTakesItsText() throws {
    var stage = try Self.stage(["snooze 3h", "next_unread"])
    try stage.press("ctrl-o")
    #expect(
      stage.effects.contains {
        if case .journal(.snooze(let selection, "3h", _, _)) = $0 { selection.ids == [third] } else { false }
      })
    #expect(stage.selectedTitle == "Message 5" && stage.state.dialog.prompt == nil)
    // Invalid text stays in its prompt, and the later commands are not performed.
    var wrong = try Self.stage(["snooze soon", "toggle_star"])
    try wrong.press("ctrl-o")
    #expect(wrong.state.dialog.prompt?.editor.text == "soon" && wrong.acts.isEmpty)
  }

  @Test func theLastOneMayAsk() throws {
    var stage = try Self.stage(["toggle_star", "snooze"])
    try stage.press("ctrl-o")
    stage.type("2h")
    try stage.press("enter")
    #expect(stage.acts == [.star([third])])
    #expect(
      stage.effects.contains {
        if case .journal(.snooze(let selection, "2h", _, _)) = $0 { selection.ids == [third] } else { false }
      })
  }

  @Test func markedMessagesGetAllOfIt() throws {
    var stage = try Self.stage(["toggle_star", "dismiss"])
    try stage.press("v", "v", "ctrl-o")
    #expect(stage.acts == [.star([third, MessageID(4)]), .dismiss([third, MessageID(4)])])
    #expect(joins(stage).count == 1)
  }

  @Test func aNumberTakesThatManyMessages() throws {
    var stage = try Self.stage(["toggle_star", "dismiss"])
    try stage.press("2", "ctrl-o")
    #expect(stage.acts == [.star([third, MessageID(4)]), .dismiss([third, MessageID(4)])])
  }

  @Test func itsKeyWorksWhereItsFirstCommandDoes() throws {
    var stage = try Self.stage(["dismiss", "next_unread"], key: "D")
    try stage.press("h", "D")
    #expect(!stage.acts.contains { $0.kind == .dismiss })
    #expect(
      stage.effects.contains { if case .sources(.remove) = $0 { true } else { false } }
        || stage.bottom.contains("D removes"))
    try stage.press("l", "D")
    #expect(stage.acts.contains { $0.kind == .dismiss })
  }

  @Test func theHelpShowsItAndRunsIt() throws {
    var stage = try Self.stage(["toggle_star", "dismiss"])
    try stage.press("?", "end", "right")
    #expect(
      stage.lines.contains { $0.contains("ctrl-o") && $0.contains("toggle_star, dismiss") }, "\(stage.screen)"
    )
    try stage.press("down", "enter")
    #expect(stage.acts == [.star([third]), .dismiss([third])] && joins(stage).count == 1)
  }
}
