import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Each list keeps its state.
struct ListStateTests {
  private static let store: ModelStore = {
    var store = ModelStore.sample
    store.addSource("forum", title: "Forum", in: "Dev")
    store.add("A question", source: 4, age: 500)
    store.add("An answer", source: 4, age: 400, unread: false)
    store.lists = [
      SavedListStatus(
        id: SavedListID(7), list: SavedList(name: "News", query: "news"), unread: 0, isUnseen: false)
    ]
    return store
  }()

  private static let scopes: [InboxQuery.Scope] =
    [Folder("Dev")].compactMap { $0 }.map { .folder($0) } + [
      .all, .source(SourceID(1)), .source(SourceID(2)), .list(SavedListID(7)),
      .starred,
    ]

  private func go(to scope: InboxQuery.Scope, _ stage: inout Stage) throws {
    try stage.press("h")
    let index = try #require(stage.state.shown.sources.index(of: scope))
    try stage.press("g")
    for _ in 0..<index { try stage.press("j") }
    try stage.press("enter")
    #expect(stage.state.shown.list.query.scope == scope)
  }

  @Test(arguments: scopes) func eachListHasItsOwn(scope: InboxQuery.Scope) throws {
    var stage = Stage(Self.store, columns: 160, rows: 45)
    let others = Self.scopes.filter { $0 != scope }
    let usual = try others.map { other in
      try go(to: other, &stage)
      return (stage.state.shown.list.query, stage.state.layout.messages, stage.state.layout.rowLines)
    }
    try go(to: scope, &stage)
    let width = try #require(stage.state.layout.messages).size.columns
    try stage.press("O", "f", "g", "r", "3", "-")
    for (other, known) in zip(others, usual) {
      try go(to: other, &stage)
      #expect(stage.state.shown.list.query == known.0)
      #expect(stage.state.layout.messages == known.1 && stage.state.layout.rowLines == known.2)
      #expect(!stage.lines[0].contains("unread only"))
    }
    try go(to: scope, &stage)
    let query = stage.state.shown.list.query
    #expect(query.isUnreadOnly && query.order == .oldest && stage.state.layout.rowLines == 2)
    #expect(stage.lines[0].contains("unread only"))
    #expect(try #require(stage.state.layout.messages).size.columns < width)
    let kept = stage.effects.compactMap { effect -> String? in
      if case .rememberList(scope, let text) = effect { text } else { nil }
    }
    #expect(kept.last?.hasPrefix("order=oldest unread rows=2 list=") == true)
    // At the next start.
    let next = Stage(
      Self.store, columns: 160, rows: 45, scope: scope,
      preferences: Preferences([:], lists: [scope: kept.last ?? ""]))
    #expect(next.state.shown.list.query == query && next.state.layout == stage.state.layout)
    // A state that equals the settings is not stored.
    try stage.press("f", "=", "g", "r")
    while stage.state.shown.list.query.order != .newest { try stage.press("O") }
    #expect(stage.effects.contains(.rememberList(scope, nil)))
  }

  @Test func theWidthOfTheSourcesIsThatOfAllLists() throws {
    var stage = Stage(Self.store, columns: 160, rows: 45)
    try stage.press("h", "5", "+")
    let sources = stage.state.layout.sources
    try go(to: .source(SourceID(2)), &stage)
    #expect(stage.state.layout.sources == sources)
    #expect(
      stage.effects.contains {
        if case .remember("panes", let text?) = $0 { !text.contains("list") } else { false }
      })
  }

  /// Before, there was one share for all lists.
  @Test func theShareOfEarlierVersionsIsThatOfListsWithoutTheirOwn() {
    let list = InboxQuery.Scope.source(SourceID(2))
    let preferences = Preferences(["panes": "list=30"], lists: [list: "list=40"])
    let (all, one) = (
      Stage(Self.store, columns: 200, preferences: preferences),
      Stage(Self.store, columns: 200, scope: list, preferences: preferences)
    )
    #expect(all.state.layout.messages?.size.columns == 60 && one.state.layout.messages?.size.columns == 80)
  }

  @Test func afterASearchOfEverythingTheListIsAsItWas() throws {
    var stage = Stage(Self.store, columns: 160, rows: 45)
    try stage.press("f")
    stage.type("g/news")
    try stage.press("enter")
    #expect(stage.state.shown.list.rows.count == 2)
    try stage.press("esc")
    #expect(stage.state.shown.list.query == InboxQuery(isUnreadOnly: true))
  }

  @Test(arguments: ["order=oldest unread rows=2 list=40", "unread", "order=priority", "rows=1", "list=90"])
  func aStateIsReadAsItIsWritten(text: String) { #expect(ListState(text: text).text == text) }

  @Test(arguments: [
    "", "unread=1", "order=size", "rows=9 list=1", "list=91 rows= =", "order=oldest=x", "zoom=3",
  ])
  func whatIsNotUnderstoodIsAsIfItWereNotThere(text: String) {
    #expect(ListState(text: text).text == nil)
  }
}
