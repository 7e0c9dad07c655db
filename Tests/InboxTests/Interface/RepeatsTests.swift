import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Messages of one source with one title, as one row.
struct RepeatsTests {
  /// One alert, several equal alerts, and one more alert, each a minute apart.
  private static func stage(
    _ repeats: Int = 7, folds: Bool = true, columns: Int = 80, signs: Signs = .unicode
  ) -> Stage {
    var store = ModelStore()
    store.addSource("alerts")
    store.addSource("other")
    store.add("First", age: 1)
    for index in 0..<repeats { store.add("Disk full", age: Double(index + 1) * 60) }
    store.add("Disk full", source: 2, age: Double(repeats + 1) * 60)
    store.add("Last", age: Double(repeats + 2) * 60)
    return Stage(
      store, columns: columns, rows: 24,
      options: InterfaceOptions(
        words: .english, signs: signs, zone: Stage.utc, layout: LayoutOptions(foldsRepeats: folds)))
  }

  private static func titles(_ stage: Stage) -> [String] { stage.state.shown.list.rows.map(\.title) }

  private static func left(_ stage: Stage) -> [Int64] {
    stage.store.messages.filter { !$0.isDismissed }.map(\.id.rawValue)
  }

  @Test func repeatsAreOneRowWithTheirNumber() {
    let stage = Self.stage()
    #expect(Self.titles(stage) == ["First", "Disk full", "Disk full", "Last"])
    #expect(stage.lines.contains { $0.contains("×7 Disk full") })
    #expect(stage.lines.count { $0.contains("Disk full") } == 2)
    #expect(Self.stage(signs: .ascii).lines.contains { $0.contains("x7 Disk full") })
  }

  @Test func withoutTheSettingNothingIsFolded() {
    #expect(Self.titles(Self.stage(folds: false)).count == 10)
  }

  @Test func lUnfoldsAndEnterReads() throws {
    var stage = Self.stage()
    try stage.press("j", "l")
    #expect(Self.titles(stage).count == 10)
    #expect(stage.state.focus.pane == .messages && stage.state.shown.list.selected == 1)
    try stage.press("l")
    #expect(stage.state.focus.pane == .reader)
    stage = Self.stage()
    try stage.press("j", "enter")
    #expect(stage.state.focus.pane == .reader)
    // The others were not on the screen.
    #expect(stage.store.messages.filter { !$0.isUnread }.map(\.id) == [MessageID(2)])
    try stage.press("U")
    let read = stage.store.messages.count { !$0.isUnread }
    #expect(read == 0)
  }

  @Test func actsTakeAllThatARowStandsFor() throws {
    var stage = Self.stage()
    try stage.press("j", "d")
    #expect(Self.left(stage) == [1, 9, 10])
    #expect(stage.bottom.contains("Done: dismissed 7 messages."))
    try stage.press("U")
    #expect(Self.left(stage).count == 10)
    #expect(stage.lines.contains { $0.contains("×7 Disk full") })
    try stage.press("g", "2", "d")
    #expect(Self.left(stage) == [9, 10])
    try stage.press("U", "g", "j", "v", "d")
    #expect(Self.left(stage) == [1, 9, 10])
    try stage.press("U", "g", "V", "j", "d")
    #expect(Self.left(stage) == [9, 10])
    try stage.press("U", "G", "V", "2", "k", "d")
    #expect(Self.left(stage) == [1])
  }

  @Test func theRowIsUnreadWhileOneOfThemIs() throws {
    var stage = Self.stage()
    try stage.press("j", "u", "k")
    #expect(stage.state.shown.list.selectedRow?.isUnread == false)
    stage.outside { $0.messages[5].isUnread = true }
    #expect(stage.state.shown.list.selectedRow?.isUnread == true)
    try stage.press("g", "n")
    #expect(stage.state.shown.list.selected == 1)
  }

