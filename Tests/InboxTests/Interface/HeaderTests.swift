import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The header: the place, its content, and the position in it.
struct HeaderTests {
  /// Terminals with 256, 16 and 8 colours, and one without. The terminal's own theme uses only the first 8.
  enum Palette: CaseIterable, Sendable {
    case colours256, colours16, colours8, none

    var options: InterfaceOptions {
      var options = InterfaceOptions(words: .english, zone: Stage.utc)
      options.theme = self == .colours256 ? Theme(.dark) : Theme(.terminal)
      options.colors =
        switch self {
        case .colours256: .indexed
        case .colours16: .sixteen
        case .colours8: .eight
        case .none: .none
        }
      return options
    }

    var red: Color {
      switch self {
      case .colours256: .indexed(203)
      case .colours16, .colours8: .ansi(1)
      case .none: .terminal
      }
    }
  }

  static let sizes = [Size(columns: 160, rows: 45), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  /// Three sources, the first and the last of them in one folder, and a saved list. The second has something new.
  private static let store: ModelStore = {
    var store = ModelStore()
    store.addSource("picks", title: "SQLite Forum Picks", in: "Databases")
    store.addSource("builds", title: "Builds")
    store.addSource("mail", title: "Postgres Mail", in: "Databases")
    for index in 0..<600 {
      store.add(
        "Message \(index)", source: Int64(index % 3) + 1, age: Double(index) * 60, unread: index % 4 == 0,
        body: (0..<60).map { "Line \($0)" }.joined(separator: "\n"))
    }
    store.lists = [
      SavedListStatus(
        id: SavedListID(1), list: SavedList(name: "Sevens", query: "message 7"), unread: 0, isUnseen: false)
    ]
    for index in store.sources.indices {
      store.sources[index].isUnseen = index == 1
      store.sources[index].state.lastAttemptEnd = ModelStore.start - 180
    }
    return store
  }()

  private static func stage(_ palette: Palette, _ size: Size, _ store: ModelStore = store) -> Stage {
    Stage(store, columns: size.columns, rows: size.rows, options: palette.options)
  }

  /// Returns the header, without the free space on its right.
  private func header(_ stage: Stage) -> String { stage.lines[0] }

  private func sides(_ left: String, _ right: String, _ size: Size) -> String {
    left + String(repeating: " ", count: size.columns - 1 - left.count - right.count) + right
  }

  // MARK: Lists

  @Test(arguments: sizes, Palette.allCases)
  func aListSaysWhatItShowsAndWhereOneIs(_ size: Size, _ palette: Palette) throws {
    var stage = Self.stage(palette, size)
    let isNarrow = size.columns < 60
    #expect(
      header(stage) == sides(" ● All  150 unread" + (isNarrow ? "" : " · newest first"), "1 of 600", size))
    try stage.press("j", "j", "O")
    #expect(
      header(stage)
        == sides("   All  150" + (isNarrow ? "" : " unread") + " · oldest first", "1 of 600", size))
    try stage.press("f", "G")
    #expect(
      header(stage)
        == (isNarrow
          ? "   All  unread only · 150 · oldest first"
          : sides("   All  unread only · 150 unread · oldest first", "150 of 150", size)))
    // Only the list All has this state.
    try stage.press("h", "g", "j", "j", "j", "j", "enter")
    let name = stage.state.shown.list.query.scope
    #expect(name == .source(SourceID(1)) && !header(stage).contains("unread only"), "\(header(stage))")
  }

  /// With a list that begins empty, the header shows the reason.
  @Test(arguments: sizes, Palette.allCases)
  func unreadOnlyIsSaidOfAnEmptyList(_ size: Size, _ palette: Palette) throws {
    var store = Self.store
    for index in store.messages.indices { store.messages[index].isUnread = false }
    var stage = Self.stage(palette, size, store)
    try stage.press("f")
    #expect(stage.state.shown.list.rows.isEmpty)
    #expect(header(stage) == "   All  unread only" || header(stage) == " ● All  unread only")
  }

  @Test(arguments: sizes, Palette.allCases)
  func readingHasTheTitleAndThePartAbove(_ size: Size, _ palette: Palette) throws {
    var store = Self.store
    store.messages[0].content.title = "B-trees in production"
    var stage = Self.stage(palette, size, store)
    try stage.press("enter")
    let rows = try #require(stage.state.layout.reader).size.rows
    let lines = stage.state.shown.reader.lines.count
    #expect(lines > rows)
    let name = "SQLite Forum Picks › B-trees in production"
    #expect(header(stage).hasSuffix("  ↓ \(rows * 100 / lines) %"), "\(header(stage))")
    if size.columns > 60 {
      #expect(header(stage).dropFirst(3).hasPrefix(name), "\(header(stage))")
    } else {
      #expect(header(stage).contains("B-trees in "), "\(header(stage))")
    }
    #expect(!stage.bottom.contains("%"))
    let style = try #require(stage.frame.row(0).first { $0.text == "B" }).style
    #expect(style.attributes.contains(.bold))
    try stage.press("G")
    #expect(header(stage).hasSuffix("  end"))
    // Text that fits on the screen has no position.
    store.messages[0].content.body = "Short"
    stage = Self.stage(palette, size, store)
    try stage.press("enter")
    #expect(header(stage).hasSuffix("in production"), "\(header(stage))")
  }

  // MARK: The place in a list

  /// In a list of thousands of messages, the loaded window contains one end of the list, the other end, or none.
  @Test(arguments: [ListOrder.newest, .oldest])
  func thePlaceIsCountedFromTheNearerEnd(order: ListOrder) throws {
    var options = InterfaceOptions(words: .english, zone: Stage.utc)
    options.layout.order = order
    var stage = Stage(.long(4000), columns: 80, rows: 24, options: options)
    #expect(header(stage).hasSuffix(" 1 of 4000"))
    stage.type("36j")
    #expect(header(stage).hasSuffix(" 37 of 4000"))
    stage.type("963j")
    #expect(header(stage).hasSuffix(" 1000 of 4000"))
    stage.type("1000j")
    #expect(stage.state.shown.list.hasMoreBefore && stage.state.shown.list.hasMoreAfter)
    #expect(header(stage).hasSuffix(" 50 %"))
    stage.type("1000k")
    #expect(stage.state.shown.list.hasMoreBefore && stage.state.shown.list.hasMoreAfter)
    #expect(header(stage).hasSuffix(" 25 %"))
    try stage.press("G")
    #expect(header(stage).hasSuffix(" 4000 of 4000"))
    stage.type("9k")
    #expect(header(stage).hasSuffix(" 3991 of 4000"))
    try stage.press("g")
    #expect(header(stage).hasSuffix(" 1 of 4000"))
  }

  @Test func aListWithoutAKeptCountSaysWhatIsKnown() throws {
    var store = ModelStore.long(2000)
    store.lists = [
      SavedListStatus(
        id: SavedListID(1), list: SavedList(name: "Messages", query: "message"), unread: 0, isUnseen: false)
    ]
    var stage = Stage(store, columns: 80, rows: 24, scope: .list(SavedListID(1)))
    stage.type("4j")
    #expect(header(stage).hasSuffix(" 5 of more than 200"))
    stage = Stage(store, columns: 80, rows: 24, scope: .source(SourceID(1)))
    stage.type("4j")
    #expect(header(stage).hasSuffix(" 5 of 2000"))
  }

  @Test func whatIsReadMeanwhileCountsUntilTheListIsLeft() throws {
    var stage = Stage(.long(900), columns: 80, rows: 24)
    try stage.press("f", "j", "enter", "h")
    #expect(header(stage).hasSuffix(" 2 of 300"))
    #expect(header(stage).contains("unread only · 299 unread"))
    try stage.press("G")
    #expect(header(stage).hasSuffix(" 300 of 300"))
  }

  @Test func ofRepeatsThatAreOneRowEachCounts() throws {
    var store = ModelStore.long(300)
    for index in 1..<5 { store.messages[index].content.title = "Same" }
    var options = InterfaceOptions(words: .english, zone: Stage.utc)
    options.layout.foldsRepeats = true
    var stage = Stage(store, columns: 80, rows: 24, options: options)
    try stage.press("j", "j")
    #expect(stage.selectedTitle == "Message 5")
    #expect(header(stage).hasSuffix(" 6 of 300"))
  }

  // MARK: Narrow screens

  /// The least important parts are left out first; the name is left at last.
  @Test func partsAreLeftOutInTheOrderOfTheirImportance() throws {
    var stage = Stage(Self.store, columns: 80, rows: 24, options: Palette.none.options)
    try stage.press("O", "f")
    stage.send(.quiet(.changed(.until(ModelStore.start + 7200))))
    stage.outside {
      $0.sources[0].state.failures = 1
      $0.sources[0].state.lastFailure = .nameNotFound(host: "x")
    }
    func said(_ columns: Int) -> [Bool] {
      stage.resize(columns, 12)
      let header = header(stage)
      return ["1 of 150", "failed", "150", "oldest first", "quiet", "✗", "unread only", "All"].map(
        header.contains)
    }
    var last = said(120)
    #expect(last.allSatisfy { $0 }, "\(header(stage))")
    for columns in (3...119).reversed() {
      let now = said(columns)
      // Parts that were left out do not return, and more important parts stay longer.
      #expect(zip(now, last).allSatisfy { !$0 || $1 }, "\(columns): \(header(stage))")
      let rest = now.enumerated().filter { !$0.element }.map(\.offset)
      #expect(rest.allSatisfy { $0 < rest.count || $0 == 2 }, "\(columns): \(header(stage))")
      #expect(header(stage).count <= columns)
      last = now
    }
    #expect(said(6) == [false, false, false, false, false, false, false, true])
  }

  @Test func aLongNameIsCutBeforeStatesAreLeftOut() {
    var store = ModelStore()
    store.addSource("long", title: String(repeating: "long ", count: 40))
    store.add("Message", age: 60)
    var stage = Stage(store, columns: 80, rows: 24, scope: .source(SourceID(1)))
    stage.send(.quiet(.changed(.always)))
    #expect(header(stage).hasPrefix(" ● long long long") || header(stage).hasPrefix("   long long long"))
    #expect(header(stage).contains("… "), "\(header(stage))")
    #expect(header(stage).contains("quiet"), "\(header(stage))")
  }

  // MARK: The sources' pane

  /// A number is red while something of its source is new; without colours it is bold. Bold are else only the selected
  /// name and the signs.
  @Test(arguments: sizes, Palette.allCases)
  func theNumberOfASourceSaysWhetherItHasNews(_ size: Size, _ palette: Palette) throws {
    var stage = Self.stage(palette, size)
    // If the sources are next to the list, the first key would mark the list as seen.
    if stage.state.layout.sources == nil { try stage.press("h") }
    let area = try #require(stage.state.layout.sources)
    func line(_ title: String) throws -> [Cell] {
      let frame = stage.frame
      let rows = area.rows.map { row in area.columns.map { frame[$0, row] } }
      return try #require(rows.first { $0.map(\.text).joined().contains(title) }, "\(stage.screen)")
    }
    func styles(_ title: String) throws -> (name: Style, number: Style, dot: Bool) {
      let cells = try line(title)
      let name = try #require(cells.dropFirst(3).first { $0.text.first?.isLetter == true })
      let number = try #require(cells.last { $0.text.first?.isNumber == true })
      return (name.style, number.style, cells.contains { $0.text == "●" })
    }
    let (builds, picks, databases, all) = try (
      styles("Builds"), styles("SQLite"), styles("Databases"), styles("All")
    )
    #expect(builds.number.foreground == palette.red && builds.number.attributes.contains(.bold))
    #expect(!builds.name.attributes.contains(.bold) && !builds.dot)
    for other in [picks, databases] {
      #expect(
        !other.number.attributes.contains(.bold) && !other.name.attributes.contains(.bold) && !other.dot)
      #expect(palette == .none || other.number.foreground != palette.red)
      #expect(palette == .colours256 || other.number.attributes.contains(.dim))
    }
    // The list of all and folders combine others, which may be invisible.
    #expect(all.dot && all.name.attributes.contains(.bold))
    stage.outside { $0.sources[2].isUnseen = true }
    let folder = try styles("Databases")
    #expect(folder.dot && folder.number.foreground == palette.red)
  }

  @Test func newsWithoutANumberHaveADotInItsPlace() throws {
    var store = Self.store
    for index in store.messages.indices where store.messages[index].source == SourceID(2) {
      store.messages[index].isUnread = false
    }
    store.sources[1].state.failures = 2
    store.sources[1].state.lastFailure = .gone
    let stage = Self.stage(.colours16, Self.sizes[1], store)
    #expect(stage.lines.contains { $0.contains("Builds") && $0.contains("✗ ● │") }, "\(stage.screen)")
  }
}
