import Messages
import Screen
import Words

/// The help, in which commands are found by names or descriptions, and run.
extension AppState {
  /// Performs a command that opens the help; returns `nil` for any other command.
  mutating func performHelp(_ command: Command) -> [Effect]? {
    switch command {
    case .help: return showHelp(beginsWithKeys: true)
    case .commandLine: return showHelp(beginsWithKeys: false)
    case _: return nil
    }
  }

  private mutating func showHelp(beginsWithKeys: Bool) -> [Effect] {
    let list = HelpList(meant: meant, beginsWithKeys: beginsWithKeys)
    dialog.cover(with: .help)
    dialog.prompt = Prompt(.command(list))
    return []
  }

  /// Closes the help, and shows the page that was shown before.
  mutating func closeHelp() {
    dialog.prompt = nil
    dialog.uncover()
  }

  // MARK: Keys

  /// Handles keys that have a different meaning than in other prompts; returns `nil` for the others.
  mutating func handleInHelp(_ press: KeyPress) -> [Effect]? {
    guard case .command(var list)? = dialog.prompt?.subject, let page = helpPage else { return nil }
    let isEmpty = dialog.prompt?.editor.isEmpty ?? true
    let own: Command = list.beginsWithKeys ? .help : .commandLine
    if isEmpty || !press.key.isCharacter, options.keymap.command(for: press, in: .overlay) == own {
      closeHelp()
      return []
    }
    if list.selected == page.items.count - 1, press.key == .down {
      dialog.scroll += 1
      return []
    }
    switch press.key {
    case .up: selectInHelp(list.selected - 1)
    case .down: selectInHelp(list.selected + 1)
    case .pageUp: turnPage(of: page, isDown: false)
    case .pageDown: turnPage(of: page, isDown: true)
    case .home where isEmpty: selectInHelp(0)
    case .end where isEmpty: selectInHelp(page.items.count - 1)
    case .right where isEmpty, .left where isEmpty:
      guard let subject = page.subject(ofSelected: press.key == .left) else { return [] }
      if press.key == .right { list.opened.insert(subject) } else { list.opened.remove(subject) }
      list.selected = page.items.firstIndex(of: subject) ?? list.selected
      dialog.prompt?.subject = .command(list)
    case .tab:
      guard case .command(let command)? = page.selected else { return [] }
      dialog.prompt?.editor = LineEditor(command.rawValue + (command.argument == .nothing ? "" : " "))
      helpChanged()
    case _: return nil
    }
    return []
  }

  /// Scrolls by a page of lines, of which one stays visible: an item can have several lines, even more than the screen.
  /// The selection keeps its distance from the first line, as far as whole items allow.
  private mutating func turnPage(of page: HelpPage, isDown: Bool) {
    let columns = layout.body.size.columns
    let lines = page.lines(columns: columns)
    let step = max(1, helpRows - 1)
    let top = min(max(0, dialog.scroll + (isDown ? step : -step)), max(0, lines.count - helpRows))
    guard top != dialog.scroll else { return selectInHelp(isDown ? page.items.count - 1 : 0) }
    let visible = lines[top..<min(lines.count, top + helpRows)]
    let wanted = top + page.selected(in: lines).lowerBound - dialog.scroll
    let starts = visible.indices.filter { line in
      lines[line].item != nil && (line == 0 || lines[line - 1].item != lines[line].item)
        && !lines[visible.endIndex...].contains { $0.item == lines[line].item }
    }
    let start = starts.min { abs($0 - wanted) < abs($1 - wanted) }
    selectInHelp(
      start.flatMap { lines[$0].item } ?? visible.lazy.compactMap(\.item).first ?? page.items.count - 1)
    dialog.scroll = top
  }

  /// Selects the first command after the text has changed.
  mutating func helpChanged() { selectInHelp(0) }

  mutating func selectInHelp(_ item: Int) {
    guard case .command(var list)? = dialog.prompt?.subject, let page = helpPage else { return }
    list.selected = max(0, min(item, page.items.count - 1))
    dialog.prompt?.subject = .command(list)
    showSelectedInHelp()
    if dialog.prompt?.phase.isFailed == true { dialog.prompt?.phase = .editing }
  }

