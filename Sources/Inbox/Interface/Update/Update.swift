package import Foundation
import Messages
import Screen
import Words

/// Applies an action to the state, and returns what is to be done.
///
/// Pure: no clock, store or screen. Lists change because the store did; an act of the user on a message
/// is shown at once, and until a snapshot from after the write comes, or the store refuses it.
///
/// Input waits while the place that an earlier key led to is being read; nothing is done after quitting.
package func update(_ state: inout AppState, _ action: Action) -> [Effect] {
  guard !state.isOver else { return [] }
  state.statusLine.timePassed(to: state.now)
  var effects: [Effect] = []
  if case .input(let event) = action {
    if state.waiting.isEmpty { effects += state.endSequence(before: event, typed: state.now) }
    if state.isOver { return effects }
    if let held = state.holdBack(event) { return effects + held }
  }
  effects += state.step(action)
  if !state.isOver { effects += state.doWaiting() }
  state.rememberDrawn()
  return effects
}

/// The same after the time has changed.
package func update(_ state: inout AppState, _ action: Action, at now: Date) -> [Effect] {
  state.now = now
  return update(&state, action)
}

extension AppState {
  /// Applies an action, and restores what must hold after each.
  mutating func step(_ action: Action) -> [Effect] { step { $0.apply(action) } }

  mutating func step(_ change: (inout AppState) -> [Effect]) -> [Effect] {
    let effects = change(&self)
    let consequences = restore()
    guard case .quit? = effects.last else { return effects + consequences }
    isOver = true
    return consequences + effects
  }

