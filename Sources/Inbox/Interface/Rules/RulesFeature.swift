package import Messages
import Screen
import Words

package enum RulesAction: Hashable, Sendable {
  /// The response to `load`, with all rules of the settings.
  case loaded(RequestID, [RuleRow])
  /// The rules of the settings have changed.
  case changed
  /// The response to `turn`, with the rule's name and its new state.
  case switched(RequestID, name: String, isOn: Bool)
  /// The response to `loadOrigin`, with `nil` if the message does not exist.
  case originLoaded(RequestID, RuleOrigin?)
  /// A response to `startTrial`, with the number of its request and the result so far. The last one is sent
  /// when all messages are examined.
  case tried(Int, RuleTrial)
  /// The response to `save`; `reason` explains why nothing was written.
  case saved(RequestID, RuleDraft, reason: String?)
}

package enum RulesEffect: Hashable, Sendable {
  /// Reads the settings again, since a written act may have changed them, and loads their rules. The response
  /// is `loaded`.
  case load(RequestID)
  /// Loads the message from which a rule is started. The response is `originLoaded`.
  case loadOrigin(MessageID, RequestID)
  /// Tries a rule with the messages of the last days. The response is several `tried`. A later trial replaces it.
  case startTrial(RuleTrialRequest)
  /// Stops the trial, since its results are no longer needed.
  case stopTrial
  /// Writes a rule into the settings file. The response is `saved`.
  case save(RuleDraft, RequestID)
  /// Switches a rule on or off. The response is `switched` or `SettingsAction.unchanged`.
  case turn(String, isOn: Bool, RequestID)
  /// Removes a rule from the settings. This is an act, with the response `performed` or `refused`.
  case remove(named: String, ActID)
  /// Applies a rule of the settings to the messages of the last days. This is an act, with the response `performed` or
  /// `refused`.
  case apply(String, ActID)
  /// Opens the settings file in the user's editor, at the line of that rule.
  case editSettings(String?)
}

/// The page of all rules.
extension AppState {
  mutating func reduce(_ action: RulesAction) -> [Effect] {
    switch action {
    case .loaded(let request, let rows): rulesPage?.apply(rows, for: request)
    case .changed: return readRules()
    case .switched(let request, let name, let isOn):
      if pending.change == .asked(request) { pending.change = nil }
      let phrase: Phrase = isOn ? .ruleIsOn : .ruleIsOff
      report(words(phrase, SafeText(untrusted: name), options.keymap.name(of: .undo)))
      return readRules()
    case .originLoaded(let request, let origin): return openRuleForm(origin, request)
    case .tried(let number, let trial):
      dialog.ruleForm?.apply(trial, number: number)
      if case .rule(let name, _, trial: number)? = dialog.question, trial.rest == nil {
        dialog.question = .rule(name, matches: trial.matched, trial: number)
      }
    case .saved(let request, let draft, let reason): return applySaved(draft, reason: reason, request)
    }
    return []
  }

  /// The page of rules, if it is shown or covered by the help.
  private var rulesPage: RulesPage? {
    get {
      // The help may cover it.
      if case .rules(let page)? = dialog.beneath?.page ?? dialog.overlay { page } else { nil }
    }
    set {
      guard let newValue, rulesPage != nil else { return }
      if dialog.beneath == nil {
        dialog.overlay = .rules(newValue)
      } else {
        dialog.beneath?.page = .rules(newValue)
      }
    }
  }

  /// Whether the rules of the page are being loaded.
  var isReadingRules: Bool { rulesPage?.isReading ?? false }

  private mutating func toggleRules() -> [Effect] {
    if rulesPage != nil {
      dialog.overlay = nil
      return []
    }
    dialog.show(.rules(RulesPage()))
    return readRules()
  }

  /// Loads the rules for the page if it is shown: at first, after a change of the settings, and after each act, which
  /// may have changed them.
  ///
  /// - Parameter restored: a rule that may exist again; it is selected then.
  mutating func readRules(restored: String? = nil) -> [Effect] {
    guard rulesPage != nil else { return [] }
    let request = pending.ask()
    rulesPage?.beginReading(request, restored: restored)
    return [.rules(.load(request))]
  }

  mutating func giveUpRules() { rulesPage?.giveUp() }

  /// Performs the commands that apply to the selected rule while the page is shown.
  mutating func performRules(_ command: Command) -> [Effect]? {
    switch command {
    case .rules: return toggleRules()
    case .makeRule: return startRule()
    case _: break
    }
    guard let page = rulesPage else { return nil }
    switch command {
    case .open, .editSource: return page.row.map { openRule($0, besides: page.rows ?? []) } ?? []
    case .editSettings: return [.rules(.editSettings(page.row?.name))]
    case .pauseSource: return page.row.map { switchRule($0) } ?? []
    case .removeSource: return page.row.map { removeRule($0.name) } ?? []
    default: return nil
    }
  }

  private mutating func switchRule(_ rule: RuleRow) -> [Effect] {
    [.rules(.turn(rule.name, isOn: !rule.isOn, askForChange()))]
  }

  private mutating func removeRule(_ name: String) -> [Effect] {
    let id = pending.acts.add(.act(.settings(SettingsAct(.ruleRemoved, name))), isShown: false)
    let text = words(.sourceRemoved, SafeText(untrusted: name), options.keymap.name(of: .undo))
    pending.confirmation = Pending.Confirmation(act: id, text: .text(text))
    return [.rules(.remove(named: name, id))]
  }
}

extension SettingsAct {
  /// The name of the rule that the edit changes, or `nil` for another edit.
  var ruleName: String? {
    switch kind {
    case .ruleAdded, .ruleChanged, .ruleRemoved, .ruleOn, .ruleOff: name
    case _: nil
    }
  }
}
