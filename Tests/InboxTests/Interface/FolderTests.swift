import Foundation
import Messages
import Screen
import Testing
import Words

@testable import Interface

/// Folders in the sources' pane, and finding a source among many.
struct FolderTests {
  private static let store: ModelStore = {
    var store = ModelStore()
    store.addSource("lwn", title: "LWN", in: "News")
    store.addSource("swift", title: "Swift Blog", in: "Dev/Swift")
    store.addSource("forums", title: "Forums", in: "Dev/Swift")
    store.addSource("git", title: "Git", in: "Dev")
    store.addSource("alone", title: "Älone")
    store.add("kernel", source: 1, age: 100)
    store.add("release", source: 2, age: 200)
    store.add("question", source: 3, age: 300)
    store.add("answer", source: 3, age: 400)
    store.add("commit", source: 4, age: 500, unread: false)
    store.add("single", source: 5, age: 600)
    return store
  }()

  private func stage(preferences: Preferences = Preferences()) -> Stage {
    Stage(Self.store, columns: 150, rows: 20, preferences: preferences)
  }

  /// The pane's lines without the rest of the screen.
  private func pane(_ stage: Stage) -> [String] {
    stage.lines.dropFirst().compactMap { line in
      let text = line.prefix { $0 != "│" }.trimmingCharacters(in: CharacterSet(charactersIn: " ▌●─━┬"))
      return text.isEmpty
        ? nil : text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }.dropLast()
  }

