import Foundation
import Messages
import Queries
import Screen
import Testing

@testable import Interface
@testable import Words

/// Text after `/`: errors, completions, earlier searches.
struct SearchPromptTests {
  private static let store: ModelStore = {
    var store = ModelStore()
    store.addSource("build server", title: "CI")
    store.add("Tag news", age: 60)
    store.add("Older news", age: 120)
    return store
  }()

  private func stage(_ preferences: Preferences = Preferences()) throws -> Stage {
    var stage = Stage(Self.store, columns: 100, rows: 20, preferences: preferences)
    try stage.press("/")
    return stage
  }

  private func typed(_ stage: Stage) -> String? { stage.state.dialog.prompt?.editor.text }

  // MARK: Everything

  @Test(arguments: [[], ["h"], ["enter"], ["p"], ["f"], ["Z"]])
  func twoKeysSearchEverythingFromAnywhere(keys: [String]) throws {
    var store = ModelStore.sample
    store.messages[0].isUnread = false
    var stage = Stage(store, columns: 100, rows: 24, scope: .source(SourceID(2)))
    for key in keys { try stage.press(key) }
    stage.send(.polling(.timelineLoaded(SourceID(2), [])))
    let before = (stage.state.shown.list.query, stage.selectedTitle)
    try stage.press("g", "/")
    #expect(stage.bottom.contains("Search: "))
    stage.type("6.3")
    #expect(stage.lines.contains { $0.contains("Swift 6.3 released") }, "\(stage.screen)")
    #expect(stage.state.shown.list.query.scope == .all)
    try stage.press("esc")
    #expect(stage.state.shown.list.query == before.0 && stage.selectedTitle == before.1)
    // A search that was typed and kept.
    try stage.press("g", "/")
    stage.type("6.3")
    try stage.press("enter")
    #expect(stage.state.shown.list.query.search == "6.3 " && stage.selectedTitle == "Swift 6.3 released")
  }

  @Test func aSearchOfOneListIsWidened() throws {
    var stage = Stage(.sample, columns: 100, rows: 24, scope: .source(SourceID(2)))
    try stage.press("/")
    stage.type("6.3")
    try stage.press("enter")
    #expect(stage.state.shown.list.rows.isEmpty)
    try stage.press("g", "/", "enter")
    #expect(stage.selectedTitle == "Swift 6.3 released")
  }

  @Test func theFirstOfTheTwoKeysDoesWhatItDoesAlone() throws {
    var stage = Stage(.sample, columns: 100, rows: 24, scope: .source(SourceID(2)))
    try stage.press("G", "g")
    #expect(stage.state.shown.list.selected == 0)
    // If the second key is typed later, or after another key, it searches this list.
    try stage.press("j", "/")
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
    try stage.press("esc", "g")
    _ = update(&stage.state, .timeChanged(ModelStore.start + 5))
    try stage.press("/")
    #expect(stage.state.dialog.prompt != nil)
    #expect(stage.state.shown.list.query.scope == .source(SourceID(2)))
  }

  // MARK: Mistakes

  @Test func aMistakeIsShownWhereItIsAndTheListStays() throws {
    var stage = try stage()
    stage.type("news")
    stage.send(.input(.paste(" is:unred x")))
    #expect(stage.bottom.contains("is: has no value unred; did you mean unread?"))
    #expect(stage.state.shown.list.rows.map(\.title) == ["Tag news", "Older news"])
    let row = stage.frame.row(19)
    let underlined = row.indices.filter { row[$0].style.attributes.contains(.underline) }
    #expect(underlined.map { row[$0].text }.joined() == "unred")
    try stage.press("enter")
    #expect(stage.state.dialog.prompt != nil, "it isn't kept as it is")
    try stage.press("ctrl-u")
    #expect(!stage.bottom.contains("did you mean"))
  }

  @Test func everyMistakeHasWordsInEveryLanguage() throws {
    let texts = [
      "\u{22}a", "(a", "a)", "()", "OR a", "priority:9", "before:x", "older:x", "kind:/a/ id:/a/",
      "title:\u{22}\u{22}",
      "/(/", "/[/", "/a{1/", "/\\1/", "/a{300}{300}/", "/[[:x:]]/", "/*a/", "nofield:a", "title:",
      String(repeating: "a", count: 5000),
    ]
    for text in texts {
      guard case .failure(let mistake) = Query.parse(text, .strict) else { continue }
      for words in [Words.english, Words.named("hi"), Words.named("zh-Hans"), Words.named("zh-Hant")] {
        let sentence = words.sentence(mistake.reason).text
        let isKey = sentence.hasPrefix("query") || sentence.hasPrefix("pattern")
        #expect(!sentence.isEmpty && !sentence.contains("{1}") && !isKey, "\(text)")
      }
    }
  }

  // MARK: Completions

