import Foundation
import Messages
import Queries
import Screen
import Testing

@testable import Interface

/// A rule that is started from a message with `W`.
struct RuleFormTests {
  static let store: ModelStore = {
    var store = ModelStore()
    store.addSource("build", title: "Build server")
    store.addSource("team", title: "Team board")
    for number in 1...8 {
      store.add("Build \(number) \(number.isMultiple(of: 4) ? "failed" : "passed")", age: Double(number) * 60)
    }
    store.add("Lunch at noon", source: 2, age: 9000) { $0.content.tags = ["food"] }
    for index in store.messages.indices where store.messages[index].source == SourceID(1) {
      store.messages[index].sourceName = "Build server"
    }
    return store
  }()

  /// With the form of "Build 4 failed".
  private func stage(_ columns: Int = 100, _ rows: Int = 24) throws -> Stage {
    var stage = Stage(Self.store, columns: columns, rows: rows)
    try stage.press("j", "j", "j", "W")
    return stage
  }

  private func trial(_ change: (inout RuleTrial) -> Void = { _ in }) -> RuleTrial {
    var trial = RuleTrial()
    trial.rest = nil
    (trial.looked, trial.matched, trial.opened, trial.starred) = (4210, 312, 41, 2)
    trial.bySource = [SourceID(1): 300, SourceID(2): 12]
    trial.samples = (1...10).map {
      RuleTrial.Sample(
        id: MessageID(Int64($0)), source: SourceID(1), title: "Sample \($0)",
        time: ModelStore.start - Double($0) * 3600)
    }
    change(&trial)
    return trial
  }

  private func requests(_ stage: Stage) -> [RuleTrialRequest] {
    stage.effects.compactMap { if case .tryRule(let request) = $0 { request } else { nil } }
  }

  private func saved(_ stage: Stage) -> [RuleDraft] {
    stage.effects.compactMap { if case .saveRule(let draft, _) = $0 { draft } else { nil } }
  }

  /// The right half of the screen, without ends of lines.
  private func side(_ stage: Stage) -> String {
    stage.lines.map { $0.drop { $0 != "│" }.dropFirst().trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
  }

  private func typed(_ stage: Stage) -> String? { stage.state.dialog.ruleForm?.condition.text }

  // MARK: What it begins with

  @Test func aRuleBeginsWithTheMessage() throws {
    var stage = try stage()
    #expect(typed(stage) == "source:\"Build server\" title:failed")
    let request = try #require(requests(stage).first)
    #expect(request.condition.text == "source:\"Build server\" title:failed" && !request.rests)
    #expect(stage.screen.contains("looking back…") || stage.screen.contains("Looking back…"))
    stage.send(.ruleTried(request.number, trial()))
    #expect(
      side(stage).contains(
        "312 of 4210 messages of the last 30 days would be marked read; you had opened 41 of them, and 2 have a star."
      ))
    #expect(stage.screen.contains("Build server 300, Team board 12"))
    #expect(stage.screen.contains("Sample 1") && stage.screen.contains("Sample 10"))
    // Beside the fields.
    let line = try #require(stage.lines.first { $0.contains("From now on, new messages that match will") })
    #expect(line.contains("New rule"))
  }

  @Test(arguments: [
    (
      2, 0, 0, "read",
      "2 of 857 messages of the last 30 days would be marked read; you had opened none of them."
    ),
    (1, 0, 0, "star", "1 of 857 messages of the last 30 days would get a star; you had not opened it."),
    (1, 1, 1, "hide", "would be hidden; you had opened it, and 1 has a star."),
    (9, 9, 0, "tag:ci, silent", "would get the tag ci, not be announced; you had opened all of them."),
    (3, 1, 0, "x", "3 of 857 messages of the last 30 days match; you had opened 1 of them."),
    (0, 0, 0, "read", "None of the 857 messages of the last 30 days matches."),
  ])
  func theTrialIsInSentences(matched: Int, opened: Int, starred: Int, actions: String, sentence: String)
    throws
  {
    var stage = try stage(160, 40)
    stage.send(
      .ruleTried(
        try #require(requests(stage).first).number,
        trial {
          ($0.looked, $0.matched, $0.opened, $0.starred) = (857, matched, opened, starred)
          if matched == 0 { $0.samples = [] }
        }))
    try stage.press("down", "ctrl-u")
    stage.type(actions)
    #expect(side(stage).contains(sentence), "\(side(stage))")
  }

