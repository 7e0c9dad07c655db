import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Actions on a row with several messages apply to all of them.
struct FoldedRowsTests {
  /// Two separate messages, five builds of one group, two more; a minute apart. The fourth build has failed, and has a
  /// star; the first one was read.
  private static func stage(
    fails: Bool = true, columns: Int = 84, keymap: Keymap = .standard, order: ListOrder = .newest
  ) -> Stage {
    var store = ModelStore()
    for name in ["builds", "other"] { store.addSource(name) }
    store.add("First", source: 2, age: 60)
    store.add("Second", source: 1, age: 120)
    for number in 1...5 {
      let isFailure = fails && number == 4
      store.add(
        isFailure ? "Build 4: exit status 2" : "Build \(number): exit status 0",
        age: 120 + Double(number) * 60,
        unread: number > 1, body: "Text of build \(number)"
      ) {
        $0.content.extras = MessageExtras()
        $0.content.extras?.group = "ci"
        $0.content.url = "https://builds.example/\(number)"
        if isFailure {
          $0.content.priority = Priority(4)
          $0.isStarred = true
        }
      }
    }
    store.add("Eighth", source: 2, age: 600)
    store.add("Ninth", age: 660)
    return Stage(
      store, columns: columns, rows: 24,
      options: InterfaceOptions(
        words: .english, keymap: keymap, zone: Stage.utc, layout: LayoutOptions(order: order)))
  }

  private static func read(_ stage: Stage) -> [Int64] {
    stage.acts.flatMap { act -> [Int64] in
      act.kind == .read ? act.messages.ids.map(\.rawValue) : []
    }
  }

  private static func row(_ stage: Stage) -> String { stage.lines.first { $0.contains("×") } ?? "" }

  // MARK: What it shows

  @Test func itHasTheWorstPriorityAllSymbolsAndTheWordsOfTheFailure() {
    #expect(Self.row(Self.stage()).contains("! ★ ×5 Build 4: exit status 2"))
    // Without a failure, the row has the title of the newest message.
    #expect(Self.row(Self.stage(fails: false)).contains("  ×5 Build 1: exit status 0"))
    let words = Self.stage().state.shown.list.rows[2]
    #expect(words.priority == Priority(4) && words.isUnread && words.isStarred)
  }