  mutating func apply(_ action: Action) -> [Effect] {
    switch action {
    case .started: return start()
    case .timeChanged(let date): now = date
    case .input(let event): return handle(event, typed: now)
    case .optionsChanged(let options):
      let order = self.options.layout.order
      self.options = options
      shown.reader.forgetLayout()
      shown.banner?.forgetLayout()
      shown.sources.name(words)
      showWelcome(selecting: shown.list.selectedRow?.id)
      shown.list.fold(options.layout.foldsRepeats)
      if options.layout.order != order {
        var query = shown.list.query
        query.order = options.layout.order
        // What was chosen in the settings last is newer than what was chosen with the key.
        return changePreferences { $0.listOrder = nil } + show(query)
      }
    case .keymapProblems(let problems):
      statusLine.keymapProblem = problems.first.map { words.sentence($0) }
      if let problem = statusLine.keymapProblem { statusLine.show(lasting: Toast(problem, .warning)) }
    case .settingsMistaken(let mistake):
      statusLine.settingsMistake = mistake.map { SafeText(untrusted: $0) }
      endChangeOfRules()
      if let mistake = statusLine.settingsMistake {
        statusLine.show(lasting: Toast(words(.settingsMistake, mistake), .failure))
      }
    case .settingsTaken(let problem):
      statusLine.settingsProblem = problem.map { SafeText(untrusted: $0) }
      if let problem = statusLine.settingsProblem { statusLine.show(lasting: Toast(problem, .failure)) }
    case .restartNeeded(let keys):
      statusLine.toast = Toast(
        words(.restartNeeded, SafeText(untrusted: keys.joined(separator: ", "))), .warning)

    case .inboxChanged(let snapshot, let including): return apply(snapshot, including: including)
    case .messageLoaded(let id, let message, let including): return apply(message, id, including: including)
    case .unreadFound(let request, let key): return applyUnread(request, key)
    case .namesLoaded(let request, let names):
      if pending.names == request { pending.names = nil }
      dialog.names = names
    case .hitsFound(let query, let keys): shown.list.apply(hits: keys, of: query)
    case .performed(let id, let changed): applyPerformed(id, changed: changed)
    case .removedHere(let title, let machines): showRemovedHere(title, keptOn: machines)
    case .undone(let id, let act, let count, let left, let machines):
      showUndone(act, id, count: count, left: left, on: machines)
    case .redone(let id, let act, let count, let left): showRedone(act, id, count: count, left: left)
    case .snoozed(let act, let selection, let until, let text, let request):
      return applySnoozed(selection, until: until, text: text, act: act, request)
    case .addressesFound(let request, let addresses): return open(addresses, request)
    case .refused(let id, let reason): return applyRefused(id, reason: reason)

    case .looked(let number): attention.lookEnded(number)

    case .pollingChanged(let standings): polling.merge(standings) { $1 }
    case .pollAttempted(let attempt):
      if isShown(attempt.source) { shown.timeline.add(attempt) }
    case .timelineLoaded(let source, let attempts):
      if source == shownSource { shown.timeline.apply(attempts.filter { isShown($0.source) }) }
    case .refreshEnded(let source, let result): applyRefresh(result, of: source)
    case .addAnswered(let request, let answer): return applyAnswer(answer, request)
    case .formLoaded(let request, let form): openForm(form, request)
    case .formAnswered(let request, let reason, let field):
      applyFormAnswer(reason: reason, at: field, request)
    case .ruleOriginLoaded(let request, let origin): return openRuleForm(origin, request)
    case .ruleTried(let number, let trial): dialog.ruleForm?.apply(trial, number: number)
    case .ruleSaved(let request, let draft, let reason): return applySaved(draft, reason: reason, request)
    case .sourceChanged(let request, let change, let title): return applyChanged(change, of: title, request)
    case .settingsUnchanged(let request, let reason): applyUnchanged(reason: reason, request)
    case .listSaved(let request, let name, let reason): return applySavedList(name, reason: reason, request)
    case .laidOut(let number, let page): shown.reader.apply(page, for: number)
    case .layingOut(let number): shown.reader.wait(for: number)
    case .pictureAnswered(let request, let answer):
      shown.reader.apply(answer, for: request)
      shown.banner?.apply(answer, for: request)
    case .articleRequested(let number): shown.reader.changeArticle { $0.fetchBegan(number) }
    case .articleAnswered(let request, let answer): apply(answer, for: request)
    case .bannerRaised(let placement): return raise(placement)
    case .bannerLoaded(let page): apply(page)
    case .bannerReady: shown.banner?.scriptsRan()
    case .bannerChanged(let page): shown.banner?.change(to: page)
    case .viewLaidOut(let number, let view): shown.banner?.apply(view, for: number)
    case .bannerFailed(let failure): apply(failure)
    case .bannerAsked(let address, let isAfterPress):
      return applyAsked(AskedAddress(address: address, isAfterPress: isAfterPress))
    case .bannerClosed: bannerIsGone()
    case .slid(let steps): return slideBanner(by: steps)
    case .copied(let request, let address, let isSent): applyCopied(address, isSent: isSent, request)
    case .piped(let command, let end, let count): apply(end, of: command, onlyFirst: count)
    case .saved(let request, let given, let answer): saveEnded(answer, for: given, request)
    case .programFailed(let program, let reason):
      statusLine.toast = Toast(
        words(.programFailed, SafeText(untrusted: program), SafeText(untrusted: reason)), .failure)
    case .programEnded(let words): runningEnded(words.joined(separator: " "))
    case .linkOpened(let address): runningEnded(address)
    case .linkFailed(let address, let reason):
      statusLine.toast = Toast(
        words(.linkFailed, SafeText(untrusted: address), SafeText(untrusted: reason)), .failure)
    case .hookFailed(let reason):
      statusLine.toast = Toast(words(.hookFailed, SafeText(untrusted: reason)), .failure)
    case .wentToPane(let message, let answer): return wentToPane(of: message, answer)
    case .actionEnded(let action, let failure):
      let label = SafeText(untrusted: action.label)
      statusLine.toast =
        failure.map { Toast(words(.actionFailed, label, words.sentence($0)), .failure) }
        ?? Toast(words(action.upstream == nil ? .actionSent : .actionQueued, label))
    case .quieted(let request, let until): applyQuiet(until: until, request)
    case .rulesLoaded(let rows): applyRules(rows)
    case .rulesChanged: return reloadRules()
    case .ruleSwitched(_, let name, let isOn): sayRuleIsSwitched(name, isOn: isOn)
    case .gaveUp: statusLine.toast = Toast(words(.gaveUp))
    case .quietRefused(let request, let text): applyQuietRefusal(of: text, request)
    case .quietChanged(let span): quiet = span
    case .unsentChanged(let acts): unsent = acts
    case .desktopFailed(let reason):
      statusLine.toast = Toast(words(.desktopFailed, SafeText(untrusted: reason)), .failure)
    case .noticeFailed(let reason):
      statusLine.toast = Toast(words(.noticeFailed, SafeText(untrusted: reason)), .failure)
    case .logFailed(let reason):
      statusLine.toast = Toast(words(.logFailed, SafeText(untrusted: reason)), .failure)
    case .failed(let failure):
      statusLine.toast = Toast(words.sentence(failure, longest: Words.longestReason), .failure)
    case .waitEnded(let wait): endWait(wait)
    case .sequenceEnded(let number): return endSequence(number)
    case .secondPassed: animation.isCountingDown = false
    case .ticked: animation.tick()
    }
    return []
  }