  @Test func whatThereIsToChooseFromIsListedAtOnce() throws {
    #expect(try stage().screen.contains("To choose from: read, unread, star, dismiss"))
  }

  @Test(arguments: [(100, 24), (160, 40), (80, 24)])
  func theTimesAreThoseOfTheList(columns: Int, rows: Int) throws {
    var stage = try stage(columns, rows)
    try stage.press("esc")
    let age = 26 * 3600.0
    let time = stage.store.add("Sample of yesterday", age: age)
    stage.outside { _ in }
    let row = try #require(stage.lines.first { $0.contains("Sample of yesterday") })
    let shown = try #require(row.firstMatch(of: /[A-Z][a-z]{2}( \d\d:\d\d)?/)).output.0
    try stage.press("g", "j", "W")
    stage.send(
      .ruleTried(
        try #require(requests(stage).last).number,
        trial {
          $0.bySource = [SourceID(1): 1]
          $0.samples = [
            RuleTrial.Sample(
              id: time, source: SourceID(1), title: "Sample of yesterday", time: ModelStore.start - age)
          ]
        }))
    #expect(stage.screen.contains("\(shown)  Sample of yesterday"), "\(shown)\n\(stage.screen)")
  }

  @Test func theSourcesWithTheMostAreNamed() throws {
    var stage = try stage()
    let number = try #require(requests(stage).first).number
    stage.send(.ruleTried(number, trial { $0.bySource = [SourceID(2): 5] }))
    #expect(stage.screen.contains("Team board 5"))
    stage.send(
      .ruleTried(
        number,
        trial { trial in
          trial.bySource = [SourceID(2): 500]
          for id in 10..<40 { trial.bySource[SourceID(Int64(id))] = id }
        }))
    #expect(stage.screen.contains("Team board 500") && stage.screen.contains(" 33, …"))
  }

  @Test func itBeginsFromTheReaderToo() throws {
    var stage = Stage(Self.store, columns: 100, rows: 24)
    try stage.press("j", "enter", "W")
    #expect(typed(stage) == "source:\"Build server\" title:passed")
    try stage.press("esc")
    #expect(stage.state.focus.pane == .reader && stage.screen.contains("Build 2 passed"))
  }

  private static func condition(
    _ title: String, tags: [String] = [], beside titles: [String], _ others: [[String]] = [],
    counts: [String: WordCount] = [:]
  ) -> String {
    var content = IncomingMessage(remoteID: RemoteID("1"), kind: .feed, title: title)
    content.tags = tags
    let message = Message(
      id: MessageID(1), source: SourceID(1), sourceName: "s", content: content, received: ModelStore.start,
      isUnread: true, isStarred: false, isDismissed: false)
    let neighbours = titles.enumerated().map { index, title in
      RuleNeighbour(title: title, tags: index < others.count ? others[index] : [])
    }
    return RuleOrigin(message: message, neighbours: neighbours, counts: counts, takenNames: []).condition.text
  }

  @Test(arguments: [
    // What a program's titles differ in, and has few values.
    ("Build 3 failed", ["Build 1 passed", "Build 2 passed", "Build 4 failed"], "source:s title:failed"),
    ("Build 9 exploded", ["Build 1 passed", "Build 2 passed", "Build 4 passed"], "source:s title:exploded"),
    // Of sentences a rare word that comes again.
    (
      "What is new in Foundation",
      ["The new Foundation", "What a day", "Foundation again", "What is a new day"],
      "source:s title:Foundation"
    ),
    // Nothing comes again.
    ("Disk almost empty on db1", ["Lunch"], "source:s title:Disk title:empty"),
    // Words that are in every sentence say nothing.
    (
      "The future of The Guardian", ["The day after", "Of the sea", "For the birds", "A day"],
      "source:s title:future title:Guardian"
    ),
    ("Wie wir über Kernel reden", ["Wie geht das", "Über uns"], "source:s title:Kernel title:reden"),
    ("Почему это важно для Linux", ["Это всё"], "source:s title:важно title:Linux"),
    ("Backup done", ["Backup done", "backup DONE"], "source:s"),
    ("17 42", [], "source:s"),
    ("", [], "source:s"),
    ("构建 3 失败", ["构建 1 成功", "构建 2 成功", "构建 4 失败"], "source:s title:失败"),
  ])
  func whatSetsAMessageApartIsChosen(title: String, others: [String], text: String) {
    #expect(Self.condition(title, beside: others) == text)
  }

