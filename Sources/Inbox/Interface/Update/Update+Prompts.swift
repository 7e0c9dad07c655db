import Foundation
import Markup
import Messages
import Screen
import Words

extension AppState {
  mutating func handleInPrompt(_ press: KeyPress) -> [Effect] {
    guard var prompt = dialog.prompt else { return [] }
    // Redraw and suspend work while something is typed.
    switch options.keymap.command(for: press, in: .overlay) {
    case .redraw? where press.modifiers.contains(.control): return [.redraw]
    case .suspend? where press.modifiers.contains(.control): return [.suspend]
    default: break
    }
    switch press.key {
    case .escape: return leavePrompt()
    case .enter: return acceptPrompt()
    case .up, .down, .pageUp, .pageDown: return moveInPrompt(press.key)
    case .character, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home, .end, .function:
      break
    }
    if case .search = prompt, press.key == .tab || press.key == .backTab {
      return completeSearch(isForward: press.key == .tab)
    }
    guard prompt.edit({ $0.press(press) }) else { return [] }
    dialog.prompt = prompt
    return promptChanged()
  }

  mutating func handlePaste(_ text: String) -> [Effect] {
    statusLine.dismiss()
    guard dialog.form == nil else {
      pasteIntoForm(text.trimmingCharacters(in: .newlines))
      return []
    }
    if dialog.ruleForm != nil { return pasteIntoRuleForm(text.trimmingCharacters(in: .newlines)) }
    if var prompt = dialog.prompt {
      _ = prompt.edit {
        $0.insert(text.trimmingCharacters(in: .newlines))
        return true
      }
      dialog.prompt = prompt
      return promptChanged()
    }
    pending.confirmation = nil
    pending.ruleOffer = nil
    input.count = nil
    input.extensible = nil
    if dialog.overlay == nil { dropQuestion() }
    // An address pasted into the inbox can only mean one thing.
    let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains(where: \.isNewline)
    else {
      return []
    }
    dialog.overlay = nil
    dialog.prompt = .add(LineEditor(address), .editing)
    return []
  }

  private mutating func promptChanged() -> [Effect] {
    // What Tab would go on with is not what stands there any more.
    dialog.endSearch()
    switch dialog.prompt {
    case .search(let editor, _, _): return searchChanged(editor.text)
    case .add(let editor, .failed): dialog.prompt = .add(editor, .editing)
    case .snooze(let editor, let id, .failed): dialog.prompt = .snooze(editor, id, .editing)
    case .quiet(let editor, .failed): dialog.prompt = .quiet(editor, .editing)
    case .save(let editor, let given, .failed), .save(let editor, let given, .isThere):
      dialog.prompt = .save(editor, given, .editing)
    case .saveList(let editor, let query, .failed): dialog.prompt = .saveList(editor, query: query, .editing)
    case .filter(let editor):
      shown.sources.change { $0.filter = editor.text.trimmingCharacters(in: .whitespaces) }
      shown.sources.selectFirstFound()
    case .add, .snooze, .quiet, .pipe, .save, .saveList, nil: break
    }
    return []
  }

  private mutating func leavePrompt() -> [Effect] {
    defer { dialog.prompt = nil }
    dialog.endSearch()
    if let request = dialog.prompt?.request { return [.giveUp(request)] }
    if case .filter? = dialog.prompt { shown.sources.change { $0.filter = "" } }
    guard case .search(_, let before, let key)? = dialog.prompt, shown.list.query != before else { return [] }
    return show(before, at: key)
  }

  private mutating func acceptPrompt() -> [Effect] {
    switch dialog.prompt {
    case .search(let editor, _, _): return acceptSearch(editor.text)
    case .filter:
      dialog.prompt = nil
      // One that is left is what was looked for.
      if shown.sources.view.filter.isEmpty || shown.sources.count == 0 {
        shown.sources.change { $0.filter = "" }
        return []
      }
      let scope = shown.sources.scope
      shown.sources.change { $0.filter = "" }
      return openFolders(around: scope) + choose(scope)
    case .add(_, .asking), .snooze(_, _, .asking), .quiet(_, .asking), .save(_, _, .asking),
      .saveList(_, _, .asking):
      break
    case .saveList(let editor, let query, .editing), .saveList(let editor, let query, .failed):
      return acceptListName(editor, query)
    case .quiet(let editor, .editing), .quiet(let editor, .failed): return acceptQuiet(editor)
    case .pipe(let editor, let given, let form): return pipe(given, form, into: editor.text)
    case .save(let editor, let given, let phase): return save(given, editor, replacing: phase == .isThere)
    case .add(let editor, .editing), .add(let editor, .failed):
      let address = editor.text.trimmingCharacters(in: .whitespaces)
      guard !address.isEmpty else {
        dialog.prompt = nil
        return []
      }
      return askToAdd(editor, address)
    case .snooze(let editor, let id, .editing), .snooze(let editor, let id, .failed):
      // It stays until the time is understood: what is typed next must not become commands.
      let request = pending.ask()
      dialog.prompt = .snooze(editor, id, .asking(request))
      let text = editor.text.trimmingCharacters(in: .whitespaces)
      let act = addPending(.snooze, isLoaded: id.parts.isEmpty)
      return [.snooze(id, until: text.isEmpty ? "1h" : text, act, request)]
    case nil: break
    }
    return []
  }

