import Messages
import Queries
import Screen
import Words

/// Writing a rule from a message.
extension AppState {
  mutating func startRule() -> [Effect] {
    guard let id = single?.id else { return [] }
    let request = pending.ask()
    pending.form = request
    return [.rules(.loadOrigin(id, request)), loadNames()]
  }

  mutating func openRuleForm(_ origin: RuleOrigin?, _ request: RequestID) -> [Effect] {
    guard let origin else {
      if pending.form == request { pending.form = nil }
      return report(words(.messageGone), .warning)
    }
    guard mayOpenForm(request) else { return [] }
    dialog.ruleForm = RuleForm(origin)
    return tryRule(rests: false)
  }

  /// Opens the form for a rule of the page of rules. The page is shown again afterwards.
  mutating func openRule(_ row: RuleRow, besides all: [RuleRow]) -> [Effect] {
    dialog.ruleForm = RuleForm(row, besides: all)
    return tryRule(rests: false) + [loadNames()]
  }

  // MARK: Keys

  mutating func handleInRuleForm(_ press: KeyPress) -> [Effect] {
    guard dialog.ruleForm != nil else { return [] }
    switch press.key {
    case .escape: return leaveRuleForm()
    case .enter: return saveRule()
    case .down: dialog.ruleForm?.select(by: 1)
    case .up: dialog.ruleForm?.select(by: -1)
    case .tab, .backTab: return completeInRuleForm(isForward: press.key == .tab)
    case .character(" "), .left, .right:
      if choose(press.key) { return [] }
      return editRule { $0.press(press) }
    case .character(let letter) where press.modifiers.isEmpty && dialog.ruleForm?.selected == .marks:
      dialog.ruleForm?.moveMark(to: letter)
    case .character, .backspace, .delete, .insert, .home, .end, .pageUp, .pageDown, .function:
      return editRule { $0.press(press) }
    }
    return []
  }

  mutating func pasteIntoRuleForm(_ text: String) -> [Effect] {
    editRule {
      $0.insert(text)
      return true
    }
  }

  private mutating func editRule(_ change: (inout LineEditor) -> Bool) -> [Effect] {
    guard dialog.ruleForm?.phase.isAsking != true, dialog.ruleForm?.edit(change) == true else { return [] }
    dialog.ruleForm?.phase = .editing
    dialog.ruleForm?.completion = nil
    return tryRule(rests: true)
  }

  /// Handles Space and arrows in a field without text.
  ///
  /// - Returns: whether the selected field is one of these.
  private mutating func choose(_ key: Key) -> Bool {
    guard var form = dialog.ruleForm else { return false }
    let isAsking = form.phase.isAsking
    switch form.selected {
    case .marks where key == .left: form.moveMark(by: -1)
    case .marks where key == .right: form.moveMark(by: 1)
    case .marks: form.toggleMark()
    case .priority: form.changePriority(by: key == .left ? -1 : 1)
    case .stop: form.stops.toggle()
    case .name, .condition, .tags, .withoutTags, .snooze: return false
    }
    if isAsking { return true }
    form.phase = .editing
    dialog.ruleForm = form
    return true
  }

  /// Replaces the word being typed with the next of the possible words; if there are none, moves to the next field.
  private mutating func completeInRuleForm(isForward: Bool) -> [Effect] {
    guard var form = dialog.ruleForm, !form.phase.isAsking else { return [] }
    var completing: SearchCompletion
    if let last = form.completion {
      completing = last
      completing.index = (last.index + (isForward ? 1 : last.texts.count - 1)) % last.texts.count
    } else if isForward, let found = form.completions(names: queryNames) {
      completing = SearchCompletion(start: found.start, texts: found.texts, index: 0)
    } else {
      dialog.ruleForm?.select(by: isForward ? 1 : -1)
      return []
    }
    _ = form.edit {
      $0.replace(from: completing.start, with: completing.texts[completing.index])
      return true
    }
    form.phase = .editing
    // After a single word, the next Tab completes the following one.
    form.completion = completing.texts.count > 1 ? completing : nil
    dialog.ruleForm = form
    return tryRule(rests: true)
  }

  private mutating func leaveRuleForm() -> [Effect] {
    let phase = dialog.ruleForm?.phase
    dialog.ruleForm = nil
    if case .asking(let request)? = phase { return [.rules(.stopTrial), .giveUp(request)] }
    return [.rules(.stopTrial)]
  }

  // MARK: The trial

  /// Starts a trial of the rule, which finds the earlier messages that the rule matches, if its query has changed.
  /// Stops the trial if the query is invalid.
  ///
  /// - Parameter rests: whether the trial waits until the user stops typing.
  private mutating func tryRule(rests: Bool) -> [Effect] {
    guard let form = dialog.ruleForm else { return [] }
    guard case .success(let condition) = form.meaning else {
      if form.request == nil { return [] }
      dialog.ruleForm?.ask(nil)
      return [.rules(.stopTrial)]
    }
    if form.request?.condition == condition { return [] }
    rules.trials += 1
    let request = RuleTrialRequest(number: rules.trials, condition: condition, rests: rests)
    dialog.ruleForm?.ask(request)
    return [.rules(.startTrial(request))]
  }

  // MARK: Saving and applying

  private mutating func saveRule() -> [Effect] {
    guard let form = dialog.ruleForm, !form.phase.isAsking else { return [] }
    if let mistake = form.mistake {
      // The sentence is shown next to the field.
      dialog.ruleForm?.selected = mistake.field
      dialog.ruleForm?.phase = .editing
      return []
    }
    dialog.ruleForm?.completion = nil
    let request = pending.ask()
    dialog.ruleForm?.phase = .asking(request)
    return [.rules(.save(form.draft, request))]
  }

  /// Reports the result of saving a rule. For a new rule that changes messages, asks whether to apply it to earlier
  /// ones.
  ///
  /// - Parameter reason: the reason why it was not saved, or `nil` if it was.
  mutating func applySaved(_ draft: RuleDraft, reason: String?, _ request: RequestID) -> [Effect] {
    let form = dialog.ruleForm.flatMap { $0.phase == .asking(request) ? $0 : nil }
    if let reason {
      let sentence = SafeText(untrusted: reason)
      if form != nil {
        dropWaiting()
        dialog.ruleForm?.phase = .failed(sentence)
      } else {
        report(words(.sourceUnchanged, sentence), .failure)
      }
      return []
    }
    let name = SafeText(untrusted: draft.name)
    guard let form else { return report(words(.ruleSaved, name)) }
    dialog.ruleForm = nil
    // Whether there is a question depends only on what the form showed, since a trial may end before the next key or
    // after it.
    guard form.changesMessages, form.replaces == nil else {
      report(words(.ruleSaved, name))
      return [.rules(.stopTrial)]
    }
    let count = form.isCurrent && form.findings?.rest == nil ? form.findings?.matched : nil
    statusLine.add(Toast(ruleQuestion(matches: count)))
    dialog.question = .rule(draft.name, matches: count, trial: form.request?.number)
    return count == nil ? [] : [.rules(.stopTrial)]
  }

  /// Applies a rule that was just saved to earlier messages.
  mutating func apply(rule: String) -> [Effect] {
    let id = pending.acts.add(.act(.rule([])), isShown: false)
    pending.confirmation = Pending.Confirmation(act: id, text: .done(.undoneRule, before: 0))
    report(words(.ruleApplying, SafeText(untrusted: rule)) + options.signs.ellipsis)
    showPendingActs()
    return [.rules(.stopTrial), .rules(.apply(rule, id))]
  }
}
