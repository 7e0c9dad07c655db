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
    #expect(stage.effects.last == .loadRules)
    stage.send(.rulesLoaded(Self.rows))
    try stage.press("j")
    return stage
  }

  /// The settings have other rules, and they are read.
  private func answer(_ stage: inout Stage, with rows: [RuleRow]) {
    stage.send(.rulesChanged)
    #expect(stage.effects.last == .loadRules)
    stage.send(.rulesLoaded(rows))
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
    guard case .switchRule("alerts", false, let request)? = stage.effects.last else {
      Issue.record("\(String(describing: stage.effects.last))")
      return
    }
    answer(&stage, with: Self.rows)
    stage.send(.ruleSwitched(request, name: "alerts", isOn: false))
    #expect(stage.bottom.contains("alerts is off (U to undo)."))
    try stage.press("D")
    guard case .removeRule("alerts", let act)? = stage.effects.last else {
      Issue.record("\(String(describing: stage.effects.last))")
      return
    }
    stage.send(.performed(act))
    #expect(stage.bottom.contains("Removed alerts. U brings it back."))
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    try stage.press("E")
    #expect(stage.effects.last == .editSettingsOfRule("later"))
  }

  private func removed(_ stage: Stage) -> [String] {
    stage.effects.compactMap { if case .removeRule(let name, _) = $0 { name } else { nil } }
  }

  /// Removes the middle rule and asks for the undo, which the store answers with an edit.
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
    // What is typed before it is there waits for it.
    try stage.press("D")
    #expect(removed(stage) == ["alerts"])
    answer(&stage, with: Self.rows)
    #expect(removed(stage) == ["alerts", "alerts"])
  }

  @Test func anotherUndoLeavesTheSelection() throws {
    var stage = try undone(SettingsAct(.removed, "team"))
    try stage.press("D")
    #expect(removed(stage) == ["alerts", "later"])
  }

  @Test func aSecondKeyMeansTheRulesAfterTheFirst() throws {
    var stage = try stage()
    try stage.press("D", "D")
    #expect(removed(stage) == ["alerts"])
    answer(&stage, with: [Self.rows[0], Self.rows[2]])
    #expect(removed(stage) == ["alerts", "later"])
    // A refusal lets the next key through.
    stage.send(.refused(stage.state.pending.acts.entries.last?.id ?? .none, reason: "the disk is full"))
    try stage.press("k", "D")
    #expect(removed(stage) == ["alerts", "later", "noise"])
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
    guard case .saveRule(let draft, let request)? = stage.effects.last else {
      Issue.record("\(String(describing: stage.effects.last))")
      return
    }
    #expect(draft.condition == "source:team title:x" && draft.replaces == "alerts")
    stage.send(.ruleSaved(request, draft, reason: nil))
    #expect(stage.screen.contains("title:noise") && stage.state.dialog.ruleForm == nil)
    // The settings have it.
    stage.send(.rulesChanged)
    #expect(stage.effects.last == .loadRules)
  }

  @Test func theSelectedRuleStaysSelected() throws {
    var stage = try stage()
    stage.send(.rulesLoaded([Self.rows[2], Self.rows[1]]))
    try stage.press("e")
    #expect(stage.state.dialog.ruleForm?.draft.name == "alerts")
    try stage.press("esc", "w")
    #expect(stage.state.dialog.overlay == nil)
    // Nobody looks at it.
    let count = stage.effects.count
    stage.send(.rulesChanged)
    #expect(stage.effects.count == count)
  }

  @Test func withoutRulesItSaysHowToBeginOne() throws {
    var stage = Stage(columns: 80, rows: 24)
    try stage.press("w")
    stage.send(.rulesLoaded([]))
    #expect(stage.screen.contains("No rules yet. W on a message begins one."))
    try stage.press("e", "D", "P", "j", "k")
    #expect(stage.effects.last == .loadRules)
  }
}