  @Test func theSelectionStaysOnItsRowAsMoreCome() throws {
    var stage = Self.stage()
    try stage.press("j")
    stage.outside { $0.add("Disk full", age: 59) }
    #expect(stage.state.shown.list.selectedRow?.members.count == 8)
    #expect(stage.state.shown.list.selected == 1)
  }

  @Test(arguments: [300, 3000])
  func aListOfManyRepeatsLoadsWithinBounds(repeats: Int) throws {
    var stage = Self.stage(repeats)
    #expect(stage.state.shown.list.loaded.count <= 2 * MessageList.mostFolded + 1)
    try stage.press("G")
    #expect(stage.selectedTitle == "Last")
    try stage.press("g")
    #expect(stage.selectedTitle == "First")
    for _ in 0..<40 { try stage.press("j") }
    #expect(stage.selectedTitle == "Last")
    for _ in 0..<40 { try stage.press("k") }
    #expect(stage.selectedTitle == "First")
  }

  @Test func theSettingTakesEffectAtOnce() {
    var stage = Self.stage(folds: false)
    var options = stage.state.options
    options.layout.foldsRepeats = true
    stage.send(.optionsChanged(options))
    #expect(Self.titles(stage).count == 4)
    options.layout.foldsRepeats = false
    stage.send(.optionsChanged(options))
    #expect(Self.titles(stage).count == 10)
  }

  // MARK: Groups

  /// Builds 5 to 1 of one group, with different titles, a build outside of the group, and a build of another source.
  private static func builds(folds: Bool = false) -> Stage {
    var store = ModelStore()
    store.addSource("builds")
    store.addSource("other")
    func group(_ name: String) -> (inout Message) -> Void {
      {
        $0.content.extras = MessageExtras()
        $0.content.extras?.group = name
      }
    }
    store.add("First", age: 1)
    for number in 1...5 {
      store.add("Build \(number) failed", age: 600 - Double(number) * 60, change: group("ci"))
    }
    store.add("Build 1 failed", age: 601)
    store.add("Build 0 failed", source: 2, age: 602, change: group("ci"))
    store.add("Last", source: 2, age: 603, change: group("nightly"))
    return Stage(
      store, columns: 80, rows: 24,
      options: InterfaceOptions(words: .english, zone: Stage.utc, layout: LayoutOptions(foldsRepeats: folds)))
  }

  @Test(arguments: [false, true])
  func messagesOfAGroupAreOneRowWithTheNewestTitle(folds: Bool) throws {
    var stage = Self.builds(folds: folds)
    let folded = ["First", "Build 5 failed", "Build 1 failed", "Build 0 failed", "Last"]
    #expect(Self.titles(stage) == folded)
    #expect(stage.lines.contains { $0.contains("×5 Build 5 failed") })
    try stage.press("j", "d")
    #expect(Self.left(stage) == [1, 7, 8, 9])
    try stage.press("U", "l")
    #expect(Self.titles(stage).count == 9)
  }

  @Test(arguments: [300, 3000])
  func aListOfOneGroupLoadsWithinBounds(count: Int) throws {
    var store = ModelStore()
    store.addSource("builds")
    store.add("First", age: 1)
    for number in 0..<count {
      store.add("Build \(number)", age: Double(number + 2)) {
        $0.content.extras = MessageExtras()
        $0.content.extras?.group = "ci"
      }
    }
    store.add("Last", age: Double(count + 9))
    var stage = Stage(store, columns: 80, rows: 24)
    #expect(stage.state.shown.list.loaded.count <= 2 * MessageList.mostFolded + 1)
    for _ in 0..<40 { try stage.press("j") }
    #expect(stage.selectedTitle == "Last")
    for _ in 0..<40 { try stage.press("k") }
    #expect(stage.selectedTitle == "First")
  }

  @Test func aScreenReaderHearsTheNumber() {
    let stage = Self.stage(signs: .fitting(isASCII: false, areWords: true, words: .english))
    #expect(stage.lines.contains { $0.hasPrefix("unread, Disk full, 7 times") })
  }
}