  private mutating func moveInPrompt(_ key: Key) -> [Effect] {
    if case .pipe(let editor, let given, let form)? = dialog.prompt, key == .up, editor.isEmpty {
      dialog.prompt = .pipe(LineEditor(input.pipe), given, form)
    }
    switch dialog.prompt {
    case .search(let editor, _, _):
      // With something typed, these keys go through what was found.
      if dialog.recalled != nil || editor.isEmpty, key == .up || key == .down {
        return recallSearch(earlier: key == .up)
      }
    case .filter: break
    case .add, .snooze, .quiet, .pipe, .save, .saveList, nil: return []
    }
    let page = max(1, visibleRows - 1)
    switch key {
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .pageUp: return move(by: -page)
    case .pageDown: return move(by: page)
    case .character, .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home,
      .end,
      .function:
      return []
    }
  }

  // MARK: Adding

  private mutating func askToAdd(_ editor: LineEditor, _ address: String) -> [Effect] {
    let request = pending.ask()
    dialog.prompt = .add(editor, .asking(request))
    return [.addSource(address, request)]
  }

  mutating func applyAnswer(_ answer: AddAnswer, _ request: RequestID) -> [Effect] {
    var isAsking = dialog.form?.phase == .asking(request)
    if case .add(_, .asking(request))? = dialog.prompt { isAsking = true }
    switch answer {
    case .added(let name, let title):
      statusLine.toast = Toast(words(.added, SafeText(untrusted: title)))
      guard isAsking else { return [] }
      (dialog.prompt, dialog.form) = (nil, nil)
      return goToSource(name)
    case .alreadyThere(let name, let title):
      statusLine.toast = Toast(words(.addedAlready, SafeText(untrusted: title)))
      guard isAsking else { return [] }
      (dialog.prompt, dialog.form) = (nil, nil)
      return goToSource(name)
    case .choices(let choices):
      guard isAsking, !choices.isEmpty else {
        sayTooLate()
        return []
      }
      dialog.prompt = nil
      dialog.overlay = .choices(choices, selected: 0)
    case .asks(let fields):
      guard isAsking else {
        sayTooLate()
        return []
      }
      dialog.prompt = nil
      dialog.form = SourceForm(fields)
    case .imported(let added, let known):
      statusLine.toast = Toast(words(.imported, "\(added)", "\(known)"))
      if isAsking { dialog.prompt = nil }
    case .failed(let failure): addFailed(words.sentence(failure), isAsking)
    case .refused(let reason): addFailed(words(.addRefused, SafeText(untrusted: reason)), isAsking)
    }
    return []
  }

  private mutating func addFailed(_ sentence: SafeText, _ isAsking: Bool) {
    if isAsking, case .add(let editor, _)? = dialog.prompt {
      dropWaiting()
      dialog.prompt = .add(editor, .failed(sentence))
    } else {
      statusLine.toast = Toast(sentence, .failure)
    }
  }

  private mutating func goToSource(_ name: String) -> [Effect] {
    guard let status = shown.sources.statuses.first(where: { $0.source.name == name }) else {
      pending.source = name
      return []
    }
    return choose(.source(status.source.id))
  }

  /// Adds one of the feeds of a page, by its number from 1.
  mutating func choose(number: Int) -> [Effect] {
    guard case .choices(let choices, _, _)? = dialog.overlay, choices.indices.contains(number - 1) else {
      return []
    }
    let url = choices[number - 1].url
    dialog.overlay = nil
    return askToAdd(LineEditor(url), url)
  }
}

extension Prompt {
  fileprivate mutating func edit(_ change: (inout LineEditor) -> Bool) -> Bool {
    switch self {
    case .search(var editor, let before, let key):
      guard change(&editor) else { return false }
      self = .search(editor, before: before, at: key)
    case .add(var editor, let phase):
      // An address that is being checked can't be edited.
      guard !phase.isAsking, change(&editor) else { return false }
      self = .add(editor, phase)
    case .filter(var editor):
      guard change(&editor) else { return false }
      self = .filter(editor)
    case .snooze(var editor, let id, let phase):
      guard !phase.isAsking, change(&editor) else { return false }
      self = .snooze(editor, id, phase)
    case .quiet(var editor, let phase):
      guard !phase.isAsking, change(&editor) else { return false }
      self = .quiet(editor, phase)
    case .pipe(var editor, let given, let form):
      guard change(&editor) else { return false }
      self = .pipe(editor, given, form)
    case .save(var editor, let given, let phase):
      guard !phase.isAsking, change(&editor) else { return false }
      self = .save(editor, given, phase)
    case .saveList(var editor, let query, let phase):
      guard !phase.isAsking, change(&editor) else { return false }
      self = .saveList(editor, query: query, phase)
    }
    return true
  }
}
