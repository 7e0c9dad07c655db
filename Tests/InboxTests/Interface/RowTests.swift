import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The content of a list's row at every width: its origin, its time, and whether it is new.
struct RowTests {
  private static func store() -> ModelStore {
    var store = ModelStore()
    store.addSource("blog", title: "The Swift Blog")
    store.addSource("hub", title: "GitHub", kind: .github)
    store.addSource("talk", title: "Deployments", kind: .ntfy)
    store.add("From a feed", source: 1, age: 60)
    for (source, title, channel) in [(2, "A thread", "octo-org/tail-of-tools"), (3, "A push", "ci-runs")] {
      store.add(title, source: Int64(source), age: 86400 + 600) {
        $0.content.channel = channel
        $0.content = Self.service($0.content)
      }
    }
    return store
  }

  private static func service(_ content: IncomingMessage) -> IncomingMessage {
    var new = IncomingMessage(remoteID: content.remoteID, kind: .service, title: content.title)
    new.published = content.published
    new.channel = content.channel
    return new
  }

  private static func stage(
    _ store: ModelStore = store(), columns: Int, rows: Int = 24, layout: LayoutOptions = LayoutOptions(),
    areWords: Bool = false
  ) -> Stage {
    Stage(
      store, columns: columns, rows: rows,
      options: InterfaceOptions(
        words: .english, signs: .fitting(isASCII: false, areWords: areWords, words: .english),
        zone: Stage.utc, layout: layout))
  }

  /// All lines of a message's row as one.
  private func row(_ stage: Stage, _ title: String) -> String {
    guard let index = stage.lines.firstIndex(where: { $0.contains(title) }) else { return "no row" }
    return stage.lines[index...].prefix(stage.state.layout.rowLines).joined(separator: " / ")
  }

  @Test(
    arguments: Array(stride(from: 24, through: 240, by: 5)) + [69, 70, 80, 120, 140, 160],
    [RowLines.auto, .one, .two])
  func everyRowSaysWhereItIsFromAtEveryWidth(columns: Int, lines: RowLines) {
    var layout = LayoutOptions()
    layout.rowLines = lines
    let stage = Self.stage(columns: columns, layout: layout)
    #expect(row(stage, "From a feed").contains("The S"), "\(stage.screen)")
    #expect(row(stage, "A thread").contains("tail-o"), "\(stage.screen)")
    // The source has only one topic, so the row shows the user's name for it.
    #expect(row(stage, "A push").contains("Deploy"), "\(stage.screen)")
  }

  @Test(arguments: [160, 120, 100])
  func alsoBesideAnOpenMessage(columns: Int) throws {
    var stage = Self.stage(columns: columns)
    try stage.press("enter")
    #expect(row(stage, "A thread").contains("tail-o"), "\(stage.screen)")
    #expect(row(stage, "A thread").contains("Thu"), "\(stage.screen)")
  }

  @Test func aTopicIsSaidWhereASourceHasSeveral() {
    var store = Self.store()
    store.sources[2].source.settings.address = "https://ntfy.example/ci-runs,backups"
    #expect(row(Self.stage(store, columns: 120), "A push").contains("ci-runs"))
  }

  @Test func aNarrowListUsesTheShortNameOfTheSettings() {
    var layout = LayoutOptions()
    layout.shortNames = ["blog": "swift"]
    // A second line has room for the title.
    #expect(row(Self.stage(columns: 40, layout: layout), "From a feed").contains("The Swift Blog"))
    layout.rowLines = .one
    #expect(row(Self.stage(columns: 40, layout: layout), "From a feed").contains(" swift "))
    #expect(row(Self.stage(columns: 160, layout: layout), "From a feed").contains("The Swift Blog"))
  }

  @Test func yesterdaysRowsHaveATime() {
    #expect(row(Self.stage(columns: 80), "A thread").contains("Thu 13:50"))
  }

  @Test func aDateOfTheNextYearDoesNotRunIntoTheTitle() {
    var store = Self.store()
    store.add("Of a wrong clock", age: -400 * 86400)
    #expect(row(Self.stage(store, columns: 120), "Of a wrong clock").contains("25 Dec 27  "))
  }

  /// Fewer than 60 columns are next to the sources, next to the reader, or a narrow terminal.
  @Test(arguments: [(59, false), (60, true), (69, true), (70, false), (82, false), (83, true), (139, true)])
  func aNarrowListHasTwoLinesAMessage(columns: Int, isOne: Bool) throws {
    var stage = Self.stage(columns: columns)
    #expect(stage.state.layout.rowLines == (isOne ? 1 : 2))
    #expect((stage.state.layout.messages?.size.columns ?? 0 >= 60) == isOne)
    try stage.press("enter")
    // The reader is alone, or next to a narrow list.
    #expect(stage.state.layout.rowLines == (columns >= 90 ? 2 : 1))
    for (lines, count) in [(RowLines.one, 1), (.two, 2)] {
      var layout = LayoutOptions()
      layout.rowLines = lines
      #expect(Self.stage(columns: columns, layout: layout).state.layout.rowLines == count)
    }
  }

