import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Saved lists among the sources, and saving a search as one.
struct SavedListTests {
  private static let store: ModelStore = {
    var store = ModelStore()
    store.addSource("news", title: "News")
    store.addSource("builds", title: "Builds")
    store.add("Build 1 failed", source: 2, age: 60)
    store.add("Build 2 passed", source: 2, age: 120, unread: false)
    store.add("Kernel 7 is out", source: 1, age: 180)
    store.add("The build of a house", source: 1, age: 240)
    func list(_ id: Int64, _ name: String, _ query: String?, mistaken: String? = nil, unread: Int? = 0) {
      store.lists.append(
        SavedListStatus(
          id: SavedListID(id), list: SavedList(name: name, query: query, mistaken: mistaken), unread: unread))
    }
    list(1, "Building", "build")
    list(2, "Broken", nil, mistaken: "a (b", unread: nil)
    list(3, "Slow", "kernel", unread: nil)
    list(4, "Nothing", "nobody")
    return store
  }()

  private func row(_ title: String, _ stage: Stage) -> String {
    stage.lines.first { $0.contains(title) }.map { String($0.prefix(26)) } ?? ""
  }

  @Test func listsStandBelowTheStarredOnesWithTheirCounts() throws {
    var store = Self.store
    store.lists[0].isUnseen = true
    let stage = Stage(store)
    let names = stage.lines.map { $0.prefix(22).trimmingCharacters(in: .whitespaces) }
    let start = try #require(names.firstIndex { $0.hasPrefix("Starred") })
    #expect(names[start + 2].hasPrefix("Building") && row("Building", stage).contains(" 2"))
    let line = try #require(stage.lines.firstIndex { $0.contains("Building") })
    let number = try #require(stage.frame.row(line).prefix(28).last { $0.text == "2" })
    #expect(number.style.foreground == .ansi(1))
    #expect(row("Broken", stage).contains("✗"))
    #expect(row("Slow", stage).contains("…"))
    #expect(!row("Nothing", stage).contains("0"))
    #expect(names[start + 7].contains("News"))
  }