  @Test func theSectionsOfAnOrderAreNotMixed() {
    let titles = Self.stage(order: .priority).state.shown.list.rows.map(\.title)
    #expect(
      titles == ["Build 4: exit status 2", "First", "Second", "Build 1: exit status 0", "Eighth", "Ninth"])
  }

  @Test func aSearchUnfoldsWhatItFinds() throws {
    var stage = Self.stage()
    try stage.press("/")
    stage.type("exit")
    try stage.press("enter")
    #expect(stage.state.shown.list.rows.count == 5)
    #expect(stage.lines.contains { $0.contains("! ★ Build 4") })
    try stage.press("j", "j", "j", "s")
    #expect(stage.acts == [.unstar([MessageID(6)])])
    try stage.press("esc")
    #expect(Self.row(stage).contains("×5"))
  }

  // MARK: Opening

  @Test(arguments: [80, 150])
  func openingBeginsWithTheFirstUnreadAndGoesOnThroughThem(columns: Int) throws {
    var stage = Self.stage(columns: columns)
    try stage.press("j", "j")
    // The message next to the list is not opened.
    #expect(Self.read(stage).isEmpty)
    #expect(stage.screen.contains("Text of build 2") == (columns == 150))
    try stage.press("enter")
    #expect(Self.read(stage) == [4] && stage.screen.contains("Text of build 2"))
    for (number, id) in [(3, 5), (4, 6), (5, 7)] as [(Int, Int64)] {
      try stage.press("space")
      #expect(Self.read(stage).last == id && stage.screen.contains("Text of build \(number)"))
    }
    #expect(stage.state.shown.list.selected == 2)
    try stage.press("space")
    #expect(Self.read(stage) == [4, 5, 6, 7, 8])
    #expect(stage.store.messages.filter(\.isUnread).map(\.id.rawValue) == [1, 2, 9])
  }

  @Test func oneComesBackThroughThemFromBelow() throws {
    var stage = Self.stage()
    try stage.press("G", "k", "enter", "N")
    #expect(stage.screen.contains("Text of build 5"))
    try stage.press("N", "n")
    #expect(Self.read(stage) == [8, 7, 6, 9])
  }

  @Test func withoutAnUnreadOneTheFailureIsOpened() throws {
    var stage = Self.stage()
    for index in stage.store.messages.indices { stage.store.messages[index].isUnread = false }
    stage.outside { _ in }
    try stage.press("j", "j", "enter")
    #expect(stage.screen.contains("Text of build 4"))
  }

  @Test func aDoubleClickOpensTheFirstUnreadToo() throws {
    var stage = Self.stage()
    let row = try #require(stage.lines.firstIndex { $0.contains("×5") })
    let column = try #require(stage.state.layout.messages).origin.column + 20
    for kind in [Mouse.Kind.click, .doubleClick] {
      stage.send(.input(.mouse(Mouse(kind: kind, at: Point(column: column, row: row)))))
    }
    #expect(Self.read(stage) == [4])
  }

  // MARK: Acts on all

  @Test func actsTakeAllAndSayHowMany() throws {
    var stage = Self.stage()
    try stage.press("j", "j", "u")
    #expect(stage.bottom.contains("marked 4 messages read"))
    try stage.press("k", "s")
    #expect(stage.bottom.contains("starred 4 messages"))
    try stage.press("s")
    #expect(stage.bottom.contains("5 messages"))
    try stage.press("z", "2", "h", "enter")
    #expect(stage.bottom.contains("Snoozed 5 messages: back "))
    #expect(stage.state.shown.list.rows.map(\.title) == ["First", "Second", "Eighth", "Ninth"])
    try stage.press("U")
    #expect(Self.row(stage).contains("×5"))
    try stage.press("d")
    #expect(stage.bottom.contains("dismissed 5 messages"))
  }

  // MARK: Acts on one

  /// If the reader is not shown next to the list, the command acts on the failure, whose title the row has.
  @Test(arguments: [["o"], ["y"], ["|"], [">"], ["W"], ["F"], ["g", "p"], ["B"]])
  func whatIsDoneToOneIsDoneToTheOneThatTheRowIsCalledBy(keys: [String]) throws {
    let program = BoundProgram(key: KeyPress("B"), template: ProgramTemplate(["play", "{id}"]))
    let keymap = Keymap.with(overrides: [:], programs: [program]).keymap
    var stage = Self.stage(keymap: keymap)
    try stage.press("j", "j")
    let before = stage.effects.count
    for key in keys { stage.send(.input(.key(KeyPress(Character(key))))) }
    #expect(try done(stage.effects[before...], stage.state) == MessageID(6))
    #expect(stage.state.shown.list.rows.count == 5, "nothing is unfolded")
  }

  /// The message that a command was about.
  private func done(_ effects: ArraySlice<Effect>, _ state: AppState) throws -> MessageID? {
    switch state.dialog.prompt?.subject {
    case .pipe(let given, _), .save(let given, _): return given.keys.count == 1 ? given.keys[0].id : nil
    case _: break
    }
    let url = "https://builds.example/4"
    for effect in effects {
      switch effect {
      case .links(.open(url)), .links(.copy(url, _)): return MessageID(6)
      case .articles(.find(let request)): return request.message
      case .rules(.loadOrigin(let id, _)), .links(.goToPane(let id)): return id
      case .programs(.run(let words, _)): return words.last.flatMap(Int64.init).map(MessageID.init)
      case _: break
      }
    }
    return nil
  }

  /// Letters that were typed ahead are the program's name, never commands.
  @Test(arguments: [40, 80, 150]) func whatIsTypedAheadIsTheCommand(columns: Int) throws {
    var stage = Self.stage(columns: columns)
    try stage.press("j", "j")
    stage.type("|dd")
    guard let prompt = stage.state.dialog.prompt, case .pipe = prompt.subject else {
      Issue.record("no prompt in \(stage.screen)")
      return
    }
    #expect(prompt.editor.text == "dd" && stage.acts.isEmpty)
  }

  @Test func whatIsBesideTheListIsTheOne() throws {
    var stage = Self.stage(columns: 150)
    try stage.press("j", "j", "y")
    #expect(
      stage.effects.contains {
        if case .links(.copy("https://builds.example/2", _)) = $0 { true } else { false }
      })
    #expect(Self.row(stage).contains("×5"))
  }

  @Test func inTheReaderKeysMeanTheMessageThere() throws {
    let program = BoundProgram(key: KeyPress("B"), template: ProgramTemplate(["play", "{title}"]))
    var stage = Self.stage(keymap: Keymap.with(overrides: [:], programs: [program]).keymap)
    try stage.press("j", "j", "enter", "space", "B", "s")
    #expect(stage.effects.contains(.programs(.run(["play", "Build 3: exit status 0"], inTerminal: false))))
    #expect(stage.acts.last == .star([MessageID(5)]))
    // The message that follows is opened, not the row that does.
    try stage.press("d")
    #expect(stage.acts.contains(.dismiss([MessageID(5)])) && stage.screen.contains("Text of build 4"))
    try stage.press("u")
    #expect(stage.acts.contains(.unread([MessageID(6)])) && stage.screen.contains("Text of build 5"))
    try stage.press("d")
    #expect(stage.store.messages.filter(\.isDismissed).map(\.id.rawValue) == [5, 7])
  }
}