  @Test func tabCompletesFieldsAndValues() throws {
    var stage = try stage()
    stage.type("news ti")
    try stage.press("tab")
    #expect(typed(stage) == "news title:")
    stage.type("x so")
    try stage.press("tab")
    #expect(typed(stage) == "news title:x source:")
    try stage.press("tab")
    #expect(typed(stage) == "news title:x source:\"build server\"")
    try stage.press("tab")
    #expect(typed(stage) == "news title:x source:CI")
    #expect(stage.bottom.contains("CI"))
    try stage.press("backtab")
    #expect(typed(stage) == "news title:x source:\"build server\"")
    stage.type(" is:un")
    try stage.press("tab")
    #expect(typed(stage)?.hasSuffix(" is:unread") == true)
  }

  @Test func tagsOfTheStoreAreCompleted() throws {
    var stage = try stage()
    #expect(stage.effects.contains(.search(.loadNames(stage.asked))))
    stage.send(.search(.namesLoaded(stage.asked, [.tag: ["swift", "sweden", "linux"]])))
    stage.type("tag:sw")
    try stage.press("tab", "tab")
    #expect(typed(stage) == "tag:sweden")
    try stage.press("tab")
    #expect(typed(stage) == "tag:swift", "round and round")
  }

  // MARK: Earlier searches

  @Test func whatWasSearchedForComesBack() throws {
    var stage = try stage()
    for text in ["older", "news", "older", "tag"] {
      stage.type(text)
      try stage.press("enter", "esc", "/")
    }
    #expect(stage.effects.contains(.remember("searches", "tag\nolder\nnews")))
    try stage.press("up")
    #expect(typed(stage) == "tag")
    try stage.press("up", "up", "up")
    #expect(typed(stage) == "news", "the first one stays")
    try stage.press("down")
    #expect(typed(stage) == "older")
    #expect(stage.state.shown.list.rows.map(\.title) == ["Older news"])
    try stage.press("down", "down")
    #expect(typed(stage) == "")
    var next = try self.stage(Preferences(["searches": "tag\nolder"]))
    try next.press("up", "up", "enter")
    #expect(next.state.shown.list.rows.map(\.title) == ["Older news"])
  }

  // MARK: Slices

  @Test func aSearchThatGoesOnSaysHowFarItLooked() throws {
    var stage = try stage()
    stage.type("/[n]ews/")
    var snapshot = stage.store.snapshot(stage.state.shown.list.query, stage.state.shown.list.window)
    snapshot.lookedTo = Date(timeIntervalSince1970: 1_710_000_000)
    snapshot.rows = []
    stage.send(.inboxChanged(snapshot))
    #expect(stage.lines[0].contains("looked back to March 2024"))
    #expect(!stage.screen.contains("Nothing found."))
    snapshot.lookedTo = nil
    stage.send(.inboxChanged(snapshot))
    #expect(!stage.screen.contains("looked back"))
    #expect(stage.screen.contains("Nothing found."))
  }

  @Test func theLastWordIsAPrefixUntilEnter() throws {
    var stage = try stage()
    stage.type("ne")
    #expect(stage.state.shown.list.query.search == "ne")
    stage.type("ws ")
    #expect(stage.state.shown.list.query.search == "news ")
    try stage.press("backspace", "enter")
    #expect(stage.state.shown.list.query.search == "news ")
    #expect(stage.lines[0].contains("search: news"))
    try stage.press("/")
    #expect(typed(stage) == "news")
  }
}

/// The hints after a prompt.
struct PromptHintTests {
  /// Examples and keys are shown whole or not at all.
  @Test(arguments: ["en", "hi", "zh-Hans", "zh-Hant"], [30, 40, 50, 60, 80, 100])
  func noHintIsCutInAWord(tag: String, columns: Int) throws {
    for key in ["z", "a", "Q", ">", "|", "/"] {
      var stage = Stage(
        columns: columns, rows: 12, options: InterfaceOptions(words: .named(tag), zone: Stage.utc))
      try stage.press("j", key)
      #expect(!stage.bottom.contains("…"), "\(key): \(stage.bottom)")
    }
  }

  @Test func asManyExamplesAsFitAreShown() throws {
    var stage = Stage(columns: 40, rows: 12)
    try stage.press("j", "z")
    #expect(stage.bottom == " Until:   2h30m, 5pm, evening")
    stage.resize(80, 24)
    #expect(stage.bottom == " Until:   2h30m, 5pm, evening, tomorrow 9, weekend; enter is an hour")
    stage.resize(120, 24)
    #expect(stage.bottom.hasSuffix("enter is an hour  enter accept  esc cancel"))
  }

  /// A refusal that has no room next to the text is above it, complete.
  @Test func aRefusalIsWhole() throws {
    var stage = Stage(columns: 40, rows: 12)
    try stage.press("j", "z")
    stage.type("someday")
    try stage.press("enter")
    #expect(stage.bottom.contains("someday") && !stage.bottom.contains("✗"), "\(stage.bottom)")
    #expect(stage.lastLines.contains("✗"), "\(stage.screen)")
  }
}