  @Test func foldersNestAndShowTheSumOfTheirUnread() {
    #expect(
      pane(stage()) == [
        "All 5", "Starred", "▾ News 1", "LWN 1", "▾ Dev 3", "▾ Swift 3", "Swift Blog 1", "Forums 2", "Git",
        "Älone 1",
      ])
  }

  @Test func aClosedFolderKeepsItsSumAndIsRemembered() throws {
    var stage = stage()
    // On Forums, whose folder closes.
    try stage.press("h", "j", "j", "j", "j", "j", "j", "j", "x")
    #expect(
      pane(stage) == ["All 5", "Starred", "▾ News 1", "LWN 1", "▾ Dev 3", "▸ Swift 3", "Git", "Älone 1"])
    #expect(stage.effects.contains(.remember("closed_folders", "Dev/Swift")))
    // Back closes the folder around it.
    try stage.press("h", "h")
    #expect(pane(stage) == ["All 5", "Starred", "▾ News 1", "LWN 1", "▸ Dev 3", "Älone 1"])
    #expect(stage.effects.contains(.remember("closed_folders", "Dev\nDev/Swift")))
    try stage.press("x")
    #expect(stage.effects.contains(.remember("closed_folders", "Dev/Swift")))
    #expect(pane(self.stage(preferences: Preferences(["closed_folders": "News\nDev"]))).count == 5)
  }

  @Test func aFolderIsAListAndTakesTheCommandsOfASource() throws {
    var stage = stage()
    try stage.press("h", "j", "j", "j", "j", "enter")
    #expect(stage.state.shown.list.rows.map(\.title) == ["release", "question", "answer", "commit"])
    #expect(stage.lines[0].contains("Dev"))
    #expect(stage.effects.contains(.polling(.refresh([SourceID(2), SourceID(3), SourceID(4)]))))
    try stage.press("r")
    #expect(stage.effects.contains(.polling(.refreshNow([SourceID(2), SourceID(3), SourceID(4)]))))
    try stage.press("A")
    let folder = try #require(Folder("Dev"))
    #expect(
      stage.acts == [.readAll(InboxQuery(scope: .folder(folder)), newest: stage.state.shown.list.newestDrawn)]
    )
    #expect(pane(stage).contains("▾ Dev"))
    try stage.press("U")
    #expect(pane(stage).contains("▾ Dev 3"))
    // Marked read from the pane as well.
    try stage.press("h", "A")
    #expect(pane(stage).contains("▾ Dev"))
  }

  @Test func typingFiltersTheSources() throws {
    var stage = stage(preferences: Preferences(["closed_folders": "Dev"]))
    try stage.press("h", "/")
    stage.type("fo")
    #expect(pane(stage) == ["▾ Dev 3", "▾ Swift 3", "Forums 2"])
    try stage.press("backspace", "backspace")
    stage.type("alo")
    #expect(pane(stage) == ["Älone 1"])
    try stage.press("enter")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(5)))
    try stage.press("h", "/")
    stage.type("forums")
    try stage.press("enter")
    // It is visible now.
    #expect(pane(stage).contains("▾ Dev 3") && stage.effects.contains(.remember("closed_folders", nil)))
    try stage.press("h", "/")
    stage.type("nothing")
    #expect(pane(stage).joined(separator: " ") == "No source, folder or list is called that.")
    try stage.press("esc")
    #expect(pane(stage).first == "All 5")
  }

  @Test func enterTakesTheFirstSourceThatAFilterLeaves() throws {
    var stage = stage()
    try stage.press("h", "/")
    stage.type("git")
    try stage.press("enter")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(4)))
  }

  @Test func sourcesAreSortedByFileByNameAndByUnread() throws {
    var stage = stage()
    try stage.press("h", "O")
    #expect(
      pane(stage) == [
        "All 5", "Starred", "Älone 1", "▾ Dev 3", "Git", "▾ Swift 3", "Forums 2", "Swift Blog 1", "▾ News 1",
        "LWN 1",
      ])
    try stage.press("O")
    #expect(
      pane(stage) == [
        "All 5", "Starred", "▾ Dev 3", "▾ Swift 3", "Forums 2", "Swift Blog 1", "Git", "▾ News 1", "LWN 1",
        "Älone 1",
      ])
    #expect(stage.effects.contains(.remember("source_order", "unread")))
    try stage.press("O")
    #expect(stage.effects.contains(.remember("source_order", nil)))
    #expect(pane(stage)[2] == "▾ News 1")
  }

  @Test func sourcesWithoutUnreadMessagesCanBeHidden() throws {
    var stage = stage()
    try stage.press("h", "H")
    #expect(!pane(stage).contains("Git"))
    #expect(stage.effects.contains(.remember("hides_read", "true")))
    // One that is read while its list is shown stays until it is left.
    try stage.press("j", "j", "j", "enter", "A")
    #expect(pane(stage).contains("LWN"))
    try stage.press("J")
    #expect(!pane(stage).contains("LWN") && !pane(stage).contains { $0.hasSuffix("News") })
  }

  @Test func theNextSourceWithUnreadMessagesIsOneKeyAway() throws {
    var stage = stage()
    func scope() -> InboxQuery.Scope { stage.state.shown.list.query.scope }
    try stage.press("J")
    #expect(scope() == .source(SourceID(1)))
    try stage.press("J", "J", "J")
    #expect(scope() == .source(SourceID(5)))
    try stage.press("J")
    #expect(scope() == .source(SourceID(1)))
    try stage.press("K")
    #expect(scope() == .source(SourceID(5)))
  }

  @Test func readingOnGoesIntoTheNextSourceWithUnreadMessages() throws {
    var stage = stage()
    try stage.press("J", "enter")
    #expect(stage.state.shown.reader.message?.content.title == "kernel")
    try stage.press("space")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
    #expect(stage.state.shown.reader.message?.content.title == "release")
    try stage.press("n")
    #expect(stage.state.shown.reader.message?.content.title == "question")
    try stage.press("n", "n", "n")
    #expect(stage.bottom.contains("Everything is read."))
  }

  @Test func whatWasDismissedHasAListAndComesBack() throws {
    var stage = stage()
    #expect(!pane(stage).contains("Dismissed"))
    try stage.press("j", "3", "d")
    #expect(pane(stage).last == "Dismissed")
    try stage.press("h", "G", "enter")
    #expect(stage.lines[0].contains("Dismissed"))
    #expect(stage.state.shown.list.rows.map(\.title) == ["release", "question", "answer"])
    try stage.press("j", "d")
    #expect(stage.acts.last == .undismiss([MessageID(3)]) && stage.bottom.contains("Brought back."))
    try stage.press("d", "d")
    #expect(stage.screen.contains("This list is empty."))
    try stage.press("h", "g", "enter")
    #expect(
      stage.state.shown.list.rows.contains { $0.title == "question" } && !pane(stage).contains("Dismissed"))
  }

  @Test func theNextFailedSourceSaysWhyAndWhere() throws {
    var stage = stage()
    try stage.press("!")
    #expect(stage.bottom.contains("No source has failed."))
    stage.outside { store in
      store.sources[1].state.lastFailure = .nameNotFound(host: "swift.example")
      store.sources[3].state.lastFailure = .status(503, reason: "")
      store.sources[3].source.address = "https://me:secret@git.example/feed"
    }
    try stage.press("!")
    #expect(stage.screen.contains("https://swift.example/feed"))
    #expect(stage.screen.contains("No server named swift.example was found."))
    #expect(stage.screen.contains("No poll has succeeded yet."))
    try stage.press("!")
    #expect(stage.screen.contains("https://git.example/feed") && !stage.screen.contains("secret"))
    try stage.press("esc")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(4)))
    #expect(stage.state.dialog.overlay == nil)
  }

  /// A stage with the page about its second source.
  private func failed(_ reason: String, columns: Int = 80, rows: Int = 24) throws -> Stage {
    var stage = stage()
    stage.resize(columns, rows)
    stage.outside { $0.sources[1].state.lastFailure = .program(reason: reason) }
    try stage.press("!")
    return stage
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func theReasonOfAFailureIsThereInFull(columns: Int, rows: Int) throws {
    let reason = String(repeating: "many words ", count: 60) + "and the end"
    var stage = try failed(reason, columns: columns, rows: rows)
    for _ in 0..<40 where !stage.screen.contains("and the end") { try stage.press("j") }
    #expect(stage.screen.contains("and the end"))
    try stage.press("G", "g")
    #expect(stage.screen.contains("The program many words"))
  }

  @Test func aSourceThatFailedIsChangedFromThePageAboutIt() throws {
    let stage = try failed("no")
    for hint in ["e edit", "r refresh", "E settings", "D remove", "! failed"] {
      #expect(stage.bottom.contains(hint), "\(stage.bottom)")
    }
    let id = stage.store.sources[1].source.id
    for (key, effect) in [
      ("e", Effect.forms(.load(.source(id), RequestID(1)))), ("r", .polling(.refreshNow([id]))),
      ("E", .sources(.editSettings(id))),
      ("D", .sources(.remove(id, title: stage.state.title(ofSource: id), ActID(1)))),
    ] {
      var stage = stage
      try stage.press(key)
      #expect(stage.effects.contains(effect), "\(key)")
      #expect((stage.state.dialog.overlay == nil) == (key == "D"))
    }
    // The same keys do nothing on other pages.
    var help = stage
    try help.press("esc", "M", "D", "e")
    #expect(!help.effects.contains { if case .sources(.remove) = $0 { true } else { false } })
    #expect(!help.effects.contains { if case .forms(.load) = $0 { true } else { false } })
    // The form takes the page's place.
    var edited = stage
    try edited.press("e")
    edited.send(.forms(.loaded(edited.asked, SourceFields(.source(id), entries: []))))
    #expect(edited.state.dialog.form != nil && edited.state.dialog.overlay == nil)
  }

  // MARK: Changing a source

  @Test func theSourceIsEditedInASmallForm() throws {
    var stage = stage()
    try stage.press("h", "j", "j", "j", "e")
    #expect(stage.effects.contains(.forms(.load(.source(SourceID(1)), stage.asked))))
    stage.send(
      .forms(
        .loaded(
          stage.asked,
          SourceFields(
            .source(SourceID(1)),
            entries: [
              .init(field: .name, stored: "lwn", usual: ""), .init(field: .folder, stored: "News", usual: ""),
              .init(field: .interval, stored: "", usual: "10m"),
            ]))))
    #expect(stage.screen.contains("LWN") && stage.screen.contains("Interval  10m"))
    // Typed characters go into the form and run no command.
    try stage.press("tab", "ctrl-u")
    stage.type("Dev/q")
    try stage.press("down")
    stage.type("never")
    try stage.press("enter")
    var saved = try #require(stage.state.dialog.form)
    #expect(saved.changes.map(\.field) == [.folder, .interval])
    #expect(saved.changes.map(\.text) == ["Dev/q", "never"])
    #expect(
      stage.effects.contains { if case .forms(.save(let form, _)) = $0 { form == saved } else { false } })
    stage.send(.forms(.answered(stage.asked, reason: "interval: must be a time")))
    #expect(stage.screen.contains("✗ interval: must be a time"))
    try stage.press("backspace")
    saved = try #require(stage.state.dialog.form)
    #expect(saved.changes.last?.text == "neve")
    try stage.press("esc")
    #expect(stage.state.dialog.form == nil && stage.screen.contains("kernel"))
  }

  @Test func aFormFitsOnTheSmallestScreen() throws {
    for (columns, rows) in [(20, 5), (10, 3), (4, 2), (40, 10)] {
      var stage = Stage(Self.store, columns: columns, rows: rows)
      let entries = SourceFields.Field.allCases.map {
        SourceFields.Entry(field: $0, stored: "text of it", usual: "")
      }
      stage.open(SourceFields(.source(SourceID(1)), entries: entries))
      for _ in 0..<7 { try stage.press("tab", "x") }
      #expect(stage.lines.count == rows)
    }
  }

  @Test func eachRemovedSourceComesBackByItsOwnUndo() throws {
    var stage = stage()
    let before = pane(stage)
    try stage.press("h", "j", "j", "j", "D")
    #expect(
      stage.effects.contains { if case .sources(.remove(SourceID(1), _, _)) = $0 { true } else { false } })
    #expect(stage.bottom.contains("Removed LWN. U brings it back."))
    #expect(!pane(stage).contains { $0.contains("LWN") })
    try stage.press("/")
    stage.type("git")
    try stage.press("enter", "h", "D")
    #expect(stage.bottom.contains("Removed Git. U brings it back."))
    // A mark in between is a separate step.
    try stage.press("tab", "s", "h", "/")
    stage.type("forums")
    try stage.press("enter", "h", "D")
    #expect(stage.bottom.contains("Removed Forums. U brings it back."))
    var said: [String] = []
    for _ in 0..<5 {
      try stage.press("U")
      said.append(stage.bottom.trimmingCharacters(in: .whitespaces))
    }
    let wanted = ["removed Forums", "starred", "removed Git", "removed LWN"].map { "Undid: \($0)" }
    #expect(
      zip(said, wanted).allSatisfy { $0.contains($1) } && said[4].contains("Nothing to undo."), "\(said)")
    #expect(
      Set(pane(stage).map { $0.filter { !$0.isNumber } }) == Set(before.map { $0.filter { !$0.isNumber } }))
  }

  @Test func aRemovalNamesTheMachinesThatKeepTheSource() throws {
    var stage = stage()
    try stage.press("h", "j", "j", "j", "j", "D")
    stage.send(.sources(.removedHere(title: "Forums", keptOn: ["laptop", "the\u{1b}[2J server"])))
    let wanted = "Removed Forums, but the settings of laptop, the\u{FFFD}[2J server keep it there. U"
    #expect(stage.bottom.contains(wanted), "\(stage.bottom)")
  }

  /// This also applies if its own list is shown, which disappears with it.
  @Test(arguments: [false, true])
  func theLineThatFollowsIsSelectedAndThenTheOneThatComesBack(isShown: Bool) throws {
    var stage = stage()
    try stage.press("h")
    let lines = stage.state.shown.sources.tree.lines.map(\.scope)
    let place = try #require(lines.firstIndex(of: .source(SourceID(2))))
    for _ in 0..<place { try stage.press("j") }
    if isShown { try stage.press("enter", "h") }
    try stage.press("D")
    #expect(stage.state.focus.pane == .sources && stage.state.shown.sources.scope == lines[place + 1])
    try stage.press("U")
    #expect(stage.state.shown.sources.scope == .source(SourceID(2)))
    // Remove two sources one after the other, and star a message in between.
    try stage.press("D", "D")
    try stage.press("tab", "s", "h")
    for _ in 0..<3 { try stage.press("k") }
    try stage.press("U", "U")
    #expect(stage.state.shown.sources.scope == lines[place + 1])
    try stage.press("U")
    #expect(stage.state.shown.sources.scope == .source(SourceID(2)))
  }

  @Test func aSourceThatCannotBeRemovedStaysInThePane() throws {
    var stage = stage()
    let before = pane(stage)
    stage.refusal = "the disk is full"
    try stage.press("h", "j", "j", "j", "D")
    #expect(stage.bottom.contains("Nothing was changed: the disk is full."))
    #expect(pane(stage) == before)
    // The failure could be read by then.
    stage.send(.timeChanged(stage.state.now + 3))
    try stage.press("U")
    #expect(stage.bottom.contains("Nothing to undo."))
  }

  @Test func removingSaysWhereItWorksWhereItDoesNot() throws {
    var stage = stage()
    let said = "D removes a source or a saved list in the sources' pane."
    try stage.press("D")
    #expect(stage.bottom.contains(said), "in the messages")
    try stage.press("enter", "D")
    #expect(stage.bottom.contains(said), "in the reader")
    try stage.press("h", "h", "g", "D")
    #expect(stage.bottom.contains(said), "on All")
    try stage.press("j", "j", "D")
    #expect(stage.bottom.contains(said), "on a folder")
    #expect(!stage.effects.contains { if case .sources(.remove) = $0 { true } else { false } })
  }

  @Test func theListOfASourceThatIsGoneGivesWayToAll() throws {
    var stage = stage()
    try stage.press("J")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(1)))
    stage.outside { $0.sources.removeFirst() }
    #expect(stage.state.shown.list.query.scope == .all && !stage.screen.contains("News"))
  }

  @Test func sourcesArePausedAndMovedWithinTheirFolder() throws {
    var stage = stage()
    func changes() -> [SourceChange] {
      stage.effects.compactMap {
        if case .sources(.change(SourceID(3), let change, _)) = $0 { change } else { nil }
      }
    }
    try stage.press("h", "/")
    stage.type("forums")
    try stage.press("enter", "h", "P", "<", ">")
    #expect(changes() == [.pause, .swap(with: SourceID(2))])
    stage.outside { $0.sources[2].source.settings.isPaused = true }
    #expect(pane(stage).contains("Forums ‖ 2"))
    #expect(stage.lines[0].contains("paused"))
    try stage.press("P", "O", "<")
    #expect(changes().last == .resume)
    #expect(stage.bottom.contains("The sources are sorted by name or by unread; O changes the order."))
  }

  @Test(arguments: [
    ("en", "certificates not verified"), ("zh-Hans", "未验证证书"), ("zh-Hant", "未驗證憑證"), ("hi", "प्रमाणपत्र की जाँच नहीं"),
  ])
  func aSourceThatIsNotVerifiedIsMarked(language: String, words: String) throws {
    var store = Self.store
    store.sources[2].source.settings.verifiesCertificates = false
    var stage = Stage(
      store, columns: 120, rows: 30,
      options: InterfaceOptions(words: .named(language), signs: .unicode, zone: Stage.utc, animations: false))
    #expect(!stage.lines[0].contains(words))
    try stage.press("h", "/")
    stage.type("forums")
    try stage.press("enter")
    #expect(pane(stage).contains("Forums ! 2"))
    #expect(stage.lines[0].contains(words))
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 10), (20, 5), (10, 3), (3, 2)])
  func nothingOfItBreaksASmallScreen(columns: Int, rows: Int) throws {
    var stage = Stage(Self.store, columns: columns, rows: rows)
    stage.outside { $0.sources[1].state.lastFailure = .nameNotFound(host: "swift.example") }
    try stage.press("h", "j", "j", "j", "x", "O", "H", "/", "g", "enter", "h", "!", "esc", "J", "K")
    #expect(stage.lines.count == rows)
  }
}
