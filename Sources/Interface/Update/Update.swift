import Messages
import Screen

/// What happened, applied to the state, and what is to be done about it.
///
/// Pure: neither clock nor store nor screen. Lists change because the store did; what a person did to a message
/// shows at once, and stays until a snapshot has it that was read after the write, or the store refuses it.
package func update(_ state: inout AppState, _ action: Action) -> [Effect] {
  let effects = state.take(action)
  let consequences = state.settle()
  // Nothing is done after quitting.
  return effects.last == .quit ? consequences + effects : effects + consequences
}

extension AppState {
  mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .started: return start()
    case .timeChanged(let date): now = date
    case .input(let event): return take(event)
    case .optionsChanged(let options):
      self.options = options
      reader.forgetLayout()
      banner?.forgetLayout()
      sources.name(words)
      showWelcome(selecting: list.selectedRow?.id)
    case .keymapProblems(let problems):
      if let first = problems.first { toast = Toast(words.sentence(first), .warning) }
    case .settingsMistaken(let mistake): settingsMistake = mistake.map { SafeText(untrusted: $0) }
    case .restartNeeded(let keys):
      toast = Toast(words(.restartNeeded, SafeText(untrusted: keys.joined(separator: ", "))), .warning)

    case .inboxChanged(let snapshot, let including): return take(snapshot, including: including)
    case .messageLoaded(let id, let message, let including): return take(message, id, including: including)
    case .unreadFound(let query, let key): return takeUnread(query, key)
    case .performed(let id): takePerformed(id)
    case .undone(let id, let act): takeUndone(act, id)
    case .snoozed(let act, let id, let until, let text):
      return takeSnoozed(id, until: until, text: text, act: act)
    case .refused(let id, let reason): takeRefused(id, reason: reason)

    case .looked(let number):
      guard look == number else { return [] }
      look = nil
      isAttended = true

    case .pollingChanged(let source, let standing): polling[source] = standing
    case .pollAttempted(let attempt):
      if shownSource == nil || attempt.source == shownSource { timeline.add(attempt) }
    case .timelineLoaded(let source, let attempts):
      if source == shownSource { timeline.take(attempts) }
    case .refreshEnded(let source, let result): takeRefresh(result, of: source)
    case .addAnswered(let answer): return takeAnswer(answer)
    case .laidOut(let number, let page): reader.take(page, for: number)
    case .layingOut(let number): reader.wait(for: number)
    case .pictureAnswered(let request, let answer):
      reader.take(answer, for: request)
      banner?.take(answer, for: request)
    case .bannerRaised(let placement): return raise(placement)
    case .bannerLoaded(let page): take(page)
    case .bannerReady: banner?.scriptsRan()
    case .bannerChanged(let page): banner?.change(to: page)
    case .viewLaidOut(let number, let view): banner?.take(view, for: number)
    case .bannerFailed(let failure): take(failure)
    case .bannerAsked(let address): return takeAsked(address)
    case .bannerClosed: bannerIsGone()
    case .slid(let steps): return slideBanner(by: steps)
    case .copied(let address, let isTold):
      if isTold {
        toast = Toast(words(.copied, SafeText(untrusted: address)))
      } else {
        overlay = .address(address)
      }
    case .linkFailed(let address, let reason):
      toast = Toast(
        words(.linkFailed, SafeText(untrusted: address), SafeText(untrusted: reason)), .failure)
    case .hookFailed(let reason):
      toast = Toast(words(.hookFailed, SafeText(untrusted: reason)), .failure)
    case .logFailed(let reason):
      toast = Toast(words(.logFailed, SafeText(untrusted: reason)), .failure)
    case .failed(let failure): toast = Toast(words.sentence(failure), .failure)
    case .secondPassed: isCountingDown = false
    case .ticked:
      isTicking = false
      spinner += 1
    }
    return []
  }

  private mutating func start() -> [Effect] {
    list.show(list.query)
    // No refresh: the poller makes the first poll of each source after its initial delay.
    var effects: [Effect] = [.load(list.query, list.window)]
    if timeline.isOpen { effects.append(loadTimeline()) }
    return effects
  }

  mutating func take(_ event: InputEvent) -> [Effect] {
    switch event {
    case .resize(let new):
      size = Size(columns: max(0, new.columns), rows: max(0, new.rows))
      return []
    case .focus(let hasFocus):
      let isBack = hasFocus && !hasTerminalFocus
      hasTerminalFocus = hasFocus
      return isBack ? [.refresh(nil)] : []
    case .key(let press):
      attend()
      return take(press)
    case .mouse(let mouse):
      attend()
      return take(mouse)
    case .paste(let text):
      attend()
      return takePaste(text)
    }
  }

  mutating func loadTimeline() -> Effect {
    timeline.ask()
    return .loadTimeline(shownSource)
  }

  private mutating func attend() {
    isAttended = true
    list.touch()
  }

  private mutating func take(_ press: KeyPress) -> [Effect] {
    toast = nil
    promised = nil
    wanted = nil
    if prompt != nil { return takeInPrompt(press) }
    if let effects = takeAnswer(press) { return effects }
    if let effects = takeInBanner(press) { return effects }
    if banner?.isFocused != true, case .character(let character) = press.key, press.modifiers.isEmpty,
      let digit = character.wholeNumberValue, character.isASCII, digit > 0 || count != nil
    {
      if case .choices? = overlay { return choose(number: digit) }
      count = min(99_999, (count ?? 0) * 10 + digit)
      return []
    }
    let number = count
    count = nil
    let place: Places = overlay != nil ? .overlay : banner?.isFocused == true ? .banner : focus.place
    guard let command = options.keymap.command(for: press, in: place) else {
      if overlay == nil, number == nil || press.key != .escape {
        toast = Toast(
          words(.keyUnknown, SafeText(untrusted: press.name), options.keymap.name(of: .help)))
      }
      return []
    }
    // Escape after a number only takes the number back.
    if number != nil, press.key == .escape { return [] }
    return perform(command, count: number)
  }

  /// Moves the keys to a pane.
  mutating func setFocus(_ pane: Pane) {
    if focus == .sources, pane != .sources { sources.select(list.query.scope) }
    focus = pane
    if pane != .timeline { inner = pane }
  }
}
