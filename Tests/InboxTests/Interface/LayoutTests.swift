import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// How the screen is divided, also by keys and settings.
struct LayoutTests {
  private static func panes(_ stage: Stage) -> [Pane] {
    Pane.allCases.filter { stage.state.layout[$0] != nil }
  }

  private static func columns(_ stage: Stage) -> [Int] {
    let layout = stage.state.layout
    return [layout.sources, layout.messages, layout.reader].compactMap { $0?.size.columns }
  }

  private static func stage(
    _ columns: Int, sources: Int? = nil, list: Int? = nil, text: Int = 72,
    preferences: Preferences = Preferences()
  ) -> Stage {
    let layout = LayoutOptions(shares: PaneShares(sources: sources, list: list), textWidth: text)
    return Stage(
      columns: columns, rows: 40, options: InterfaceOptions(words: .english, zone: Stage.utc, layout: layout),
      preferences: preferences)
  }

  /// Returns the stored shares. The share of the list pane is stored for each list, and those of the other panes for all lists
  /// together.
  private static func kept(_ stage: Stage) -> [PaneShares] {
    stage.effects.compactMap {
      switch $0 {
      case .remember("panes", let text): PaneShares(text: text ?? "")
      case .rememberList(.all, let text): PaneShares(list: text.flatMap { ListState(text: $0).share })
      default: nil
      }
    }
  }

  // MARK: By width

  @Test(arguments: [
    (200, [Pane.sources, .messages, .reader]), (140, [.sources, .messages, .reader]),
    (139, [.sources, .messages]), (80, [.sources, .messages]), (70, [.sources, .messages]), (69, [.messages]),
  ])
  func panesComeWithWidth(columns: Int, panes: [Pane]) {
    #expect(Self.panes(Stage(columns: columns, rows: 24)) == panes)
  }

  @Test(arguments: [
    (140, [Pane.sources, .messages, .reader]), (139, [.messages, .reader]), (89, [.reader]),
  ])
  func whileReadingTheReaderIsThere(columns: Int, panes: [Pane]) throws {
    var stage = Stage(columns: columns, rows: 24)
    try stage.press("enter")
    #expect(Self.panes(stage) == panes)
  }

  @Test func aListOfOneSourceDoesNotRepeatIt() {
    let stage = Stage(columns: 200, rows: 12, scope: .source(SourceID(1)))
    let rows = stage.lines.filter { $0.contains("Swift 6.3 released") }
    #expect(!rows.isEmpty && rows.allSatisfy { !$0.contains("Swift Blog  Swift 6.3") })
  }

  // MARK: Zoom

  @Test(arguments: [200, 120, 80])
  func zoomShowsThePaneWithTheKeysAlone(columns: Int) throws {
    var stage = Stage(columns: columns, rows: 24)
    try stage.press("j")
    let before = stage.lines
    try stage.press("Z")
    #expect(Self.panes(stage) == [.messages])
    #expect(stage.state.layout.messages?.size.columns == columns)
    try stage.press("h")
    #expect(Self.panes(stage) == [.sources])
    try stage.press("l", "Z")
    #expect(stage.lines == before)
    try stage.press("Z", "enter")
    #expect(Self.panes(stage) == [.reader])
    try stage.press("p")
    #expect(Self.panes(stage) == [.timeline])
    #expect(!stage.lines.contains { $0.contains("Swift 6.3 released") })
    try stage.press("Z")
    #expect(Self.panes(stage).contains(.timeline) && Self.panes(stage).count > 1)
  }

  // MARK: Shares

  @Test func aPaneIsGivenMoreRoomOrLess() throws {
    var stage = Self.stage(150)
    let usual = Self.columns(stage)
    try stage.press("+")
    var now = Self.columns(stage)
    #expect(now[0] == usual[0] && now[1] > usual[1] && now[2] < usual[2])
    try stage.press("-", "-", "-")
    now = Self.columns(stage)
    #expect(now[1] < usual[1] && now[2] > usual[2])
    try stage.press("h", "5", "+")
    #expect(Self.columns(stage)[0] > usual[0] && Self.columns(stage)[1] == now[1])
    #expect(Self.kept(stage).count == 5)
    try stage.press("=")
    #expect(Self.columns(stage) == usual)
    #expect(Self.kept(stage).last == PaneShares())
  }