  @Test func aWordThatIsRareInTheStoreSaysMoreThanAFrequentOne() {
    let often = WordCount(100, isFrequent: true)
    let beside = ["Backup of the mail done", "Backup done", "Mail moved"]
    func condition(_ title: String, _ counts: [String: WordCount]) -> String {
      Self.condition(title, beside: beside, counts: counts)
    }
    // One that comes again anywhere, and of those the rarest.
    #expect(
      condition("Backup of grafana done", ["backup": often, "done": often, "grafana": WordCount(2)])
        == "source:s title:grafana")
    #expect(
      condition(
        "Backup: Grafana, Kibana", ["backup": often, "grafana": WordCount(9), "kibana": WordCount(3)])
        == "source:s title:Kibana")
    // One of its own source.
    #expect(
      condition("Backup of mail: grafana", ["backup": often, "mail": WordCount(2), "grafana": WordCount(5)])
        == "source:s title:mail")
    // Where all are frequent, what sets it apart among its neighbours.
    #expect(condition("Backup of mail", ["backup": often, "mail": often]) == "source:s title:Backup")
    // What comes again nowhere is no better than a frequent one.
    #expect(
      condition("Mail moved by grafana", ["mail": often, "moved": often, "grafana": WordCount(1)])
        == "source:s title:moved")
  }

  @Test func aTagSaysMoreThanWords() {
    #expect(Self.condition("A b", tags: ["release", "swift"], beside: []) == "source:s tag:release")
    #expect(
      Self.condition(
        "A b", tags: ["all", "on call"], beside: ["c", "d", "e"], [["all"], ["all"], ["all", "on call"]])
        == "source:s tag:\"on call\"")
    #expect(Self.condition("Lunch", tags: ["all"], beside: ["c"], [["all"]]) == "source:s title:Lunch")
  }

  @Test func everyConditionIsAQuery() {
    for title in ["\"", "OR AND NOT", "a:b (c) -d", "/x/ *", "é\u{301}\u{301}", "😀 😀😀", "한국어 제목", "नियम संदेश"] {
      let text = Self.condition(title, tags: title.count > 3 ? [title] : [], beside: [title + " x"])
      guard case .success(let query) = Query.parse(text, .strict) else {
        Issue.record("\(text)")
        continue
      }
      #expect(query.text == text)
    }
  }

  // MARK: Typing

  @Test func theTrialFollowsWhatIsTyped() throws {
    var stage = try stage()
    let first = try #require(requests(stage).first)
    stage.type(" is:unread")
    #expect(requests(stage).last?.condition.text.hasSuffix("is:unread") == true)
    #expect(requests(stage).last?.rests == true)
    // An answer for what was typed before says nothing any more.
    stage.send(.ruleTried(first.number, trial()))
    #expect(!stage.screen.contains("312 of"))
    let last = try #require(requests(stage).last)
    stage.send(
      .ruleTried(
        last.number,
        trial {
          ($0.matched, $0.looked, $0.rest) = (3, 500, MessageID(7))
          $0.lookedTo = ModelStore.start - 8 * 86400
        }))
    #expect(stage.screen.contains("3 of 500, looking back… 12 Nov"))
    // A mistake ends it, and is shown where it is.
    stage.type(" titel:x")
    #expect(stage.effects.last == .stopRuleTrial || stage.effects.contains(.stopRuleTrial))
    #expect(stage.screen.contains("titel isn't a field; did you mean title?"))
    #expect(stage.state.dialog.ruleForm?.usualName == "Build server failed is:unread titel")
    let row = try #require(stage.lines.firstIndex { $0.contains("titel:x") })
    let cells = stage.frame.row(row)
    let underlined = cells.indices.filter { cells[$0].style.attributes.contains(.underline) }
    #expect(underlined.map { cells[$0].text }.joined() == "titel")
    let count = requests(stage).count
    try stage.press("ctrl-w")
    #expect(requests(stage).count == count + 1, "asked again")
  }

  @Test func tabCompletesTheQueryAndTheActions() throws {
    var stage = try stage()
    stage.send(.namesLoaded(stage.asked, [.tag: ["ci", "cinema"]]))
    try stage.press("ctrl-u")
    stage.type("so")
    try stage.press("tab")
    #expect(typed(stage) == "source:")
    try stage.press("tab")
    #expect(typed(stage) == "source:build")
    #expect(stage.screen.contains("\"Build server\""), "what comes next is shown")
    stage.type(" priority>=4")
    try stage.press("tab")
    #expect(stage.state.dialog.ruleForm?.selected == .actions, "nothing to complete")
    #expect(stage.screen.contains("read, unread, star, dismiss,"))
    stage.type(", ta")
    try stage.press("tab", "tab", "tab")
    #expect(stage.state.dialog.ruleForm?.actions.text == "read, tag:cinema")
    try stage.press("backtab")
    #expect(stage.state.dialog.ruleForm?.actions.text == "read, tag:ci")
    try stage.press("down", "space")
    #expect(stage.state.dialog.ruleForm?.stops == true)
    try stage.press("enter")
    #expect(
      saved(stage) == [
        RuleDraft(
          name: "build priority>=4", condition: "source:build priority>=4", actions: ["read", "tag:ci"],
          stops: true)
      ])
  }

  @Test(arguments: [
    ("reed", "reed isn't an action; did you mean read?", "reed"),
    ("read, hide:x", "hide takes no value", "hide:x"), ("tag:", "tag: needs a value", "tag:"),
    ("priority:9", "9 isn't a priority", "priority:9"), ("read,run", "run needs", "run"),
    (" , ", "a rule needs an action", ""),
  ])
  func aMistakeInTheActionsIsShown(text: String, sentence: String, part: String) throws {
    var stage = try stage()
    try stage.press("down", "ctrl-u")
    stage.type(text)
    #expect(stage.screen.contains(sentence))
    let row = try #require(stage.lines.firstIndex { $0.contains(" Do ") })
    let cells = stage.frame.row(row)
    let underlined = cells.indices.filter { cells[$0].style.attributes.contains(.underline) }
    #expect(underlined.map { cells[$0].text }.joined() == part)
    try stage.press("up", "enter")
    #expect(saved(stage).isEmpty)
    #expect(stage.state.dialog.ruleForm?.selected == .actions, "where the mistake is")
  }

  @Test func theBeginningOfAnActionIsNotAMistakeYet() throws {
    var stage = try stage()
    try stage.press("down", "ctrl-u")
    stage.type("read, s")
    #expect(stage.screen.contains("star  snooze:  silent") && !stage.screen.contains("isn't an action"))
    try stage.press("left")
    #expect(stage.screen.contains("s isn't an action"))
    try stage.press("enter")
    #expect(saved(stage).isEmpty)
  }

  @Test func aNameIsMadeOfTheQueryUnlessOneIsTyped() throws {
    var stage = try stage()
    #expect(stage.screen.contains("Build server failed"))
    try stage.press("ctrl-u")
    stage.type("noise")
    // Stage knows a rule of this name.
    #expect(stage.state.dialog.ruleForm?.usualName == "noise 2")
    try stage.press("up")
    stage.type("noise")
    #expect(stage.screen.contains("another rule has this name"))
    try stage.press("enter")
    #expect(saved(stage).isEmpty)
    stage.type(" again")
    try stage.press("enter")
    #expect(saved(stage).map(\.name) == ["noise again"])
  }

  @Test func aPasteGoesIntoTheField() throws {
    var stage = try stage()
    try stage.press("ctrl-u")
    stage.send(.input(.paste("tag:ci\n")))
    #expect(typed(stage) == "tag:ci")
    #expect(requests(stage).last?.condition.text == "tag:ci")
  }

  // MARK: Leaving, saving, applying

  @Test func escapeLeavesWithoutATrace() throws {
    var stage = try stage()
    stage.type("x")
    try stage.press("esc")
    #expect(stage.state.dialog.ruleForm == nil && saved(stage).isEmpty)
    #expect(stage.effects.last == .stopRuleTrial)
    #expect(stage.selectedTitle == "Build 4 failed")
  }

  @Test func whatIsRefusedIsSaidAndKept() throws {
    var stage = try stage()
    try stage.press("enter")
    let draft = try #require(saved(stage).first)
    // It is being saved.
    stage.type("x")
    #expect(typed(stage) == "source:\"Build server\" title:failed")
    stage.send(.ruleSaved(stage.asked, draft, reason: "config.toml cannot be written: the disk is full"))
    #expect(stage.screen.contains("✗ config.toml cannot be written: the disk is"))
    stage.type(" x")
    #expect(typed(stage)?.hasSuffix("failed x") == true && !stage.screen.contains("✗ config"))
    // Left meanwhile.
    try stage.press("enter", "esc")
    stage.send(.ruleSaved(stage.asked, try #require(saved(stage).last), reason: "no"))
    #expect(stage.bottom.contains("Nothing was changed: no"))
  }

  @Test func aSavedRuleIsAppliedToThePastIfOneSaysSo() throws {
    var stage = try stage()
    stage.send(.ruleTried(try #require(requests(stage).last).number, trial()))
    try stage.press("enter")
    let draft = try #require(saved(stage).first)
    stage.send(.ruleSaved(stage.asked, draft, reason: nil))
    #expect(stage.state.dialog.ruleForm == nil)
    #expect(stage.bottom.contains("Saved. y applies it to 312 messages of the last 30 days."))
    try stage.press("y")
    let applied = stage.effects.compactMap { effect -> ActID? in
      if case .applyRule(draft.name, let id) = effect { id } else { nil }
    }
    let id = try #require(applied.first)
    #expect(stage.bottom.contains("Applying Build server failed"))
    stage.send(.performed(id, changed: 300))
    #expect(stage.bottom.contains("Done: applied a rule to 300 messages. U undoes it."))
    try stage.press("U")
    stage.send(.undone(ActID(id.rawValue + 1), .rule([]), count: 300))
    #expect(stage.bottom.contains("Undid: applied a rule to 300 messages"))
  }

  @Test func anotherKeyLeavesThePastAlone() throws {
    var stage = try stage()
    try stage.press("enter")
    stage.send(.ruleSaved(stage.asked, try #require(saved(stage).first), reason: nil))
    #expect(stage.bottom.contains("Saved. y applies it to the last 30 days."), "it hasn't looked yet")
    try stage.press("j", "y")
    #expect(!stage.effects.contains { if case .applyRule = $0 { true } else { false } })
  }

  @Test func nothingIsAskedWhereNothingWouldChange() throws {
    var stage = try stage()
    try stage.press("down", "ctrl-u")
    stage.type("silent")
    try stage.press("enter")
    stage.send(.ruleSaved(stage.asked, try #require(saved(stage).first), reason: nil))
    #expect(stage.bottom.contains("Saved. Build server failed works from now on."))
    try stage.press("y")
    #expect(!stage.effects.contains { if case .applyRule = $0 { true } else { false } })
  }

  // MARK: Small screens

  @Test func theNumbersAreBelowOnSmallerScreens() throws {
    for (columns, rows) in [(80, 24), (40, 10), (20, 5)] {
      var stage = try stage(columns, rows)
      let number = try #require(requests(stage).last).number
      stage.send(.ruleTried(number, trial()))
      let numbers = try #require(stage.lines.firstIndex { $0.contains("312 of 4210") }, "\(columns)")
      let query = try #require(
        stage.lines.firstIndex { $0.contains("When") })
      #expect(query < numbers)
      #expect(stage.frame.cursor?.row == query)
      #expect(stage.lines.count == rows)
    }
    let stage = try stage(80, 24)
    for text in ["New rule", "Name", "When", "Do", "Stop"] { #expect(stage.screen.contains(text)) }
    #expect(stage.bottom.contains("enter saves, esc cancels, tab completes"))
  }

  @Test func anySizeIsDrawn() throws {
    for (columns, rows) in [(1, 1), (0, 0), (4, 2), (10, 3), (200, 60), (90, 3)] {
      var stage = try stage(100, 24)
      stage.send(.ruleTried(try #require(requests(stage).last).number, trial()))
      stage.resize(columns, rows)
      for _ in 0..<5 {
        try stage.press("down", "x")
        #expect(stage.lines.count == rows)
      }
    }
  }

  // MARK: Meanwhile

  @Test func nothingIsSeenBehindTheForm() throws {
    var stage = try stage()
    let before = stage.effects.count
    stage.outside { $0.add("News", source: 2, age: 1) }
    #expect(!stage.effects.dropFirst(before).contains { if case .markSeen = $0 { true } else { false } })
    #expect(!stage.state.shows(MessageID(1), of: SourceID(2)) && stage.state.messagesInSight.isEmpty)
    // The mouse does not reach what is behind it.
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 30, row: 5)))))
    #expect(stage.state.dialog.ruleForm != nil && stage.selectedTitle == "Build 4 failed")
  }
}
