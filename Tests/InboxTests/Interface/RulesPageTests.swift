import Messages
import Screen
import Testing

@testable import Interface

/// The page of all rules, the middle one selected.
struct RulesPageTests {
  private static let rows = [
    RuleRow(name: "noise", condition: "title:noise", actions: ["hide"], hits: 12),
    RuleRow(
      name: "alerts", condition: "source:team", actions: ["star", "run"], stops: true, hasProgram: true,
      hits: 1),
    RuleRow(name: "later", condition: "tag:later", actions: ["read"], isOn: false),
  ]

  private func stage(columns: Int = 80, rows: Int = 24) throws -> Stage {
    var stage = Stage(columns: columns, rows: rows)
    try stage.press("w")
    #expect(isLoading(stage))
    stage.send(.rules(.loaded(stage.asked, Self.rows)))
    try stage.press("j")
    return stage
  }

  private func isLoading(_ stage: Stage) -> Bool { stage.effects.last == .rules(.load(stage.asked)) }

  /// The settings have other rules, and they are read.
  private func answer(_ stage: inout Stage, with rows: [RuleRow]) {
    stage.send(.rules(.changed))
    #expect(isLoading(stage))
    stage.send(.rules(.loaded(stage.asked, rows)))
  }

  @Test(arguments: [(80, 24), (40, 10), (150, 40)]) func eachIsThereWithItsState(columns: Int, rows: Int)
    throws
  {
    let stage = try stage(columns: columns, rows: rows)
    for text in [
      "noise", "title:noise", "alerts", "star, run", "source:team", "later", "off", "12 messages in 30",
    ] {
      #expect(stage.screen.contains(text), "\(text) in\n\(stage.screen)")
    }
  }

  @Test func keysMeanTheSelectedRule() throws {
    var stage = try stage()
    try stage.press("P")
    guard case .rules(.turn("alerts", false, let request))? = stage.effects.last else {
      Issue.record("\(String(describing: stage.effects.last))")
      return
    }
    answer(&stage, with: Self.rows)
    stage.send(.rules(.switched(request, name: "alerts", isOn: false)))
    #expect(stage.bottom.contains("alerts is off (U to undo)."))
    // The rules are read once more, with the change.
    try stage.press("D")
    #expect(removed(stage) == [])
    answer(&stage, with: Self.rows)
    #expect(removed(stage) == ["alerts"])
    #expect(stage.bottom.contains("Removed alerts. U brings it back."))
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    try stage.press("E")
    #expect(stage.effects.last == .rules(.editSettings("later")))
  }