  private mutating func start() -> [Effect] {
    // No refresh: the poller makes the first poll of each source after its initial delay.
    var effects: [Effect] = [.load(shown.list.query, shown.list.window)]
    if shown.timeline.isOpen { effects.append(loadTimeline()) }
    return effects
  }

  /// - Parameter time: when it was typed; it may have waited since.
  mutating func handle(_ event: InputEvent, typed time: Date) -> [Effect] {
    switch event {
    case .resize(let new):
      terminal.size = Size(columns: max(0, new.columns), rows: max(0, new.rows))
      return []
    case .focus(let hasFocus):
      let isBack = hasFocus && !terminal.hasFocus
      terminal.hasFocus = hasFocus
      // What comes while nobody looks is new; what was new before was seen.
      if !hasFocus { shown.list.news.end(with: shown.list.newest) }
      return isBack ? [.refresh(nil)] : []
    case .key(let press):
      attend()
      return handle(press, typed: time)
    case .mouse(let mouse):
      attend()
      return handle(mouse)
    case .paste(let text):
      attend()
      return handlePaste(text)
    }
  }

  mutating func loadTimeline() -> Effect {
    shown.timeline.ask()
    return .loadTimeline(shownSource)
  }

  private mutating func attend() {
    attention.attend()
    shown.list.touch()
  }

  private mutating func handle(_ press: KeyPress, typed time: Date) -> [Effect] {
    if isTextOfRefused(press, typed: time) { return [] }
    let asked = statusLine.toast
    statusLine.dismiss()
    pending.confirmation = nil
    pending.selection = nil
    if let effects = handleRuleOffer(press, asked: asked) { return effects }
    if dialog.prompt != nil { return handleInPrompt(press) }
    if dialog.form != nil { return handleInForm(press) }
    if dialog.ruleForm != nil { return handleInRuleForm(press) }
    let place = place
    if let lead = input.lead { return endSequence(lead, with: press) }
    let press = options.keymap.key(press, in: place)
    if let effects = handleAnswer(press) { return effects }
    if let effects = handleInBanner(press) { return effects }
    if shown.banner?.isFocused != true, case .character(let character) = press.key, press.modifiers.isEmpty,
      character.isASCII, let digit = character.wholeNumberValue, digit > 0 || input.count != nil
    {
      if case .choices? = dialog.overlay { return choose(number: digit) }
      input.count = min(99_999, (input.count ?? 0) * 10 + digit)
      return []
    }
    let number = input.count
    input.count = nil
    if options.keymap.isLead(press, in: place) { return [beginSequence(press, number: number, typed: time)] }
    return perform(press, number: number)
  }

  /// Performs the command or the program of a single key.
  mutating func perform(_ press: KeyPress, number: Int?) -> [Effect] {
    let place = place
    if let program = options.keymap.program(for: press, in: place) {
      return run(program.template, number: number)
    }
    guard let command = options.keymap.command(for: press, in: place) else {
      input.extensible = nil
      if options.keymap.asksForText(press) { input.asked = now }
      // The first of two keys may be no command alone.
      if dialog.overlay == nil, !options.keymap.isLead(press, in: place),
        number == nil || press.key != .escape
      {
        guard options.keymap.command(for: press, in: .sources) != .removeSource else {
          sayWhereSourcesAreRemoved()
          return []
        }
        statusLine.toast = Toast(
          words(.keyUnknown, SafeText(untrusted: press.name), options.keymap.name(of: .help)))
      }
      return []
    }
    // Enter opens what a row stands for; the other keys first show all of it.
    if command == .open, press.key != .enter, place == .messages, shown.list.unfoldSelected() { return [] }
    // Escape after a number only clears the number.
    if number != nil, press.key == .escape { return [] }
    // Escape takes the marks away first.
    if press.key == .escape, place == .messages, !shown.list.marks.isEmpty {
      shown.list.marks.clear()
      return []
    }
    return perform(command, count: number)
  }

  /// Gives the keys to a pane.
  mutating func setFocus(_ pane: Pane) {
    if focus.pane == .sources, pane != .sources { shown.sources.select(shown.list.query.scope) }
    focus.move(to: pane)
  }
}