  @Test func theReaderGrowsAtTheCostOfTheList() throws {
    for columns in [100, 150] {
      var stage = Self.stage(columns)
      try stage.press("enter")
      let before = Self.columns(stage).suffix(2)
      try stage.press("3", "+")
      let after = Self.columns(stage).suffix(2)
      #expect(after.first ?? 0 < before.first ?? 0 && after.last ?? 0 > before.last ?? 0)
      #expect(after.reduce(0, +) == before.reduce(0, +))
    }
  }

  @Test func besideTheListAloneTheSourcesGiveAndTake() throws {
    var stage = Self.stage(80)
    try stage.press("3", "+")
    #expect(Self.columns(stage) == [18, 61])
    try stage.press("h", "3", "+")
    #expect(Self.columns(stage) == [23, 56])
  }

  @Test func theTimelineGrowsUpwards() throws {
    var stage = Self.stage(80)
    try stage.press("p")
    let before = try #require(stage.state.layout.timeline)
    try stage.press("4", "+")
    let after = try #require(stage.state.layout.timeline)
    #expect(after.size.rows > before.size.rows && after.rows.upperBound == before.rows.upperBound)
    stage.type("99-")
    #expect(stage.state.layout.timeline?.size.rows == 3)
    stage.type("99+")
    #expect(stage.state.layout.messages?.size.rows == 4)
  }

  @Test(arguments: [70, 80, 90, 120, 139, 140, 200, 300])
  func noPaneVanishes(columns: Int) throws {
    for keys in ["", "\r"] {
      for sign in ["+", "-"] {
        for pane in ["", "h"] {
          var stage = Self.stage(columns)
          if keys == "\r" { try stage.press("enter") }
          if pane == "h" { try stage.press("h") }
          stage.type("999" + sign)
          let panes = Self.columns(stage)
          #expect(panes.allSatisfy { $0 >= 12 })
          #expect(panes.reduce(0, +) + panes.count - 1 == columns)
          #expect(panes.count == Self.panes(stage).count)
        }
      }
    }
  }

  @Test func onAnOnlyPaneTheKeysChangeNothing() throws {
    var stage = Self.stage(60)
    try stage.press("+", "-", "=")
    #expect(Self.kept(stage).isEmpty)
    #expect(Self.columns(stage) == [60])
  }

  // MARK: What is remembered, and what the settings say

  @Test func rememberedSharesGoBeforeThoseOfTheSettings() throws {
    #expect(Self.columns(Self.stage(200, sources: 10, list: 40)) == [20, 80, 98])
    // As every version has stored them.
    var stage = Self.stage(200, sources: 10, list: 40, preferences: Preferences(["panes": "list=50"]))
    #expect(Self.columns(stage) == [20, 100, 78])
    try stage.press("=")
    #expect(Self.columns(stage) == [20, 80, 98])
  }

  @Test(arguments: [PaneShares(), PaneShares(sources: 20), PaneShares(sources: 5, list: 90, timeline: 50)])
  func sharesAreReadAsTheyAreWritten(shares: PaneShares) {
    #expect(PaneShares(text: shares.text) == shares)
  }

  @Test(arguments: ["", "sources", "sources=", "sources=0 list=91", "list=x", "=5", "other=20", "list==40"])
  func otherTextsAreNotShares(text: String) {
    #expect(PaneShares(text: text) == PaneShares())
  }

  @Test(arguments: [72, 40, 100])
  func linesAreNotWiderThanInTheSettings(width: Int) throws {
    var store = ModelStore()
    store.addSource("a")
    store.add("Long", age: 1, body: String(repeating: "word ", count: 200))
    var stage = Stage(
      amid: store, columns: 220, rows: 40,
      options: InterfaceOptions(words: .english, zone: Stage.utc, layout: LayoutOptions(textWidth: width)))
    try stage.press("enter", "Z")
    let widest = stage.state.shown.reader.lines.map(\.columns).max() ?? 0
    #expect(widest <= width && widest > width - 5)
  }
}
