import Messages
import Screen
import Words

/// The page of all rules.
extension AppState {
  private var rulesPage: RulesPage? {
    get { if case .rules(let page)? = dialog.overlay { page } else { nil } }
    set { if let newValue, rulesPage != nil { dialog.overlay = .rules(newValue) } }
  }

  /// Whether the page gets other rules.
  var isReadingRules: Bool { rulesPage?.isReading ?? false }

  mutating func toggleRules() -> [Effect] {
    if rulesPage != nil {
      dialog.overlay = nil
      return []
    }
    dialog.overlay = .rules(RulesPage())
    return reloadRules()
  }

  mutating func applyRules(_ rows: [RuleRow]) { rulesPage?.apply(rows) }

  /// The settings have other rules now.
  mutating func reloadRules() -> [Effect] {
    rulesPage?.beginReading()
    return rulesPage == nil ? [] : [.loadRules]
  }

  /// The settings refused the change.
  mutating func endChangeOfRules() { rulesPage?.endChange() }

  mutating func giveUpRules() { rulesPage?.giveUp() }

  /// An edit was undone or redone: the rule that it was about is selected, if it is there again.
  mutating func showTurned(_ edit: SettingsAct) {
    switch edit.kind {
    case .ruleAdded, .ruleChanged, .ruleRemoved, .ruleOn, .ruleOff:
      rulesPage?.beginChange(restored: edit.name)
    case _: break
    }
  }

  /// Performs a command on the selected rule, or returns `nil` if the command does the same everywhere.
  mutating func performOnRules(_ command: Command) -> [Effect]? {
    guard let page = rulesPage else { return nil }
    switch command {
    case .open, .editSource: return page.row.map { openRule($0, besides: page.rows ?? []) } ?? []
    case .editSettings: return [.editSettingsOfRule(page.row?.name)]
    case .pauseSource: return page.row.map { switchRule($0) } ?? []
    case .removeSource: return page.row.map { removeRule($0.name) } ?? []
    default: return nil
    }
  }

  private mutating func switchRule(_ rule: RuleRow) -> [Effect] {
    rulesPage?.beginChange()
    return [.switchRule(rule.name, isOn: !rule.isOn, pending.ask())]
  }

  private mutating func removeRule(_ name: String) -> [Effect] {
    rulesPage?.beginChange()
    let id = pending.acts.add(.act(.settings(SettingsAct(.ruleRemoved, name))))
    let text = words(.sourceRemoved, SafeText(untrusted: name), options.keymap.name(of: .undo))
    pending.confirmation = Pending.Confirmation(act: id, text: .text(text))
    return [.removeRule(named: name, id)]
  }

  mutating func sayRuleIsSwitched(_ name: String, isOn: Bool) {
    let phrase: Phrase = isOn ? .ruleIsOn : .ruleIsOff
    statusLine.toast = Toast(words(phrase, SafeText(untrusted: name), options.keymap.name(of: .undo)))
  }
}