  /// Scrolls until the selected item is visible, from its first line on; with the first item also the heading above it.
  private mutating func showSelectedInHelp() {
    guard let page = helpPage else { return }
    let lines = page.selected(in: page.lines(columns: layout.body.size.columns))
    dialog.scroll =
      page.list.selected == 0
      ? 0 : min(max(dialog.scroll, lines.upperBound - helpRows), lines.lowerBound)
  }

  /// Runs the typed or selected command, or opens a subject.
  mutating func acceptHelp() -> [Effect] {
    guard case .command(let list)? = dialog.prompt?.subject, let page = helpPage else { return [] }
    let text = (dialog.prompt?.editor.text ?? "").trimmingSpaces
    if !text.isEmpty, list.selected == 0 {
      switch CommandCall.parse(text) {
      case .success(let call): return run(call, list.meant)
      case .failure(.unknown) where !page.items.isEmpty, .failure(.takesNothing) where !page.items.isEmpty:
        break
      case .failure(let problem): return refuseCommand(words.sentence(problem))
      }
    }
    switch page.selected {
    case .command(let command): return run(CommandCall(command), list.meant)
    case .program(let index):
      let program = options.keymap.programs[index]
      guard program.places.contains(list.meant.place) else {
        return refuseCommand(words(.commandElsewhere, program.text, words.names(of: program.places)))
      }
      closeHelp()
      guard selectRow(list.meant, needsMessage: program.template.needsMessage) else { return [] }
      return run(program.template, number: nil)
    case .sequence(let index):
      let bound = options.keymap.sequences[index]
      guard bound.places.contains(list.meant.place) else {
        return refuseCommand(words(.commandElsewhere, bound.text, words.names(of: bound.places)))
      }
      closeHelp()
      guard selectRow(list.meant, needsMessage: bound.calls.contains { $0.command.needsMessage }) else {
        return []
      }
      return begin(bound, number: nil)
    case .group?, .programs?:
      guard let subject = page.selected else { return [] }
      var list = list
      list.opened.formSymmetricDifference([subject])
      dialog.prompt?.subject = .command(list)
      return []
    case nil: return []
    }
  }

  /// Runs a command in the pane or page from which the help was opened, for the message that was selected there.
  private mutating func run(_ call: CommandCall, _ meant: Meant) -> [Effect] {
    let name = SafeText(untrusted: call.command.rawValue)
    let places = call.command.row.places
    guard places.contains(meant.place) else {
      return refuseCommand(words(.commandElsewhere, name, words.names(of: places)))
    }
    guard canPerform(call.command) else { return refuseCommand(words(.commandCannot, name)) }
    closeHelp()
    guard selectRow(meant, needsMessage: call.command.needsMessage) else { return [] }
    return perform(call)
  }

  private mutating func refuseCommand(_ reason: SafeText) -> [Effect] {
    dropWaiting()
    dialog.prompt?.phase = .failed(reason)
    return []
  }

  // MARK: A command with text

  /// Performs a command as if the text were typed into its prompt, or the number before its key.
  mutating func perform(_ call: CommandCall) -> [Effect] {
    if call.argument.isEmpty { return perform(call.command, count: nil) }
    switch call.command.argument {
    case .nothing: return perform(call.command, count: nil)
    case .number: return perform(call.command, count: Int(call.argument))
    case .oneOf:
      return call.command == .sort ? sort(ListOrder(rawValue: call.argument)) : sortSources(call.argument)
    case .text:
      let effects = perform(call.command, count: nil)
      // The command may have nothing to ask here.
      guard dialog.prompt != nil else { return effects }
      dialog.prompt?.editor = LineEditor(call.argument)
      let changed = promptChanged()
      return effects + changed + acceptPrompt()
    }
  }
}

extension HelpPage {
  /// Returns the subject that an arrow opens or closes.
  ///
  /// - Parameter isAbove: whether the subject above a selected command is meant.
  fileprivate func subject(ofSelected isAbove: Bool) -> HelpList.Item? {
    switch selected {
    case .group?, .programs?: return selected
    case .command?, .program?, .sequence?:
      guard isAbove else { return nil }
      return items[...list.selected].last {
        switch $0 {
        case .group, .programs: true
        case .command, .program, .sequence: false
        }
      }
    case nil: return nil
    }
  }
}

extension Key {
  fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }
}
