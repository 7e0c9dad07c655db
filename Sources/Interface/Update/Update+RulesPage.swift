import Messages
import Screen

/// The page of all rules.
extension AppState {
  private var rulesPage: RulesPage? {
    if case .rules(let page)? = dialog.overlay { page } else { nil }
  }

  mutating func toggleRules() -> [Effect] {
    if rulesPage != nil {
      dialog.overlay = nil
      return []
    }
    dialog.overlay = .rules(RulesPage())
    return [.loadRules]
  }

  mutating func applyRules(_ rows: [RuleRow]) {
    guard var page = rulesPage else { return }
    page.apply(rows)
    dialog.overlay = .rules(page)
  }

  /// The settings have other rules now.
  func reloadRules() -> [Effect] { rulesPage == nil ? [] : [.loadRules] }

  /// Performs a command on the selected rule, or returns `nil` if the command does the same everywhere.
  mutating func performOnRules(_ command: Command) -> [Effect]? {
    guard let page = rulesPage else { return nil }
    switch command {
    case .open, .editSource: return page.row.map { openRule($0, besides: page.rows ?? []) } ?? []
    case .editSettings: return [.editSettingsOfRule(page.row?.name)]
    case .pauseSource: return page.row.map { [.switchRule($0.name, isOn: !$0.isOn, pending.ask())] } ?? []
    case .removeSource: return page.row.map { removeRule($0.name) } ?? []
    default: return nil
    }
  }

  private mutating func removeRule(_ name: String) -> [Effect] {
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
