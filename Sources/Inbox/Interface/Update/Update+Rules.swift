import Messages
import Queries
import Screen
import Words

/// Writing a rule that begins with a message.
extension AppState {
  mutating func startRule() -> [Effect] {
    guard let id = single?.id else { return [] }
    let request = pending.ask()
    pending.form = request
    return [.loadRuleOrigin(id, request), loadNames()]
  }

  mutating func openRuleForm(_ origin: RuleOrigin?, _ request: RequestID) -> [Effect] {
    guard let origin else {
      if pending.form == request { pending.form = nil }
      statusLine.toast = Toast(words(.messageGone), .warning)
      return []
    }
    guard mayOpenForm(request) else { return [] }
    dialog.ruleForm = RuleForm(origin)
    return tryRule(rests: false)
  }

  /// Opens a rule of the page of rules, which is there again afterwards.
  mutating func openRule(_ row: RuleRow, besides all: [RuleRow]) -> [Effect] {
    dialog.ruleForm = RuleForm(row, besides: all)
    return tryRule(rests: false) + [loadNames()]
  }

  // MARK: Keys

  mutating func handleInRuleForm(_ press: KeyPress) -> [Effect] {
    guard dialog.ruleForm != nil else { return [] }
    switch options.keymap.command(for: press, in: .overlay) {
    case .redraw? where press.modifiers.contains(.control): return [.redraw]
    case .suspend? where press.modifiers.contains(.control): return [.suspend]
    default: break
    }
    switch press.key {
    case .escape: return leaveRuleForm()
    case .enter: return saveRule()
    case .down: dialog.ruleForm?.select(by: 1)
    case .up: dialog.ruleForm?.select(by: -1)
    case .tab, .backTab: return completeInRuleForm(isForward: press.key == .tab)
    case .character(" "), .left, .right:
      if dialog.ruleForm?.selected == .stop { return switchStop() }
      return editRule { $0.press(press) }
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

  private mutating func switchStop() -> [Effect] {
    guard dialog.ruleForm?.phase.isAsking != true else { return [] }
    dialog.ruleForm?.stops.toggle()
    dialog.ruleForm?.phase = .editing
    return []
  }

  /// Puts the next of the possible words in place of what is being typed; where there are none, it goes to the next field.
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
    // With one, the next Tab completes what follows it.
    form.completion = completing.texts.count > 1 ? completing : nil
    dialog.ruleForm = form
    return tryRule(rests: true)
  }

  private mutating func leaveRuleForm() -> [Effect] {
    let phase = dialog.ruleForm?.phase
    dialog.ruleForm = nil
    if case .asking(let request)? = phase { return [.stopRuleTrial, .giveUp(request)] }
    return [.stopRuleTrial]
  }

  // MARK: The trial

  /// Asks what the rule would have done, where its query has changed.
  private mutating func tryRule(rests: Bool) -> [Effect] {
    guard let form = dialog.ruleForm else { return [] }
    guard case .success(let condition) = form.meaning else {
      if form.request == nil { return [] }
      dialog.ruleForm?.ask(nil)
      return [.stopRuleTrial]
    }
    if form.request?.condition == condition { return [] }
    pending.ruleTrials += 1
    let request = RuleTrialRequest(number: pending.ruleTrials, condition: condition, rests: rests)
    dialog.ruleForm?.ask(request)
    return [.tryRule(request)]
  }

  // MARK: Saving and applying

  private mutating func saveRule() -> [Effect] {
    guard let form = dialog.ruleForm, !form.phase.isAsking else { return [] }
    if let mistake = form.mistake {
      // Its sentence is beside the field.
      dialog.ruleForm?.selected = mistake.field
      dialog.ruleForm?.phase = .editing
      return []
    }
    dialog.ruleForm?.completion = nil
    let request = pending.ask()
    dialog.ruleForm?.phase = .asking(request)
    return [.saveRule(form.draft, request)]
  }

  /// - Parameter reason: why it was not saved; nil where it was.
  mutating func applySaved(_ draft: RuleDraft, reason: String?, _ request: RequestID) -> [Effect] {
    let form = dialog.ruleForm.flatMap { $0.phase == .asking(request) ? $0 : nil }
    if let reason {
      let sentence = SafeText(untrusted: reason)
      if form != nil {
        dropWaiting()
        dialog.ruleForm?.phase = .failed(sentence)
      } else {
        statusLine.toast = Toast(words(.sourceUnchanged, sentence), .failure)
      }
      return []
    }
    let name = SafeText(untrusted: draft.name)
    guard let form else {
      statusLine.toast = Toast(words(.ruleSaved, name))
      return []
    }
    dialog.ruleForm = nil
    let count = form.isCurrent && form.findings?.rest == nil ? form.findings?.matched : nil
    if form.changesMessages, count != 0, form.replaces == nil {
      let days: SafeText = "\(RuleTrial.usualDays)"
      let key = SafeText(untrusted: RuleOffer.key.name)
      let text =
        count.map { words.count(.ruleSavedCounted, $0, key, days) } ?? words(.ruleSavedPast, key, days)
      statusLine.toast = Toast(text)
      pending.ruleOffer = RuleOffer(rule: draft.name, toast: Toast(text))
    } else {
      statusLine.toast = Toast(words(.ruleSaved, name))
    }
    return [.stopRuleTrial]
  }

  /// Applies the rule that was just saved, if the key says so while that is asked.
  mutating func handleRuleOffer(_ press: KeyPress, asked: Toast?) -> [Effect]? {
    guard let offer = pending.ruleOffer else { return nil }
    pending.ruleOffer = nil
    guard press == RuleOffer.key, asked == offer.toast, dialog.prompt == nil, !dialog.coversPanes else {
      return nil
    }
    let id = pending.acts.add(.act(.rule([])), isShown: false)
    pending.confirmation = Pending.Confirmation(act: id, text: .done(.undoneRule, before: 0))
    statusLine.toast = Toast(words(.ruleApplying, SafeText(untrusted: offer.rule)) + options.signs.ellipsis)
    showPendingActs()
    return [.applyRule(offer.rule, id)]
  }
}
