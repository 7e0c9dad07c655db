import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// What a row of the list says at every width: where it comes from, when, and whether it is new.
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

  private func row(_ stage: Stage, _ title: String) -> String {
    stage.lines.first { $0.contains(title) } ?? "no row"
  }

  @Test(arguments: Array(stride(from: 24, through: 240, by: 5)) + [69, 70, 80, 120, 140, 160])
  func everyRowSaysWhereItIsFromAtEveryWidth(columns: Int) {
    let stage = Self.stage(columns: columns)
    #expect(row(stage, "From a feed").contains("The S"), "\(stage.screen)")
    #expect(row(stage, "A thread").contains("tail-o"), "\(stage.screen)")
    // Its only topic is what the person called it.
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

  @Test func twoLinesSayWhereAndWhenInTheSecond() {
    var layout = LayoutOptions()
    layout.rowLines = 2
    for columns in [120, 80, 40] {
      let lines = Self.stage(columns: columns, layout: layout).lines
      let index = lines.firstIndex { $0.contains("A thread") }
      #expect(index.map { lines[$0 + 1].contains("Thu 13:50 · octo-org/tail-of-tools") } == true)
    }
  }

  @Test func keysAndMouseKnowRowsOfTwoLines() throws {
    var layout = LayoutOptions()
    layout.rowLines = 2
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
    layout.rowLines = 2
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
    // The list is seen now; the person still looks at it.
    stage.outside { $0.unseen = [] }
    #expect(look(stage, "Came since").contains(.bold))
    // Somebody who was away has seen it.
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