  @Test func aNarrowTitleHasTheWholeLine() {
    var store = Self.store()
    store.add("Small things that made bicycles faster", source: 1, age: 30)
    #expect(
      Self.stage(store, columns: 40, rows: 10).lines.contains("▌● Small things that made bicycles fas…"))
  }

  @Test func aLongOriginLeavesRoomForTheTime() {
    var store = Self.store()
    store.sources[0].title = String(repeating: "Long name ", count: 9)
    #expect(row(Self.stage(store, columns: 40), "From a feed").hasSuffix("… · 13:59"))
  }

  @Test func fewRowsHaveOneLine() {
    #expect(Self.stage(columns: 40, rows: 6).state.layout.rowLines == 2)
    #expect(Self.stage(columns: 40, rows: 5).state.layout.rowLines == 1)
  }

  @Test func twoLinesSayWhereAndWhenInTheSecond() {
    var layout = LayoutOptions()
    layout.rowLines = .two
    for columns in [120, 80, 40] {
      let lines = Self.stage(columns: columns, layout: layout).lines
      let index = lines.firstIndex { $0.contains("A thread") }
      #expect(index.map { lines[$0 + 1].contains("octo-org/tail-of-tools · Thu 13:50") } == true)
    }
  }

  @Test func keysAndMouseKnowRowsOfTwoLines() throws {
    var layout = LayoutOptions()
    layout.rowLines = .two
    var store = ModelStore()
    store.addSource("blog")
    for number in 0..<30 { store.add("Number \(number).", age: Double(number)) }
    var stage = Self.stage(store, columns: 80, rows: 12, layout: layout)
    try stage.press("j", "j", "j", "j", "j", "j")
    #expect(stage.state.shown.list.selected == 6)
    #expect(stage.screen.contains("Number 6."))
    let first = try #require(stage.lines.firstIndex { $0.contains("Number 5.") })
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 40, row: first + 1)))))
    #expect(stage.state.shown.list.selected == 5)
  }

  @Test func aScreenReaderHasTheSecondLineToo() {
    var layout = LayoutOptions()
    layout.rowLines = .two
    let lines = Self.stage(columns: 60, layout: layout, areWords: true).lines
    let index = lines.firstIndex { $0.contains("A thread") }
    #expect(index.map { lines[$0] == "unread, A thread" } == true, "\(lines)")
    #expect(index.map { lines[$0 + 1] == "GitHub, octo-org/tail-of-tools, Thu 13:50" } == true, "\(lines)")
  }

  // MARK: New, unread, read

  private func look(_ stage: Stage, _ title: String) -> Style.Attributes {
    guard let line = stage.lines.firstIndex(where: { $0.contains(title) }) else { return [] }
    let text = stage.lines[line]
    guard let place = text.firstRange(of: title) else { return [] }
    return Array(stage.frame.row(line))[text.distance(from: text.startIndex, to: place.lowerBound)].style
      .attributes
  }

  @Test func whatCameSinceTheLastLookStandsOut() throws {
    var store = ModelStore()
    store.addSource("blog")
    store.add("Was read", age: 300, unread: false)
    store.add("Known", age: 200)
    let id = store.add("Came since", age: 100)
    store.unseen = [id]
    var stage = Self.stage(store, columns: 80)
    try stage.press("G")
    #expect(look(stage, "Came since") == .bold)
    #expect(look(stage, "Known") == [])
    try stage.press("k")
    #expect(look(stage, "Was read") == .dim)
    // The list is seen now, but the user is still looking at it.
    stage.outside { $0.unseen = [] }
    #expect(look(stage, "Came since").contains(.bold))
    // After the user was away, earlier messages count as seen.
    stage.send(.input(.focus(false)))
    stage.send(.input(.focus(true)))
    #expect(!look(stage, "Came since").contains(.bold))
  }

  @Test func whatComesWhileNobodyLooksIsNew() {
    var stage = Self.stage(columns: 80)
    stage.send(.input(.focus(false)))
    stage.outside { store in
      let id = store.add("Meanwhile", age: 1)
      store.unseen = [id]
    }
    stage.send(.input(.focus(true)))
    #expect(look(stage, "Meanwhile").contains(.bold))
  }
}
