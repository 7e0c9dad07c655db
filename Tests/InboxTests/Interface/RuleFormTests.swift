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

  /// Returns a stage with the form of "Build 4 failed".
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
    stage.effects.compactMap { if case .rules(.startTrial(let request)) = $0 { request } else { nil } }
  }

  private func saved(_ stage: Stage) -> [RuleDraft] {
    stage.effects.compactMap { if case .rules(.save(let draft, _)) = $0 { draft } else { nil } }
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
    stage.send(.rules(.tried(request.number, trial())))
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
    (9, 9, 0, "silent, tag:ci", "would not be announced, get the tag ci; you had opened all of them."),
    (3, 1, 0, "", "3 of 857 messages of the last 30 days match; you had opened 1 of them."),
    (0, 0, 0, "read", "None of the 857 messages of the last 30 days matches."),
  ])
  func theTrialIsInSentences(matched: Int, opened: Int, starred: Int, actions: String, sentence: String)
    throws
  {
    var stage = try stage(160, 40)
    stage.send(
      .rules(
        .tried(
          try #require(requests(stage).first).number,
          trial {
            ($0.looked, $0.matched, $0.opened, $0.starred) = (857, matched, opened, starred)
            if matched == 0 { $0.samples = [] }
          })))
    try choose(actions, in: &stage)
    #expect(side(stage).contains(sentence), "\(side(stage))")
  }

  /// Sets the actions, and no others: marks by their names, tags by typing.
  private func choose(_ actions: String, in stage: inout Stage) throws {
    try stage.press("down", "space")
    for action in actions.split(separator: ", ") {
      if action.hasPrefix("tag:") {
        try stage.press("down")
        stage.type(String(action.dropFirst(4)))
        try stage.press("up")
      } else {
        while stage.state.dialog.ruleForm.map({ $0.marks[$0.mark] }) != String(action) {
          try stage.press("right")
        }
        try stage.press("space")
      }
    }
  }

  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func whatThereIsToChooseFromIsListedAtOnce(columns: Int, rows: Int) throws {
    let stage = try stage(columns, rows)
    #expect(stage.screen.contains("[x] read") && stage.screen.contains("[ ] unread"), "\(stage.screen)")
    if rows > 10 { #expect(stage.screen.contains("[ ] star") && stage.screen.contains("[ ] silent")) }
  }

  /// In each size, the mark that keys set is visible, and space sets it.
  @Test(arguments: [(160, 45), (80, 24), (40, 10)])
  func marksAreSetWithSpace(columns: Int, rows: Int) throws {
    var stage = try stage(columns, rows)
    try stage.press("down")
    for name in RuleForm.plainMarks {
      let before = stage.state.dialog.ruleForm?.chosen.contains(name) == true
      #expect(stage.screen.contains(before ? "[x] \(name)" : "[ ] \(name)"), "\(stage.screen)")
      try stage.press("space")
      #expect(stage.screen.contains(before ? "[ ] \(name)" : "[x] \(name)"), "\(stage.screen)")
      let cursor = try #require(stage.frame.cursor)
      #expect(String(stage.lines[cursor.row].dropFirst(cursor.column + 3)).hasPrefix(name), "\(stage.screen)")
      try stage.press("right")
    }
    // A message is read or unread, announced or not.
    #expect(
      stage.state.dialog.ruleForm?.actions == ["unread", "star", "dismiss", "hide", "urgent", "silent"])
  }

  @Test func aLetterGoesToItsMark() throws {
    var stage = try stage()
    try stage.press("down", "space", "h", "space", "d", "space")
    #expect(stage.state.dialog.ruleForm?.actions == ["dismiss", "hide"])
  }

  @Test func thePriorityIsChosen() throws {
    var stage = try stage()
    try stage.press("down", "down", "down", "down")
    #expect(stage.screen.contains("as it is"))
    try stage.press("space", "space")
    #expect(stage.state.dialog.ruleForm?.actions == ["read", "priority:2"] && stage.screen.contains("low"))
    try stage.press("left", "left", "left", "down")
    #expect(stage.screen.contains("urgent"))
    stage.type("tomorrow 9")
    #expect(stage.state.dialog.ruleForm?.actions == ["read", "priority:5", "snooze:tomorrow 9"])
  }

  /// Unchanged parts of a rule stay as they are written, in their order.
  @Test func anEditedRuleKeepsWhatIsWritten() throws {
    let row = RuleRow(
      name: "noise", condition: "title:x", actions: ["tag:ci", "priority:low", "read", "untag:a", "run"],
      stops: true,
      hasProgram: true)
    var form = RuleForm(row, besides: [row])
    #expect(form.actions == row.actions && form.mistake == nil)
    form.tags.insert(", new")
    #expect(form.actions == ["tag:ci", "priority:low", "read", "untag:a", "run", "tag:new"])
    form.toggleMark()
    #expect(form.actions == ["tag:ci", "priority:low", "untag:a", "run", "tag:new"])
  }

  @Test(arguments: [(100, 24), (160, 24), (160, 40), (80, 24)])
  func theTimesAreThoseOfTheList(columns: Int, rows: Int) throws {
    var stage = try stage(columns, rows)
    try stage.press("esc")
    let age = 26 * 3600.0
    let time = stage.store.add("Sample of yesterday", age: age)
    stage.outside { _ in }
    let index = try #require(stage.lines.firstIndex { $0.contains("Sample of yesterday") })
    // A narrow list has the time in the second line, and a line above the rows has the day.
    let row = stage.lines[index...].prefix(stage.state.layout.rowLines).joined()
    let clock = try #require(row.firstMatch(of: /\d\d:\d\d/)).output
    let shown =
      stage.state.layout.hasRoomForDays
      ? "Thu \(clock)" : try #require(row.firstMatch(of: /Thu( \d\d:\d\d)?/)).output.0
    try stage.press("g", "j", "W")
    stage.send(
      .rules(
        .tried(
          try #require(requests(stage).last).number,
          trial {
            $0.bySource = [SourceID(1): 1]
            $0.samples = [
              RuleTrial.Sample(
                id: time, source: SourceID(1), title: "Sample of yesterday", time: ModelStore.start - age)
            ]
          })))
    #expect(stage.screen.contains("\(shown)  Sample of yesterday"), "\(shown)\n\(stage.screen)")
  }

  @Test func theSourcesWithTheMostAreNamed() throws {
    var stage = try stage()
    let number = try #require(requests(stage).first).number
    stage.send(.rules(.tried(number, trial { $0.bySource = [SourceID(2): 5] })))
    #expect(stage.screen.contains("Team board 5"))
    stage.send(
      .rules(
        .tried(
          number,
          trial { trial in
            trial.bySource = [SourceID(2): 500]
            for id in 10..<40 { trial.bySource[SourceID(Int64(id))] = id }
          })))
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
    // The difference of a program's titles, which has few values.
    ("Build 3 failed", ["Build 1 passed", "Build 2 passed", "Build 4 failed"], "source:s title:failed"),
    ("Build 9 exploded", ["Build 1 passed", "Build 2 passed", "Build 4 passed"], "source:s title:exploded"),
    // A rare word of sentences that occurs again.
    (
      "What is new in Foundation",
      ["The new Foundation", "What a day", "Foundation again", "What is a new day"],
      "source:s title:Foundation"
    ),
    // No word occurs in another title.
    ("Disk almost empty on db1", ["Lunch"], "source:s title:Disk title:empty"),
    // Words that occur in every sentence are not used.
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
    // The rarest word of those that occur again anywhere is used.
    #expect(
      condition("Backup of grafana done", ["backup": often, "done": often, "grafana": WordCount(2)])
        == "source:s title:grafana")
    #expect(
      condition(
        "Backup: Grafana, Kibana", ["backup": often, "grafana": WordCount(9), "kibana": WordCount(3)])
        == "source:s title:Kibana")
    // A word that is also the name of the source.
    #expect(
      condition("Backup of mail: grafana", ["backup": often, "mail": WordCount(2), "grafana": WordCount(5)])
        == "source:s title:mail")
    // If all are frequent, the difference from its neighbours.
    #expect(condition("Backup of mail", ["backup": often, "mail": often]) == "source:s title:Backup")
    // A word that occurs nowhere else is no better than a frequent one.
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
    // A response for earlier text is ignored.
    stage.send(.rules(.tried(first.number, trial())))
    #expect(!stage.screen.contains("312 of"))
    let last = try #require(requests(stage).last)
    stage.send(
      .rules(
        .tried(
          last.number,
          trial {
            ($0.matched, $0.looked, $0.rest) = (3, 500, MessageID(7))
            $0.lookedTo = ModelStore.start - 8 * 86400
          })))
    #expect(stage.screen.contains("3 of 500, looking back… 12 Nov"))
    // A mistake ends it, and is shown where it is.
    stage.type(" titel:x")
    #expect(stage.effects.last == .rules(.stopTrial) || stage.effects.contains(.rules(.stopTrial)))
    #expect(stage.screen.contains("titel is not a field; did you mean title?"))
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
    stage.send(.search(.namesLoaded(stage.asked, [.tag: ["ci", "cinema"]])))
    try stage.press("ctrl-u")
    stage.type("so")
    try stage.press("tab")
    #expect(typed(stage) == "source:")
    try stage.press("tab")
    #expect(typed(stage) == "source:build")
    #expect(stage.screen.contains("\"Build server\""), "what comes next is shown")
    stage.type(" priority>=4")
    try stage.press("tab")
    #expect(stage.state.dialog.ruleForm?.selected == .marks, "nothing to complete")
    try stage.press("tab")
    stage.type("c")
    try stage.press("tab", "tab")
    #expect(stage.state.dialog.ruleForm?.actions == ["read", "tag:cinema"])
    try stage.press("backtab")
    #expect(stage.state.dialog.ruleForm?.actions == ["read", "tag:ci"])
    try stage.press("down", "down", "down", "down", "space")
    #expect(stage.state.dialog.ruleForm?.stops == true)
    try stage.press("enter")
    #expect(
      saved(stage) == [
        RuleDraft(
          name: "build priority>=4", condition: "source:build priority>=4", actions: ["read", "tag:ci"],
          stops: true)
      ])
  }

  /// A rule in the settings may have errors. Its form shows them as actions that can be removed.
  @Test(arguments: [
    ("reed", "reed is not an action; did you mean read?"), ("hide:x", "hide takes no value"),
    ("tag:", "tag: needs a value"), ("priority:9", "9 is not a priority"), ("run", "run needs"),
  ])
  func aMistakeInTheActionsIsShown(action: String, sentence: String) throws {
    var stage = try stage()
    try stage.press("esc", "w")
    let row = RuleRow(name: "old", condition: "title:x", actions: ["star", action])
    stage.send(.rules(.loaded(stage.asked, [row])))
    try stage.press("e")
    #expect(stage.screen.contains(sentence), "\(stage.screen)")
    try stage.press("enter")
    #expect(saved(stage).isEmpty)
    #expect(stage.state.dialog.ruleForm?.selected == .marks, "where the mistake is")
    try stage.press("left", "space", "enter")
    #expect(saved(stage).map(\.actions) == [["star"]])
  }

  @Test func aRuleNeedsAnAction() throws {
    var stage = try stage()
    try stage.press("down", "space")
    #expect(stage.screen.contains("a rule needs an action"))
    try stage.press("up", "enter")
    #expect(saved(stage).isEmpty && stage.state.dialog.ruleForm?.selected == .marks)
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
    #expect(stage.effects.last == .rules(.stopTrial))
    #expect(stage.selectedTitle == "Build 4 failed")
  }

  @Test func whatIsRefusedIsSaidAndKept() throws {
    var stage = try stage()
    try stage.press("enter")
    let draft = try #require(saved(stage).first)
    // While the rule is being saved, typed characters are ignored.
    stage.type("x")
    #expect(typed(stage) == "source:\"Build server\" title:failed")
    stage.send(.rules(.saved(stage.asked, draft, reason: "config.toml cannot be written: the disk is full")))
    #expect(stage.screen.contains("✗ config.toml cannot be written: the disk is"))
    stage.type(" x")
    #expect(typed(stage)?.hasSuffix("failed x") == true && !stage.screen.contains("✗ config"))
    // Left meanwhile.
    try stage.press("enter", "esc")
    stage.send(.rules(.saved(stage.asked, try #require(saved(stage).last), reason: "no")))
    #expect(stage.bottom.contains("Nothing was changed: no"))
  }

  @Test func aSavedRuleIsAppliedToThePastIfOneSaysSo() throws {
    var stage = try stage()
    stage.send(.rules(.tried(try #require(requests(stage).last).number, trial())))
    try stage.press("enter")
    let draft = try #require(saved(stage).first)
    stage.send(.rules(.saved(stage.asked, draft, reason: nil)))
    #expect(stage.state.dialog.ruleForm == nil)
    #expect(stage.bottom.contains("Saved. y applies it to 312 messages of the last 30 days."))
    try stage.press("y")
    let applied = stage.effects.compactMap { effect -> ActID? in
      if case .rules(.apply(draft.name, let id)) = effect { id } else { nil }
    }
    let id = try #require(applied.first)
    #expect(stage.bottom.contains("Applying Build server failed"))
    stage.send(.journal(.performed(id, changed: 300)))
    #expect(stage.bottom.contains("Done: applied a rule to 300 messages. U undoes it."))
    try stage.press("U")
    stage.send(.journal(.undone(ActID(id.rawValue + 1), .rule([]), count: 300)))
    #expect(stage.bottom.contains("Undid: applied a rule to 300 messages"))
  }

  @Test func anotherKeyLeavesThePastAlone() throws {
    var stage = try stage()
    try stage.press("enter")
    stage.send(.rules(.saved(stage.asked, try #require(saved(stage).first), reason: nil)))
    #expect(stage.bottom.contains("Saved. y applies it to the last 30 days."), "it hasn't looked yet")
    try stage.press("j", "y")
    #expect(!stage.effects.contains { if case .rules(.apply) = $0 { true } else { false } })
  }

  /// A trial may end before the next key or after it, so its number does not determine the meaning of the key.
  @Test(arguments: [0, 1, 312, nil]) func theQuestionDoesNotDependOnTheTrial(matched: Int?) throws {
    var stage = try stage()
    if let matched {
      stage.send(.rules(.tried(try #require(requests(stage).last).number, trial { $0.matched = matched })))
    }
    try stage.press("enter", "y")
    stage.send(.rules(.saved(stage.asked, try #require(saved(stage).first), reason: nil)))
    #expect(stage.effects.contains { if case .rules(.apply) = $0 { true } else { false } })
    #expect(!stage.effects.contains { if case .links(.copy) = $0 { true } else { false } })
  }

  /// Other reports do not replace the question, since the meaning of its key would change unseen.
  @Test(arguments: [(100, 24), (80, 24), (40, 10)]) func theQuestionStaysUntilAKey(columns: Int, rows: Int)
    throws
  {
    for key in ["y", "esc", "j"] {
      var stage = try stage(columns, rows)
      stage.send(.rules(.tried(try #require(requests(stage).last).number, trial())))
      try stage.press("enter")
      stage.send(.rules(.saved(stage.asked, try #require(saved(stage).first), reason: nil)))
      stage.send(.gaveUp(RequestID(0)))
      stage.send(.failed(.log(reason: "the disk is full")))
      let lines = stage.lines.suffix(2).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
      #expect(lines.hasSuffix("Saved. y applies it to 312 messages of the last 30 days."), "\(lines)")
      try stage.press(key)
      #expect(!stage.lastLines.contains("Saved. y"))
      #expect(stage.effects.contains { if case .rules(.apply) = $0 { true } else { false } } == (key == "y"))
      #expect(stage.state.focus.pane == .messages, "Escape drops the question only")
    }
  }

  /// The number of messages follows once all are examined; an earlier trial does not count.
  @Test func theQuestionHasTheNumberWhenTheTrialEnds() throws {
    var stage = try stage()
    let first = try #require(requests(stage).last).number
    stage.type(" ")
    stage.type("is:unread")
    let last = try #require(requests(stage).last).number
    try stage.press("enter")
    stage.effects = []
    stage.send(.rules(.saved(stage.asked, try #require(stage.state.dialog.ruleForm).draft, reason: nil)))
    #expect(!stage.effects.contains(.rules(.stopTrial)))
    stage.send(.rules(.tried(first, trial())))
    stage.send(.rules(.tried(last, trial { ($0.matched, $0.rest) = (7, MessageID(3)) })))
    #expect(stage.bottom.contains("Saved. y applies it to the last 30 days."))
    stage.send(.rules(.tried(last, trial { $0.matched = 9 })))
    #expect(stage.bottom.contains("Saved. y applies it to 9 messages of the last 30 days."))
    try stage.press("j")
    stage.send(.rules(.tried(last, trial())))
    #expect(!stage.bottom.contains("Saved"))
  }

  @Test func theQuestionIsAmongTheReports() throws {
    var stage = try stage()
    try stage.press("enter")
    stage.send(.rules(.saved(stage.asked, try #require(saved(stage).first), reason: nil)))
    try stage.press("esc", "M")
    #expect(stage.screen.contains("Saved. y applies it to the last 30 days."), "\(stage.screen)")
  }

  @Test func nothingIsAskedWhereNothingWouldChange() throws {
    var stage = try stage()
    try choose("silent", in: &stage)
    try stage.press("enter")
    stage.send(.rules(.saved(stage.asked, try #require(saved(stage).first), reason: nil)))
    #expect(stage.bottom.contains("Saved. Build server failed works from now on."))
    try stage.press("y")
    #expect(!stage.effects.contains { if case .rules(.apply) = $0 { true } else { false } })
  }

  // MARK: Small screens

  @Test func theNumbersAreBelowOnSmallerScreens() throws {
    for (columns, rows) in [(80, 24), (40, 10), (20, 5)] {
      var stage = try stage(columns, rows)
      let number = try #require(requests(stage).last).number
      stage.send(.rules(.tried(number, trial())))
      let numbers = try #require(stage.lines.firstIndex { $0.contains("312 of 4210") }, "\(columns)")
      let query = try #require(
        stage.lines.firstIndex { $0.contains("When") })
      #expect(query < numbers)
      #expect(stage.frame.cursor?.row == query)
      #expect(stage.lines.count == rows)
    }
    let stage = try stage(80, 24)
    for text in ["New rule", "Name", "When", "Do", "Stop"] { #expect(stage.screen.contains(text)) }
    #expect(stage.bottom.contains("enter save  esc cancel  tab complete"))
  }

  @Test func anySizeIsDrawn() throws {
    for (columns, rows) in [(1, 1), (0, 0), (4, 2), (10, 3), (200, 60), (90, 3)] {
      var stage = try stage(100, 24)
      stage.send(.rules(.tried(try #require(requests(stage).last).number, trial())))
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
    // The mouse does not reach the panes behind the form.
    stage.send(.input(.mouse(Mouse(kind: .click, at: Point(column: 30, row: 5)))))
    #expect(stage.state.dialog.ruleForm != nil && stage.selectedTitle == "Build 4 failed")
  }
}
