package import Foundation
import Messages
import Screen
import Words

/// Applies an action to the state, and returns the effects.
///
/// A pure function: no clock, store or screen. Lists change because the store did. An act of the user on a message is
/// shown immediately, until a snapshot from after the write arrives or the store refuses it.
///
/// Input waits while the result of an earlier key is being loaded. After quitting, nothing happens.
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
  if !state.input.joined.isEmpty { effects = state.joined(effects) }
  state.rememberDrawn()
  return effects
}

/// Applies an action after setting the time.
package func update(_ state: inout AppState, _ action: Action, at now: Date) -> [Effect] {
  state.now = now
  return update(&state, action)
}

extension AppState {
  /// Applies an action, and restores the conditions that must hold after each.
  mutating func step(_ action: Action) -> [Effect] { step { $0.apply(action) } }

  /// Makes a change, and restores the conditions that must hold after each action. After a `quit` effect, sets
  /// `isOver`.
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
    case .optionsChanged(let options): return apply(options)
    case .inboxChanged(let snapshot, let including): return apply(snapshot, including: including)
    case .guided(let line): statusLine.guide = line
    case .looked(let number): attention.lookEnded(number)
    case .unsentChanged(let acts): unsent = acts
    case .gaveUp: report(words(.gaveUp))
    case .failed(let trouble): report(words.sentence(trouble), .failure)
    case .articles(let action): return reduce(action)
    case .banner(let action): return reduce(action)
    case .forms(let action): return reduce(action)
    case .journal(let action): return reduce(action)
    case .keys(let action): return reduce(action)
    case .links(let action): return reduce(action)
    case .offers(let action): return reduce(action)
    case .pictures(let action): return reduce(action)
    case .polling(let action): return reduce(action)
    case .programs(let action): return reduce(action)
    case .quiet(let action): return reduce(action)
    case .questions(let action): return reduce(action)
    case .reader(let action): return reduce(action)
    case .rules(let action): return reduce(action)
    case .savedLists(let action): return reduce(action)
    case .search(let action): return reduce(action)
    case .settings(let action): return reduce(action)
    case .sources(let action): return reduce(action)
    }
    return []
  }

  private mutating func apply(_ options: InterfaceOptions) -> [Effect] {
    self.options = options
    shown.reader.forgetLayout()
    shown.banner?.forgetLayout()
    shown.sources.name(words)
    showWelcome(selecting: shown.list.selectedRow?.id)
    shown.list.fold(options.layout.foldsRepeats)
    var query = shown.list.query
    query.order = self.query(of: query.scope).order
    return query == shown.list.query ? [] : show(query)
  }

  /// Shows a sentence at the bottom.
  ///
  /// - Returns: no effects, for callers that do nothing else.
  @discardableResult
  mutating func report(_ sentence: SafeText, _ kind: Toast.Kind = .news) -> [Effect] {
    statusLine.toast = Toast(sentence, kind)
    return []
  }

  private mutating func start() -> [Effect] {
    // There is no refresh: the poller makes the first poll of each source after its initial delay.
    var effects: [Effect] = [.load(shown.list.query, shown.list.window)]
    if shown.timeline.isOpen { effects.append(loadTimeline()) }
    return effects
  }

  /// Handles input.
  ///
  /// - Parameter time: the time at which it was typed; it may have waited since.
  mutating func handle(_ event: InputEvent, typed time: Date) -> [Effect] {
    input.time = time
    switch event {
    case .resize(let new):
      terminal.size = Size(columns: max(0, new.columns), rows: max(0, new.rows))
      return []
    case .focus(let hasFocus):
      let isBack = hasFocus && !terminal.hasFocus
      terminal.hasFocus = hasFocus
      // Messages that arrive while the user is away are new; earlier ones were seen.
      if !hasFocus { shown.list.news.end(with: shown.list.newest) }
      return isBack ? [.polling(.refresh(nil))] : []
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

  /// Records that the user is active.
  private mutating func attend() {
    attention.attend()
    shown.list.touch()
  }

  private mutating func handle(_ press: KeyPress, typed time: Date) -> [Effect] {
    if isTextOfRefused(press, typed: time) { return [] }
    statusLine.dismiss()
    pending.confirmation = nil
    pending.selection = nil
    if let effects = handleWhileTyping(press) { return effects }
    let place = place
    if let lead = input.lead { return endSequence(lead, with: press) }
    let press = options.keymap.key(press, in: place)
    if let effects = handleAnswer(press) { return effects }
    if let effects = handleInBanner(press) { return effects }
    if shown.banner?.isFocused != true, case .character(let character) = press.key, press.modifiers.isEmpty,
      character.isASCII, let digit = character.wholeNumberValue, digit > 0 || input.count != nil
    {
      if case .choices? = dialog.overlay { return choose(number: digit) }
      if let effects = answer(digit, typed: time) { return effects }
      let number = min(99_999, (input.count ?? 0) * 10 + digit)
      input.count = number
      selectLink(number: number)
      return []
    }
    let number = input.count
    input.count = nil
    if options.keymap.isLead(press, in: place) { return [beginSequence(press, number: number, typed: time)] }
    return perform(press, number: number)
  }

  /// Handles a key of a prompt or a form, or returns `nil` if none is open.
  private mutating func handleWhileTyping(_ press: KeyPress) -> [Effect]? {
    guard dialog.prompt != nil || dialog.form != nil || dialog.ruleForm != nil else { return nil }
    // Redraw and suspend also work there.
    switch options.keymap.command(for: press, in: .overlay) {
    case .redraw? where press.modifiers.contains(.control): return [.redraw]
    case .suspend? where press.modifiers.contains(.control): return [.suspend]
    default: break
    }
    if dialog.prompt != nil { return handleInPrompt(press) }
    return dialog.form != nil ? handleInForm(press) : handleInRuleForm(press)
  }

  /// Performs the command or the program of a single key.
  mutating func perform(_ press: KeyPress, number: Int?) -> [Effect] {
    let place = place
    if let program = options.keymap.program(for: press, in: place) {
      return run(program.template, number: number)
    }
    if let bound = options.keymap.sequence(for: press, in: place) { return begin(bound, number: number) }
    guard let command = options.keymap.command(for: press, in: place) else {
      input.extensible = nil
      if options.keymap.asksForText(press) { input.asked = input.time }
      // The first of two keys need not be a command alone.
      if dialog.overlay == nil, !options.keymap.isLead(press, in: place),
        number == nil || press.key != .escape
      {
        guard options.keymap.command(for: press, in: .sources) != .removeSource else {
          sayWhereSourcesAreRemoved()
          return []
        }
        report(words(.keyUnknown, SafeText(untrusted: press.name), options.keymap.name(of: .help)))
      }
      return []
    }
    // Enter opens the message of a row; the other keys first unfold the row.
    if command == .open, press.key != .enter, place == .messages, shown.list.unfoldSelected() { return [] }
    // Escape after a number only clears the number.
    if number != nil, press.key == .escape { return [] }
    // Escape first removes the marks.
    if press.key == .escape, place == .messages, !shown.list.marks.isEmpty {
      shown.list.marks.clear()
      return []
    }
    return perform(command, count: number)
  }

  /// Moves the focus to a pane.
  mutating func setFocus(_ pane: Pane) {
    if focus.pane == .sources, pane != .sources { shown.sources.select(shown.list.query.scope) }
    focus.move(to: pane)
  }
}
