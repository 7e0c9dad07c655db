import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The order of a list, as keys and settings change it.
struct OrderTests {
  private static func stage(
    _ store: ModelStore = .long(3000), order: ListOrder = .newest, columns: Int = 80,
    preferences: Preferences = Preferences()
  ) -> Stage {
    Stage(
      store, columns: columns, rows: 24,
      options: InterfaceOptions(words: .english, zone: Stage.utc, layout: LayoutOptions(order: order)),
      preferences: preferences)
  }

  @Test func theOldestStandFirst() throws {
    var stage = Self.stage()
    try stage.press("O")
    #expect(stage.selectedTitle == "Message 2999")
    #expect(stage.lines[0].contains("oldest first"))
    try stage.press("j", "j")
    #expect(stage.selectedTitle == "Message 2997")
    stage.type("1500j")
    #expect(stage.selectedTitle == "Message 1497")
    try stage.press("G")
    #expect(stage.selectedTitle == "Message 0")
    try stage.press("g")
    #expect(stage.selectedTitle == "Message 2999")
    try stage.press("O")
    #expect(stage.selectedTitle == "Message 0")
    #expect(!stage.lines[0].contains("oldest"))
  }

  @Test func whatStandsAboveTheRestStaysThere() throws {
    var stage = Self.stage(.sample)
    try stage.press("O")
    let titles = stage.state.shown.list.rows.map(\.title)
    #expect(titles.first?.hasPrefix("Maintenance") == true)
    #expect(titles[1] == "Much older news" && titles.last == "Swift 6.3 released")
  }

  @Test func bySourceEachBeginsWithItsNewest() throws {
    var stage = Self.stage(.sample)
    try stage.press("O", "O")
    #expect(stage.lines[0].contains("by source"))
    let titles = stage.state.shown.list.rows.map(\.title)
    #expect(titles.dropFirst().first == "Swift 6.3 released")
    #expect(titles.last == "Tests done")
    let sources = stage.state.shown.list.rows.dropFirst().map(\.source.rawValue)
    #expect(sources == sources.sorted())
    try stage.press("O", "O")
    #expect(!stage.lines[0].contains("by ") && stage.selectedTitle?.hasPrefix("Maintenance") == true)
  }

  @Test func byPriorityTheMostUrgentStandFirst() throws {
    var store = ModelStore.long(40)
    for (index, priority) in [(5, 5), (9, 1), (20, 5), (30, 4)] {
      store.messages[index].content.priority = Priority(priority)
    }
    var stage = Self.stage(store)
    try stage.press("O", "O")
    #expect(stage.lines[0].contains("by priority"))
    let titles = stage.state.shown.list.rows.map(\.title)
    #expect(titles.prefix(4) == ["Message 5", "Message 20", "Message 30", "Message 0"])
    #expect(titles.last == "Message 9")
    stage.type("/Message 1")
    try stage.press("enter")
    #expect(!stage.lines[0].contains("by priority"))
  }

  @Test func aListOfOneSourceHasNoOrderBySource() throws {
    var stage = Self.stage(.sample)
    try stage.press("h", "j", "j", "enter", "O")
    #expect(stage.lines[0].contains("oldest first"))
    try stage.press("O")
    #expect(stage.lines[0].contains("by priority"))
    try stage.press("O")
    #expect(stage.state.shown.list.query.order == .newest)
  }

  @Test func theOrderStaysWithFiltersAndSearchesAndEachListHasItsOwn() throws {
    var stage = Self.stage(.sample)
    try stage.press("O", "f")
    #expect(stage.state.shown.list.query.order == .oldest)
    try stage.press("f", "h", "j", "j", "enter")
    #expect(stage.state.shown.list.query.order == .newest)
    #expect(stage.selectedTitle == "Swift 6.3 released")
    try stage.press("O")
    stage.type("/news")
    try stage.press("enter")
    #expect(stage.selectedTitle == "Much older news")
    #expect(stage.lines[0].contains("oldest first"))
    try stage.press("esc", "h", "j", "enter")
    #expect(stage.state.shown.list.query.order == .newest)
    try stage.press("h", "g", "enter")
    #expect(stage.state.shown.list.query.order == .oldest)
  }

  @Test func theSettingsSayWhatListsBeginWith() {
    var stage = Self.stage(order: .oldest)
    #expect(stage.selectedTitle == "Message 2999")
    var options = stage.state.options
    options.layout.order = .newest
    stage.send(.optionsChanged(options))
    #expect(stage.selectedTitle == "Message 0")
  }

  @Test func theChosenOrderIsRemembered() throws {
    var stage = Self.stage()
    try stage.press("O")
    #expect(stage.effects.contains(.rememberList(.all, "order=oldest")))
    // Back in the order of the settings, there is nothing to remember.
    #expect(!stage.effects.contains(.rememberList(.all, nil)))
    try stage.press("O", "O")
    #expect(stage.effects.contains(.rememberList(.all, nil)))
  }

  /// The settings determine the initial order of lists, and keys the present one.
  @Test func aRememberedOrderIsTheFirstOneAlsoWhenTheSettingsChange() {
    var stage = Self.stage(preferences: Preferences([:], lists: [.all: "order=oldest"]))
    #expect(stage.selectedTitle == "Message 2999")
    var options = stage.state.options
    options.layout.textWidth += 1
    stage.send(.optionsChanged(options))
    #expect(stage.selectedTitle == "Message 2999")
    options.layout.order = .source
    stage.send(.optionsChanged(options))
    #expect(stage.selectedTitle == "Message 2999")
    #expect(!stage.effects.contains(.rememberList(.all, nil)))
    let unknown = Preferences([:], lists: [.all: "order=size"])
    #expect(Self.stage(preferences: unknown).selectedTitle == "Message 0")
  }

  @Test func withTheOldestFirstAnArrivalComesToTheEnd() throws {
    var stage = Self.stage(.long(30), order: .oldest)
    try stage.press("j")
    let before = stage.state.shown.list
    stage.outside { $0.add("News", age: -60) }
    let list = stage.state.shown.list
    #expect(list.rows.dropLast() == before.rows[...] && list.rows.last?.title == "News")
    #expect(list.top == before.top && list.selected == before.selected)
    try stage.press("G")
    #expect(stage.selectedTitle == "News")
  }

  @Test(arguments: [ListOrder.oldest, .source, .priority])
  func actsAndMarksFollowTheOrder(order: ListOrder) throws {
    var stage = Self.stage(.long(1000), order: order)
    let titles = stage.state.shown.list.rows.prefix(8).map(\.title)
    try stage.press("j", "V", "3", "j", "d")
    let gone = stage.store.messages.filter(\.isDismissed).map(\.content.title)
    #expect(Set(gone) == Set(titles[1...4]))
    stage.type("2jdG")
    #expect(stage.store.messages.filter { !$0.isDismissed }.map(\.content.title).count == 3)
    #expect(stage.state.shown.list.rows.map(\.title) == [titles[0], titles[5], titles[6]])
  }
}