  private func removed(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .rules(.remove(let name, _)) = $0 { name } else { nil } }
  }

  /// Removes the middle rule and requests an undo. The store's response is an edit.
  private func undone(_ edit: SettingsAct) throws -> Stage {
    var stage = try stage()
    try stage.press("D")
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    stage.store.edits = [edit]
    try stage.press("U")
    return stage
  }

  @Test func aRuleThatComesBackIsSelected() throws {
    var stage = try undone(SettingsAct(.ruleRemoved, "alerts"))
    // Keys that are typed before the rule is loaded wait for it.
    try stage.press("D")
    #expect(removed(stage) == ["alerts"])
    answer(&stage, with: Self.rows)
    #expect(removed(stage) == ["alerts", "alerts"])
  }

  @Test func anotherUndoLeavesTheSelection() throws {
    var stage = try undone(SettingsAct(.removed, "team"))
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    try stage.press("D")
    #expect(removed(stage) == ["alerts", "later"])
  }

  @Test func aSecondKeyMeansTheRulesAfterTheFirst() throws {
    var stage = try stage()
    try stage.press("D", "D")
    #expect(removed(stage) == ["alerts"])
    stage.refusal = "the disk is full"
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    #expect(removed(stage) == ["alerts", "later"])
    // A refusal lets the next key through.
    try stage.press("k", "D")
    #expect(removed(stage) == ["alerts", "later", "noise"])
  }

  /// Keys wait for the rules that a reading after the act found, not for any other reading or refusal.
  @Test func nothingElseLetsAKeyThrough() throws {
    var stage = Stage(columns: 80, rows: 24)
    func type(_ key: String) throws -> [Effect] {
      update(&stage.state, .input(.key(try #require(KeyPress(parsing: key)))))
    }
    var effects = try type("s")
    let star = try #require(stage.state.pending.acts.entries.last?.id)
    effects += try type("w")
    _ = update(&stage.state, .rules(.loaded(stage.asked, Self.rows)))
    effects += try type("j") + type("D") + type("D")
    // The rules of the page are read for another reason, before the first is removed.
    effects += update(&stage.state, .rules(.changed))
    effects += update(&stage.state, .rules(.loaded(stage.asked, Self.rows)))
    effects += update(&stage.state, .journal(.refused(star, reason: "the disk is full")))
    effects += update(&stage.state, .settings(.mistaken("config.toml:3: name: no")))
    func removals() -> [String] {
      effects.compactMap { if case .rules(.remove(let name, _)) = $0 { name } else { nil } }
    }
    #expect(removals() == ["alerts"])
    let removal = try #require(stage.state.pending.acts.entries.last?.id)
    effects += update(&stage.state, .journal(.performed(removal)))
    let snapshot = stage.store.snapshot(InboxQuery(), stage.state.shown.list.window)
    effects += update(&stage.state, .inboxChanged(snapshot, including: removal))
    #expect(removals() == ["alerts"])
    effects += update(&stage.state, .rules(.loaded(stage.asked, [Self.rows[0], Self.rows[2]])))
    #expect(removals() == ["alerts", "later"])
  }

  /// A response to an earlier reading may not contain the last act.
  @Test func onlyTheLastReadingIsShown() throws {
    var stage = try stage()
    stage.send(.rules(.changed))
    let earlier = stage.asked
    stage.send(.rules(.changed))
    stage.send(.rules(.loaded(stage.asked, [Self.rows[0], Self.rows[2]])))
    stage.send(.rules(.loaded(earlier, Self.rows)))
    try stage.press("D")
    #expect(removed(stage) == ["later"])
  }

  @Test func editingARuleReplacesItAndThePageIsThereAgain() throws {
    var stage = try stage()
    try stage.press("e")
    let form = try #require(stage.state.dialog.ruleForm)
    #expect(form.mistake == nil, "its program stays in the settings")
    #expect(
      form.draft
        == RuleDraft(
          name: "alerts", condition: "source:team", actions: ["star", "run"], stops: true, replaces: "alerts")
    )
    #expect(stage.screen.contains("From now on, new messages that match will get a star"))
    #expect(stage.screen.contains("later rules don't see them"))
    stage.type(" title:x")
    try stage.press("enter")
    guard case .rules(.save(let draft, let request))? = stage.effects.last else {
      Issue.record("\(String(describing: stage.effects.last))")
      return
    }
    #expect(draft.condition == "source:team title:x" && draft.replaces == "alerts")
    stage.send(.rules(.saved(request, draft, reason: nil)))
    #expect(stage.screen.contains("title:noise") && stage.state.dialog.ruleForm == nil)
    // The settings have it.
    stage.send(.rules(.changed))
    #expect(isLoading(stage))
  }

  @Test func theSelectedRuleStaysSelected() throws {
    var stage = try stage()
    stage.send(.rules(.loaded(stage.asked, [Self.rows[2], Self.rows[1]])))
    try stage.press("e")
    #expect(stage.state.dialog.ruleForm?.draft.name == "alerts")
    try stage.press("esc", "w")
    #expect(stage.state.dialog.overlay == nil)
    // The page is not open.
    let count = stage.effects.count
    stage.send(.rules(.changed))
    #expect(stage.effects.count == count)
  }

  @Test func withoutRulesItSaysHowToBeginOne() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("w")
    stage.send(.rules(.loaded(stage.asked, [])))
    #expect(stage.screen.contains("No rules yet. W on a message begins one."))
    try stage.press("e", "D", "P", "j", "k")
    #expect(isLoading(stage))
  }
}