  @Test func enteringOneShowsItsMessages() throws {
    var store = Self.store
    store.lists[0].isUnseen = true
    var stage = Stage(store)
    try stage.press("h", "j", "j", "enter")
    #expect(stage.state.shown.list.query.scope == .list(SavedListID(1)))
    #expect(stage.effects.contains(.markSeen(.list(SavedListID(1)))))
    #expect(stage.lines[0].contains("Building  2 unread"))
    #expect(
      stage.state.shown.list.rows.map(\.title) == [
        "Build 1 failed", "Build 2 passed", "The build of a house",
      ])
    // All of this list is marked read, and nothing else.
    try stage.press("A")
    #expect(stage.store.messages.filter(\.isUnread).map(\.content.title) == ["Kernel 7 is out"])
    try stage.press("U", "f")
    #expect(stage.state.shown.list.rows.map(\.title) == ["Build 1 failed", "The build of a house"])
    try stage.press("/")
    stage.type("house")
    try stage.press("enter")
    #expect(stage.state.shown.list.rows.map(\.title) == ["The build of a house"])
  }

  @Test func oneWithAMistakeSaysWhatItIs() throws {
    var stage = Stage(Self.store)
    try stage.press("!")
    #expect(stage.state.shown.list.query.scope == .list(SavedListID(2)))
    #expect(stage.screen.contains("The query of this list is invalid:"))
    #expect(stage.screen.contains("a (b") && stage.screen.contains("the parenthesis is not closed"))
    #expect(stage.screen.contains("e edits it, E opens the settings file."))
    try stage.press("h", "j", "j", "enter")
    #expect(stage.screen.contains("nobody"), "an empty list says what it asks for")
  }

  @Test func theNextOneWithUnreadMessagesMayBeAList() throws {
    var stage = Stage(Self.store)
    try stage.press("J")
    #expect(stage.state.shown.list.query.scope == .list(SavedListID(1)))
    try stage.press("J")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(1)))
    try stage.press("K", "K")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
  }

  @Test func listsWithoutUnreadMessagesAreHiddenWithTheReadSources() throws {
    var stage = Stage(Self.store)
    try stage.press("h", "H")
    #expect(stage.screen.contains("Building") && stage.screen.contains("Broken"))
    #expect(!stage.screen.contains("Nothing"))
    try stage.press("H", "/")
    stage.type("noth")
    try stage.press("enter")
    #expect(stage.state.shown.list.query.scope == .list(SavedListID(4)))
  }

  @Test func whatIsReadStaysInAListOfUnreadMessagesUntilThatIsLeft() throws {
    var store = Self.store
    store.lists = [
      SavedListStatus(
        id: SavedListID(1), list: SavedList(name: "New ones", query: "is:unread build"), unread: 0)
    ]
    var stage = Stage(store)
    try stage.press("J", "enter", "h")
    #expect(stage.state.shown.list.rows.map(\.title) == ["Build 1 failed", "The build of a house"])
    #expect(stage.selectedTitle == "Build 1 failed" && stage.lines[0].contains("New ones  1 unread"))
    try stage.press("space", "n", "h")
    #expect(stage.state.shown.list.rows.map(\.isUnread) == [false, false])
    try stage.press("h", "g", "enter", "J")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(1)))
  }

  @Test func whatArrivesInTheListOnTheScreenIsSeen() throws {
    var stage = Stage(Self.store)
    try stage.press("J")
    stage.outside {
      $0.add("Build 3 failed", source: 2, age: 0)
      $0.add("Kernel 8 is out", source: 1, age: 0)
    }
    #expect(stage.state.shows(MessageID(5), of: SourceID(2)))
    #expect(!stage.state.shows(MessageID(6), of: SourceID(1)))
    try stage.press("/")
    #expect(stage.state.shows(MessageID(5), of: SourceID(2)))
    stage.type("x")
    #expect(!stage.state.shows(MessageID(5), of: SourceID(2)))
  }

  @Test func aListThatIsGoneIsLeft() throws {
    var stage = Stage(Self.store)
    try stage.press("J")
    stage.outside { $0.lists.removeFirst() }
    #expect(stage.state.shown.list.query.scope == .all)
  }

  @Test func theListOfScreenReadersSaysTheSame() throws {
    var options = InterfaceOptions(zone: Stage.utc)
    options.signs = .fitting(isASCII: false, areWords: true, words: options.words)
    var stage = Stage(Self.store, options: options)
    try stage.press("h")
    #expect(stage.screen.contains("Building, 2 unread") && stage.screen.contains("Broken, failed"))
  }

  // MARK: - Changing them

  @Test func aListIsEditedRemovedAndBroughtBack() throws {
    var stage = Stage(Self.store)
    try stage.press("J", "E", "e")
    #expect(stage.effects.contains(.savedLists(.editSettings(SavedListID(1)))))
    #expect(stage.effects.contains(.forms(.load(.list(SavedListID(1)), stage.asked))))
    stage.send(
      .forms(
        .loaded(
          stage.asked,
          SourceFields(
            .list(SavedListID(1)),
            entries: [
              .init(field: .name, stored: "Building", usual: ""),
              .init(field: .query, stored: "build", usual: ""),
            ]))))
    #expect(stage.screen.contains("Query  build"))
    try stage.press("tab")
    stage.type(" (")
    try stage.press("enter")
    stage.send(.forms(.answered(stage.asked, reason: "not a query")))
    #expect(stage.screen.contains("✗ not a query"))
    try stage.press("esc", "h", "D")
    #expect(stage.bottom.contains("Removed Building. U brings it back."))
    #expect(!stage.screen.contains("● Building") && stage.state.shown.list.query.scope == .all)
    try stage.press("U")
    #expect(stage.bottom.contains("Undid: removed Building") && stage.store.lists.count == 4)
  }

  @Test func listsAreMovedAmongThemselves() throws {
    var stage = Stage(Self.store)
    try stage.press("h", "j", "j", ">", "<", "j", "<")
    let swaps = stage.effects.compactMap { effect -> [Int64]? in
      if case .savedLists(.swap(let one, let other, _)) = effect {
        [one.rawValue, other.rawValue]
      } else {
        nil
      }
    }
    #expect(swaps == [[1, 2], [2, 1]])
  }

  // MARK: - Saving a search

  private func saved(_ stage: Stage) -> [String] {
    stage.effects.compactMap {
      if case .savedLists(.save(let name, let query, _)) = $0 { "\(name): \(query)" } else { nil }
    }
  }

  @Test func aSearchIsSavedUnderAName() throws {
    var stage = Stage(Self.store)
    try stage.press("S")
    #expect(stage.bottom.contains("Search for something first (/)."))
    stage.send(.timeChanged(ModelStore.start + 1))
    try stage.press("/")
    stage.type("kernel")
    try stage.press("enter")
    #expect(stage.bottom.contains("S save search"))
    try stage.press("S")
    #expect(stage.bottom.contains("Name of the list:") && stage.bottom.contains("kernel"))
    stage.type("Linux")
    try stage.press("enter")
    #expect(saved(stage) == ["Linux: kernel"])
    stage.send(.savedLists(.saved(stage.asked, name: "Linux", reason: "there is one already")))
    #expect(stage.bottom.contains("✗ there is one already"))
    stage.type("2")
    try stage.press("enter")
    stage.send(.savedLists(.saved(stage.asked, name: "Linux2", reason: nil)))
    #expect(stage.bottom.contains("Saved as Linux2."))
    stage.outside {
      $0.lists.append(
        SavedListStatus(id: SavedListID(9), list: SavedList(name: "Linux2", query: "kernel"), unread: 0))
    }
    #expect(stage.state.shown.list.query == InboxQuery(scope: .list(SavedListID(9))))
  }

  @Test(arguments: [
    (["J", "J"], "source:news kernel"), (["J"], "build kernel"), ([], "kernel"),
    (["h", "j", "enter"], "is:starred kernel"),
  ])
  func whatIsSavedMeansTheSameAmongAllMessages(keys: [String], query: String) throws {
    var stage = Stage(Self.store)
    for key in keys { try stage.press(key) }
    try stage.press("/")
    stage.type("kernel")
    try stage.press("enter", "S", "x", "enter")
    #expect(saved(stage) == ["x: \(query)"])
  }

  @Test func aNameCanBeLeftOut() throws {
    var stage = Stage(Self.store)
    try stage.press("/")
    stage.type("kernel")
    try stage.press("enter", "S", "enter")
    #expect(stage.state.dialog.prompt == nil && saved(stage).isEmpty)
    try stage.press("S", "a", "esc")
    #expect(stage.state.dialog.prompt == nil && stage.state.shown.list.query.search == "kernel ")
  }
}
