import Foundation
import Queries
import Screen
import Words

extension Drawing {
  /// Draws a prompt, else a toast, question or mistake, else hints of keys.
  mutating func drawBottom() {
    if let prompt = state.dialog.prompt { return draw(prompt, in: layout.prompt) }
    // On the smallest screens these take the place of the list's last row.
    let hasNote =
      toast != nil || formFailure != nil || state.dialog.question != nil
      || state.statusLine.settingsMistake != nil || state.statusLine.keymapProblem != nil
      || state.statusLine.settingsProblem != nil
    let area = layout.bottom.isEmpty && hasNote ? layout.prompt : layout.bottom
    guard !area.isEmpty else { return }
    frame.fill(area)
    if state.shownQuestion == nil {
      if let toast { return draw(toast, in: area) }
      if let mistake = state.statusLine.settingsMistake {
        return draw(mistake, in: [words(.settingsMistake, mistake), mistake], in: area)
      }
      if let problem = state.statusLine.keymapProblem { return draw(Toast(problem, .warning), in: area) }
      if let problem = state.statusLine.settingsProblem { return draw(problem, in: [problem], in: area) }
    }
    let room = area.size.columns - 2
    if let line = question(columns: room) ?? bannerBottom(columns: room) {
      frame.write(
        line.truncated(to: max(0, area.size.columns - 2), ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
      return
    }
    if let formFailure { return draw(note: formFailure, upTo: area) }
    if let hint = formHint {
      frame.write(
        hint.truncated(to: max(0, area.size.columns - 1), ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area, style: Palette.quiet)
      return
    }
    let right = corner
    let start = Point(column: area.origin.column + 1, row: area.origin.row)
    frame.write(
      hints(columns: area.size.columns - right.columns - (right.isEmpty ? 1 : 3)), at: start, in: area)
    if right.columns <= area.size.columns {
      let column = area.columns.upperBound - right.columns
      frame.write(right, at: Point(column: max(0, column - 1), row: area.origin.row), in: area)
    }
  }

  /// What is said last, or what the reader waits for.
  private var toast: Toast? {
    guard state.statusLine.toast == nil, state.dialog.overlay == nil, state.shown.reader.article.isFetching
    else {
      return state.statusLine.toast
    }
    return Toast(words(.articleFetching) + signs.ellipsis)
  }

  /// The number and the first of two keys as typed, whether more is below, the position in the text, or the demo's notice.
  private var corner: StyledText {
    if let lead = state.input.lead {
      return StyledText(
        SafeText(untrusted: (lead.number.map(String.init) ?? "") + lead.key.name), style: Palette.accent)
    }
    if let count = state.input.count { return StyledText("\(count)", style: Palette.accent) }
    let body = layout.body.size
    if let scroll = state.dialog.overlay?.scroll, let rows = state.overlayRows(columns: body.columns),
      rows > scroll + body.rows
    {
      return StyledText(words(.moreBelow), style: Palette.accent)
    }
    if state.dialog.overlay == nil {
      let parts = [hitCount ?? .empty, readerPosition].filter { !$0.isEmpty }
      if let first = parts.first {
        let text = parts.dropFirst().reduce(first) { $0 + "  " + $1 }
        return StyledText(text, style: hitCount == nil ? Palette.quiet : Palette.accent)
      }
    }
    return state.options.notice.map { StyledText($0, style: Palette.warning) } ?? .empty
  }

  private mutating func draw(_ toast: Toast, in area: Rect) {
    draw(note: StyledText(toast.text(signs), style: toast.kind.style), upTo: area)
  }

  /// Draws a sentence in as many lines as it needs, the last of them in `area`, the others over the panes: the
  /// remedy may be at its end. Two lines of the screen stay.
  private mutating func draw(note: StyledText, upTo area: Rect) {
    let margin = area.size.columns > 8 ? 1 : 0
    let room = max(1, area.size.columns - 1 - margin)
    var lines = note.wrapped(to: room)
    let most = max(1, min(area.rows.upperBound, layout.prompt.rows.upperBound - 2))
    if lines.count > most {
      let last = lines[most - 1] + StyledText(" ") + lines[most]
      lines = Array(lines.prefix(most - 1)) + [last.truncated(to: room, ellipsis: signs.ellipsis)]
    }
    let first = area.rows.upperBound - lines.count
    let whole = Rect(
      column: area.origin.column, row: first, columns: area.size.columns, rows: lines.count)
    frame.fill(whole)
    for (index, line) in lines.enumerated() {
      frame.write(line, at: Point(column: area.origin.column + margin, row: first + index), in: whole)
    }
  }

  /// Draws a mistake in the settings: what stands before it, and then its file, go before what is wrong is cut.
  ///
  /// - Parameter forms: with all that may be said, the longest first.
  private mutating func draw(_ mistake: SafeText, in forms: [SafeText], in area: Rect) {
    let room = area.size.columns - 2
    let fits = forms.map { Toast($0, .failure) }.first { $0.text(signs).columns <= room }
    draw(fits ?? Toast(mistake.withoutFile, .failure), in: area)
  }

  private var formHint: SafeText? {
    if state.dialog.form != nil { return words(.formHint, "enter", "esc", "tab") }
    return state.dialog.ruleForm == nil ? nil : words(.ruleHint, "enter", "esc", "tab")
  }

  // MARK: Hints

  private func hints(columns: Int) -> StyledText {
    var line = StyledText.empty
    // Help lists all other keys: where only one hint fits, it is that one.
    let commands = hintCommands
    let help = hint(.help)
    for command in commands {
      let next = hint(command)
      let isLast = command == commands.last
      let needed = line.columns + next.columns + (isLast ? 0 : help.columns + 2)
      guard needed <= columns else { continue }
      line += next
      if !isLast { line.append("  ") }
    }
    return line.columns <= columns ? line : help.truncated(to: max(0, columns), ellipsis: signs.ellipsis)
  }

  private func hint(_ command: Command) -> StyledText {
    var text = StyledText(state.options.keymap.name(of: command), style: Palette.key)
    let title = command == .nextUnread && state.isSearching ? words(.nextHit) : words.title(command)
    text.append(" " + title, style: Palette.quiet)
    return text
  }

  private var hintCommands: [Command] {
    if let overlay = state.dialog.overlay {
      switch overlay {
      case .help: return [.down, .pageDown, .back, .help]
      case .choices: return [.open, .back, .help]
      case .address: return [.back]
      case .problem: return [.editSource, .refresh, .editSettings, .removeSource, .nextFailed, .back, .help]
      case .rules: return [.editSource, .pauseSource, .removeSource, .editSettings, .back, .help]
      case .messages, .request: return [.down, .pageDown, .back, .help]
      }
    }
    switch state.focus.pane {
    case .sources: return [.open, .refresh, .addSource, .search, .timeline, .quit, .help]
    case .messages where !state.shown.list.marks.isEmpty:
      return [.toggleUnread, .toggleStar, .dismiss, .snooze, .openLink, .help]
    case .messages:
      return state.isWelcome
        ? [.addSource, .importFeeds, .demo, .open, .quit, .help]
        : [.open, .readOn, .toggleStar, .dismiss, .unreadOnly, .search]
          + (state.isSearching ? [.saveSearch] : []) + (state.counts.canUndo ? [.undo] : []) + [
            .help
          ]
    case .reader:
      if state.shown.reader.subject?.isWelcome == true {
        return [.readOn, .nextUnread, .addSource, .importFeeds, .demo, .back, .help]
      }
      return [.readOn, .nextUnread, .openLink, .toggleUnread, .toggleStar, .dismiss, .back, .help]
    case .timeline: return [.back, .refresh, .refreshAll, .nextPane, .help]
    }
  }

  // MARK: Prompts

  private mutating func draw(_ prompt: Prompt, in area: Rect) {
    guard !area.isEmpty else { return }
    frame.fill(area)
    let label = words(label(prompt))
    var column = area.origin.column + (area.size.columns > 8 ? 1 : 0)
    if area.size.columns >= label.columns + 10 {
      column += frame.write(
        label, at: Point(column: column, row: area.origin.row), in: area, style: Palette.heading)
    }
    let (text, cursor) = prompt.editor.shown
    let room = max(1, area.columns.upperBound - column - 1)
    // The cursor stays visible: text left of it is cut first.
    let skipped = max(0, cursor - room)
    let field = area.splitLeft(column).rest
    frame.write(text, at: Point(column: column - skipped, row: area.origin.row), in: field)
    if let mistake = state.searchMistake {
      underline(mistake.range, of: prompt.editor.text, from: column - skipped, in: field)
    }
    let end = min(column + text.columns - skipped, area.columns.upperBound)
    let width = area.columns.upperBound - end - 3
    switch hint(for: prompt) {
    case .sentence(let text) where width < text.columns && area.origin.row > 0:
      draw(note: text, upTo: Rect(column: 0, row: area.origin.row - 1, columns: area.size.columns, rows: 1))
    case .sentence(let text):
      let hint = text.truncated(to: max(0, width), ellipsis: signs.ellipsis)
      frame.write(hint, at: Point(column: end + 2, row: area.origin.row), in: area)
    case .parts(let text):
      frame.write(text.wholeParts(in: width), at: Point(column: end + 2, row: area.origin.row), in: area)
    }
    frame.cursor = Point(
      column: min(column + cursor - skipped, area.columns.upperBound - 1), row: area.origin.row)
  }

  private func label(_ prompt: Prompt) -> Phrase {
    switch prompt {
    case .search: .promptSearch
    case .add: .promptAdd
    case .filter: .promptFilter
    case .snooze: .promptSnooze
    case .quiet: .promptQuiet
    case .pipe(_, _, .html): .promptPipeHTML
    case .pipe(_, _, .json): .promptPipeJSON
    case .pipe: .promptPipe
    case .save: .promptSave
    case .saveList: .promptSaveList
    }
  }

  private enum PromptHint {
    /// Why what was typed is not accepted, or what happens next: cut anywhere.
    case sentence(StyledText)
    /// Examples and keys: as many of them as have room.
    case parts(StyledText)
  }

  /// What is particular to the prompt, then its keys.
  private func hint(for prompt: Prompt) -> PromptHint {
    let keys = StyledText(words(.promptHint, "enter", "esc"), style: Palette.quiet)
    func withKeys(_ text: SafeText) -> PromptHint {
      .parts(text.isEmpty ? keys : StyledText(text, style: Palette.quiet) + StyledText("  ") + keys)
    }
    return switch prompt {
    case .search:
      searchHint.map(PromptHint.sentence)
        ?? .parts(
          StyledText(hitCount.map { $0 + "  " } ?? .empty, style: Palette.accent)
            + StyledText(words(.searchHint, "enter", "esc"), style: Palette.quiet))
    case .add(let editor, .editing):
      editor.isEmpty
        ? .parts(StyledText(words(.addHint, "enter", "esc"), style: Palette.quiet)) : .parts(keys)
    case .add(_, .asking), .saveList(_, _, .asking): .sentence(StyledText(spinner, style: Palette.accent))
    case .saveList(_, let query, .editing): withKeys(SafeText(untrusted: query))
    case .add(_, .failed(let sentence)), .snooze(_, _, .failed(let sentence)),
      .quiet(_, .failed(let sentence)), .saveList(_, _, .failed(let sentence)),
      .save(_, _, .failed(let sentence)):
      .sentence(StyledText(signs.failed + " " + sentence, style: Palette.failure))
    case .snooze(let editor, _, _): withKeys(editor.isEmpty ? words(.snoozeHint, "enter") : .empty)
    case .quiet(let editor, _): withKeys(editor.isEmpty ? words(.quietHint, "enter") : .empty)
    case .pipe(let editor, _, _): withKeys(editor.isEmpty ? words(.pipeHint, pipeForms) : .empty)
    case .save(_, _, .isThere): .sentence(StyledText(words(.saveThere, "enter"), style: Palette.warning))
    case .save: withKeys(words(.saveHint, ".txt .html .json"))
    case .filter: .parts(StyledText(words(.filterHint, "enter", "esc"), style: Palette.quiet))
    }
  }

  /// What is wrong with a search, or what Tab puts into it.
  private var searchHint: StyledText? {
    if let mistake = state.searchMistake {
      return StyledText(signs.failed + " " + words.sentence(mistake.reason), style: Palette.failure)
    }
    return state.dialog.completion.map(choices)
  }

  /// The keys that give the message as HTML and as JSON.
  private var pipeForms: SafeText {
    let key = state.options.keymap.name(of: .pipe)
    return "2" + key + " HTML, 3" + key + " JSON"
  }
}

extension SafeText {
  /// A mistake in the settings as `line: key: what is wrong`; unchanged where its file and line don't begin it.
  fileprivate var withoutFile: SafeText {
    guard let place = text.range(of: ": "), let colon = text[..<place.lowerBound].lastIndex(of: ":"),
      Int(text[text.index(after: colon)..<place.lowerBound]) != nil
    else { return self }
    return SafeText(untrusted: String(text[text.index(after: colon)...]))
  }
}
