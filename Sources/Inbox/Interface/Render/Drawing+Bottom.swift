import Foundation
import Queries
import Screen
import Words

extension Drawing {
  /// Draws a prompt; otherwise a toast, question or error; otherwise hints of keys.
  mutating func drawBottom() {
    if let prompt = state.dialog.prompt { return draw(prompt, in: layout.prompt) }
    // On the smallest screens these replace the list's last row.
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
    if case .rule? = state.shownQuestion, let line = question(columns: area.size.columns - 2) {
      return draw(note: line, upTo: area)
    }
    if let line = question(columns: area.size.columns - 2) ?? bannerBottom(columns: area.size.columns - 2) {
      frame.write(
        line.truncated(to: max(0, area.size.columns - 2), ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
      return
    }
    if let formFailure { return draw(note: formFailure, upTo: area) }
    if let hint = formHint {
      frame.write(
        hint.wholeParts(in: max(0, area.size.columns - 1)),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
      return
    }
    let right = corner
    let start = Point(column: area.origin.column + 1, row: area.origin.row)
    let room = area.size.columns - right.columns - (right.isEmpty ? 1 : 3)
    frame.write(guide(columns: room) ?? hints(columns: room), at: start, in: area)
    if right.columns <= area.size.columns {
      let column = area.columns.upperBound - right.columns
      frame.write(right, at: Point(column: max(0, column - 1), row: area.origin.row), in: area)
    }
  }

  /// The report to show: the last one, or that the article is being fetched.
  private var toast: Toast? {
    guard state.statusLine.toast == nil, state.dialog.overlay == nil, state.shown.reader.article.isFetching
    else {
      return state.statusLine.toast
    }
    return Toast(words(.articleFetching) + signs.ellipsis)
  }

  /// The text in the bottom right corner: the typed count and the first of two keys, whether more is below, the matches
  /// of a search, or the demo's notice.
  private var corner: StyledText {
    if let lead = state.input.lead {
      return StyledText(
        SafeText(untrusted: (lead.number.map(String.init) ?? "") + lead.key.name), style: Palette.accent)
    }
    if let count = state.input.count { return StyledText("\(count)", style: Palette.accent) }
    let body = layout.body.size
    if let rows = state.overlayRows(columns: body.columns), rows > state.dialog.scroll + body.rows {
      return StyledText(words(.moreBelow), style: Palette.accent)
    }
    if state.dialog.overlay == nil, let hitCount { return StyledText(hitCount, style: Palette.accent) }
    return state.options.notice.map { StyledText($0, style: Palette.warning) } ?? .empty
  }

  private mutating func draw(_ toast: Toast, in area: Rect) {
    draw(note: StyledText(toast.text(signs), style: toast.kind.style), upTo: area)
  }

  /// Draws a sentence in as many lines as it needs, the last of them in `area`, the others over the panes: the remedy
  /// may be at its end. Two lines of the screen stay uncovered.
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

  /// Draws an error in the settings. If it does not fit, the words before it are left out, then its file, before the
  /// reason is cut.
  ///
  /// - Parameter forms: all forms, the longest first.
  private mutating func draw(_ mistake: SafeText, in forms: [SafeText], in area: Rect) {
    let room = area.size.columns - 2
    let fits = forms.map { Toast($0, .failure) }.first { $0.text(signs).columns <= room }
    draw(fits ?? Toast(mistake.withoutFile, .failure), in: area)
  }

  private var formHint: StyledText? {
    if state.dialog.form != nil {
      return hints([("enter", .hintSave), ("esc", .hintCancel), ("tab", .hintNext)])
    }
    return state.dialog.ruleForm == nil
      ? nil : hints([("enter", .hintSave), ("esc", .hintCancel), ("tab", .hintComplete)])
  }

  /// Returns fixed keys with their titles, in the style of the keys of commands.
  func hints(_ keys: [(key: SafeText, title: Phrase)]) -> StyledText {
    var line = StyledText.empty
    for (index, hint) in keys.enumerated() {
      if index > 0 { line.append("  ") }
      line.append(hint.key, style: Palette.key)
      line.append(" " + words(hint.title), style: Palette.quiet)
    }
    return line
  }

  // MARK: Hints

  private func guide(columns: Int) -> StyledText? {
    guard let guide = state.statusLine.guide, state.dialog.overlay == nil else { return nil }
    return StyledText(guide, style: Palette.accent).truncated(
      to: max(0, columns), ellipsis: signs.ellipsis)
  }

  /// Returns the most useful keys of the pane or page, as many as fit.
  private func hints(columns: Int) -> StyledText {
    var line = StyledText.empty
    // Help lists all other keys: if only one hint fits, it is that one.
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
    let title =
      command == .nextUnread && (state.isSearching || state.isFinding)
      ? words(.nextHit) : words.title(command)
    text.append(" " + title, style: Palette.quiet)
    return text
  }

  /// The commands whose keys are shown, in this order.
  private var hintCommands: [Command] {
    if let overlay = state.dialog.overlay {
      switch overlay {
      case .help: return []
      case .links: return [.open, .copyLink, .back, .help]
      case .choices, .offers: return [.open, .back, .help]
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
      return [.readOn, .nextUnread, .openLink, .toggleUnread, .toggleStar, .dismiss, .find, .back, .help]
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
    switch prompt.subject {
    case .search: .promptSearch
    case .add: .promptAdd
    case .filter: .promptFilter
    case .snooze: .promptSnooze
    case .quiet: .promptQuiet
    case .pipe(_, .html): .promptPipeHTML
    case .pipe(_, .json): .promptPipeJSON
    case .pipe: .promptPipe
    case .save: .promptSave
    case .saveList: .promptSaveList
    case .find: .promptFind
    case .command: .promptCommand
    }
  }

  private enum PromptHint {
    /// The reason why the text is not accepted, or the next step. It can be cut anywhere.
    case sentence(StyledText)
    /// Examples and keys: as many of them as have room.
    case parts(StyledText)
  }

  /// Returns the prompt's special hints, then its keys.
  private func hint(for prompt: Prompt) -> PromptHint {
    let keys = hints([("enter", .hintAccept), ("esc", .hintCancel)])
    func withKeys(_ text: SafeText) -> PromptHint {
      .parts(text.isEmpty ? keys : StyledText(text, style: Palette.quiet) + StyledText("  ") + keys)
    }
    if case .failed(let sentence) = prompt.phase {
      return .sentence(StyledText(signs.failed + " " + sentence, style: Palette.failure))
    }
    let isEmpty = prompt.editor.isEmpty
    return switch prompt.subject {
    case .search:
      searchHint.map(PromptHint.sentence)
        ?? .parts(
          StyledText(hitCount.map { $0 + "  " } ?? .empty, style: Palette.accent) + keys)
    case .add where prompt.phase.isAsking, .saveList where prompt.phase.isAsking:
      .sentence(StyledText(spinner, style: Palette.accent))
    case .add:
      withKeys(isEmpty ? words(.addHint) : .empty)
    case .saveList(let query): withKeys(SafeText(untrusted: query))
    case .snooze: withKeys(isEmpty ? words(.snoozeHint, "enter") : .empty)
    case .quiet: withKeys(isEmpty ? words(.quietHint, "enter") : .empty)
    case .pipe: withKeys(isEmpty ? words(.pipeHint, pipeForms) : .empty)
    case .save(_, isThere: true): .sentence(StyledText(words(.saveThere, "enter"), style: Palette.warning))
    case .save: withKeys(words(.saveHint, ".txt .html .json"))
    case .filter, .find: .parts(keys)
    case .command: .parts(helpHint)
    }
  }

  /// The error in a search, or the words that Tab inserts into it.
  private var searchHint: StyledText? {
    if let mistake = state.searchMistake {
      return StyledText(signs.failed + " " + words.sentence(mistake.reason), style: Palette.failure)
    }
    return state.dialog.completion.map(choices)
  }

  /// The keys that pass the message as HTML and as JSON.
  private var pipeForms: SafeText {
    let key = state.options.keymap.name(of: .pipe)
    return "2" + key + " HTML, 3" + key + " JSON"
  }
}

extension SafeText {
  /// An error in the settings as `line: key: reason`; unchanged if it does not begin with file and line.
  fileprivate var withoutFile: SafeText {
    guard let place = text.range(of: ": "), let colon = text[..<place.lowerBound].lastIndex(of: ":"),
      Int(text[text.index(after: colon)..<place.lowerBound]) != nil
    else { return self }
    return SafeText(untrusted: String(text[text.index(after: colon)...]))
  }
}
