import Foundation
import Markup
import Messages
import Screen
import Words

extension AppState {
  mutating func handleInPrompt(_ press: KeyPress) -> [Effect] {
    if let effects = handleInHelp(press) { return effects }
    switch press.key {
    case .escape: return leavePrompt()
    case .enter: return acceptPrompt()
    case .up, .down, .pageUp, .pageDown: return moveInPrompt(press.key)
    case .tab where dialog.isSearching, .backTab where dialog.isSearching:
      return completeSearch(isForward: press.key == .tab)
    case .character, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home, .end, .function:
      return dialog.prompt?.edit { $0.press(press) } == true ? promptChanged() : []
    }
  }

  /// Creates the request for the prompt's text. The prompt stays open until the response, since the next letters must
  /// not become commands.
  mutating func askInPrompt() -> RequestID {
    let request = pending.ask()
    dialog.prompt?.phase = .asking(request)
    return request
  }

  /// Shows the reason of a refusal in the prompt of the request, or at the bottom if it is closed.
  ///
  /// - Parameter elsewhere: the sentence at the bottom, if it is another.
  mutating func refuse(
    _ request: RequestID, _ reason: SafeText, _ kind: Toast.Kind = .failure, elsewhere: SafeText? = nil
  ) {
    guard dialog.prompt?.phase == .asking(request) else {
      report(elsewhere ?? reason, kind)
      return
    }
    dropWaiting()
    dialog.prompt?.phase = .failed(reason)
  }

  /// Shows in the prompt why the text is not accepted.
  @discardableResult
  mutating func refuseInPrompt(_ reason: Phrase) -> [Effect] {
    let sentence = words(reason)
    dropWaiting()
    dialog.prompt?.phase = .failed(sentence)
    return []
  }

  mutating func handlePaste(_ text: String) -> [Effect] {
    statusLine.dismiss()
    guard dialog.form == nil else {
      pasteIntoForm(text.trimmingCharacters(in: .newlines))
      return []
    }
    if dialog.ruleForm != nil { return pasteIntoRuleForm(text.trimmingCharacters(in: .newlines)) }
    if dialog.prompt != nil {
      _ = dialog.prompt?.edit {
        $0.insert(text.trimmingCharacters(in: .newlines))
        return true
      }
      return promptChanged()
    }
    pending.confirmation = nil
    input.count = nil
    input.extensible = nil
    if dialog.overlay == nil { dropQuestion() }
    // The purpose of a URL that is pasted into the inbox is clear.
    let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains(where: \.isNewline)
    else {
      return []
    }
    dialog.overlay = nil
    dialog.prompt = Prompt(.add, address)
    return []
  }

  /// Applies the changed text of the prompt, for example to the list of a search.
  mutating func promptChanged() -> [Effect] {
    // The text that Tab would complete has changed.
    dialog.endSearch()
    guard let prompt = dialog.prompt else { return [] }
    if prompt.phase.isFailed { dialog.prompt?.phase = .editing }
    switch prompt.subject {
    case .search: return searchChanged(prompt.editor.text)
    case .save(let given, _): dialog.prompt?.subject = .save(given)
    case .filter:
      shown.sources.change { $0.filter = prompt.editor.text.trimmingCharacters(in: .whitespaces) }
      shown.sources.selectFirstFound()
    case .find(let before): findChanged(prompt.editor.text, from: before)
    case .command: helpChanged()
    case .add, .snooze, .quiet, .pipe, .saveList: break
    }
    return []
  }

  private mutating func leavePrompt() -> [Effect] {
    defer { dialog.prompt = nil }
    dialog.endSearch()
    if case .asking(let request)? = dialog.prompt?.phase { return [.giveUp(request)] }
    switch dialog.prompt?.subject {
    case .command: dialog.uncover()
    case .find(let before): shown.reader.restore(before)
    case .filter: shown.sources.change { $0.filter = "" }
    case .search(let before, let key): if shown.list.query != before { return show(before, at: key) }
    case .add, .snooze, .quiet, .pipe, .save, .saveList, nil: break
    }
    return []
  }

  mutating func acceptPrompt() -> [Effect] {
    guard let prompt = dialog.prompt, !prompt.phase.isAsking else { return [] }
    let text = prompt.editor.text.trimmingCharacters(in: .whitespaces)
    switch prompt.subject {
    case .search: return acceptSearch(prompt.editor.text)
    case .find: return acceptFind(text)
    case .command: return acceptHelp()
    case .filter:
      if shown.sources.count == 0 {
        return refuseInPrompt(.filterNothing)
      }
      dialog.prompt = nil
      // A remaining filter is the one that the user searched with.
      if shown.sources.view.filter.isEmpty { return [] }
      let scope = shown.sources.scope
      shown.sources.change { $0.filter = "" }
      return openFolders(around: scope) + choose(scope)
    case .quiet: return acceptQuiet(text)
    case .snooze(let selection): return acceptSnooze(text, selection)
    case .pipe(let given, let form): return pipe(given, form, into: text)
    case .add, .save, .saveList:
      guard !text.isEmpty else {
        dialog.prompt = nil
        return []
      }
      switch prompt.subject {
      case .save(let given, let isThere): return save(given, path: text, replacing: isThere)
      case .saveList(let query): return [.savedLists(.save(name: text, query: query, askInPrompt()))]
      case _: return askToAdd(text)
      }
    }
  }

  /// Handles a key that moves the selection, or recalls an earlier text.
  private mutating func moveInPrompt(_ key: Key) -> [Effect] {
    guard let prompt = dialog.prompt else { return [] }
    switch prompt.subject {
    case .search:
      // If text was typed, these keys move between the matches.
      if dialog.recalled != nil || prompt.editor.isEmpty, key == .up || key == .down {
        return recallSearch(earlier: key == .up)
      }
    case .filter: break
    case .pipe:
      if key == .up, prompt.editor.isEmpty { dialog.prompt?.editor = LineEditor(input.pipe) }
      return []
    case .add, .snooze, .quiet, .save, .saveList, .find, .command: return []
    }
    let page = max(1, visibleRows - 1)
    switch key {
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    case .pageUp: return move(by: -page)
    case .pageDown: return move(by: page)
    case .character, .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .home,
      .end, .function:
      return []
    }
  }
}
