import Markup
import Messages
import Screen
import Words

extension Drawing {
  /// Draws the view and the line between it and the panes.
  mutating func drawBanner() {
    guard let view = state.shown.banner, let area = layout.banner else { return }
    frame.fill(area)
    drawBannerRule(view)
    // Rows slide in from the edge that the view is at.
    let rows = area.size.rows
    let shown = (rows * view.slide + BannerView.slideSteps - 1) / BannerView.slideSteps
    let skipped = rows - shown
    for row in 0..<shown {
      let line: Int
      let place: Int
      switch view.placement.origin {
      case .bottom: (line, place) = (row, skipped + row)
      case .top: (line, place) = (skipped + row, row)
      }
      drawBannerLine(view, line, in: area.row(place))
    }
  }

  private mutating func drawBannerLine(_ view: BannerView, _ line: Int, in row: Rect) {
    guard !view.isWaiting else {
      let text = view.failure.map { StyledText(words.sentence($0), style: Palette.failure) }
      let note = text ?? StyledText(words(.bannerLoading), style: Palette.quiet)
      let lines = note.wrapped(to: row.size.columns)
      if lines.indices.contains(line) { frame.write(lines[line], at: row.origin, in: row) }
      return
    }
    let index = view.scroll + line
    guard view.layout.lines.indices.contains(index) else { return }
    var text = view.layout.lines[index]
    if view.isFocused, let control = view.control {
      text = StyledText(
        runs: text.runs.map { run in
          var run = run
          if run.link == control { run.style = Palette.selection.over(run.style) }
          return run
        })
    }
    write(text, at: row.origin, in: row, owner: "banner") { number in
      guard case .open(let address)? = view.layout.controls.first(where: { $0.number == number })?.action
      else { return nil }
      return address
    }
  }

  /// Draws the line at the view's edge, with the view's source, its failure, and the key that focuses it. The
  /// line is thick while the view has the focus.
  private mutating func drawBannerRule(_ view: BannerView) {
    let area = layout.bannerRule
    guard !area.isEmpty else { return }
    frame.write(
      SafeText(view.isFocused ? signs.heavy : signs.light, count: area.size.columns), at: area.origin,
      in: area,
      style: view.isFocused ? Palette.accent : Palette.quiet)
    let right = bannerHint(view)
    let room = area.size.columns - 4 - (right.isEmpty ? 0 : right.columns + 3)
    var left = StyledText(" \(untrusted: view.placement.source) ", style: Palette.heading)
    if view.page != nil || layout.banner?.isEmpty == true, let failure = view.failure {
      left.append(signs.failed + " " + words.sentence(failure) + " ", style: Palette.failure)
    }
    if room >= 4 {
      frame.write(
        left.truncated(to: room, ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 2, row: area.origin.row), in: area)
    }
    guard right.columns + 4 <= area.size.columns else { return }
    frame.write(
      right, at: Point(column: area.columns.upperBound - right.columns - 2, row: area.origin.row), in: area)
  }

  private func bannerHint(_ view: BannerView) -> StyledText {
    var hint = StyledText(" ")
    let isLonger = view.scroll + (layout.banner?.size.rows ?? 0) < view.layout.lines.count
    if isLonger { hint.append(signs.more + " ", style: Palette.quiet) }
    let keymap = state.options.keymap
    let key = view.isFocused ? keymap.name(of: .back, rather: .escape) : keymap.name(of: .nextPane)
    hint.append(key, style: Palette.key)
    hint.append(" " + words(view.isFocused ? .bannerClose : .bannerFocus) + " ", style: Palette.quiet)
    return hint
  }

  /// Returns the bottom line while the view has the focus: the target of Enter, or hints of keys if there is none.
  /// While the view hides the list, returns the key that focuses the view.
  func bannerBottom(columns: Int) -> StyledText? {
    guard state.dialog.overlay == nil, let view = state.shown.banner, view.isFocused || layout.isCovered
    else {
      return nil
    }
    let keymap = state.options.keymap
    guard view.isFocused else {
      return hints(
        [(keymap.name(of: .nextPane), words(.bannerFocus)), hint(.quit), hint(.help)], columns: columns)
    }
    if case .open(let address)? = view.pressed?.action {
      return StyledText("\(untrusted: address)", style: MarkupTheme.standard.link)
    }
    let press = view.pressed.map { _ in (keymap.name(of: .open), words(.bannerPress)) }
    return hints(
      (press.map { [$0] } ?? []) + [
        (keymap.name(of: .nextPane), words(.bannerNext)),
        (keymap.name(of: .back, rather: .escape), words(.bannerClose)), hint(.help),
      ], columns: columns)
  }

  /// Returns a question and the keys that answer it. If they don't fit, the subject of the question is cut, not the
  /// keys.
  func question(columns: Int) -> StyledText? {
    let no = SafeText(untrusted: KeyPress(.escape).name)
    if case .request(let action, _)? = state.dialog.overlay {
      let yes = SafeText(untrusted: KeyPress(.enter).name)
      return StyledText(
        words(.actionAsks, SafeText(untrusted: action.request?.method ?? ""), yes, no), style: Palette.warning
      )
    }
    guard let question = state.shownQuestion, state.dialog.overlay == nil else { return nil }
    let yes = SafeText(untrusted: question.answer.name)
    func asking(_ subject: SafeText, _ text: (SafeText) -> SafeText) -> StyledText {
      let room = max(min(subject.columns, 8), columns - text(.empty).columns)
      return StyledText(text(subject.truncated(to: room, ellipsis: signs.ellipsis)), style: Palette.warning)
    }
    switch question {
    case .bannerLink(let asked):
      return asking("\(untrusted: asked.address)") { words(.bannerAsks, $0, yes, no) }
    case .action(let action, _):
      guard action.request != nil else {
        let undo = state.options.keymap.name(of: .undo)
        return asking("\(untrusted: action.label)") { words(.serviceAsks, $0, undo, yes, no) }
      }
      // The content and the receiver of a request are always shown, whatever the label is.
      let address = RequestAddress(action.url)
      return asking(SafeText(untrusted: address.origin + address.rest)) { state.requestQuestion(action, $0) }
    case .rule(_, let matches, _):
      return StyledText(state.ruleQuestion(matches: matches), style: Palette.accent)
    }
  }

  private func hint(_ command: Command) -> (key: SafeText, what: SafeText) {
    (state.options.keymap.name(of: command), words.title(command))
  }

  /// Draws hints. If not all fit, the first and the last stay: help lists the others.
  private func hints(_ hints: [(key: SafeText, what: SafeText)], columns: Int) -> StyledText {
    var hints = hints
    func width() -> Int { hints.reduce(-2) { $0 + $1.key.columns + $1.what.columns + 3 } }
    while hints.count > 1, width() > columns { hints.remove(at: max(0, hints.count - 2)) }
    var line = StyledText.empty
    for hint in hints {
      if !line.isEmpty { line.append("  ") }
      line.append(hint.key, style: Palette.key)
      line.append(" " + hint.what, style: Palette.quiet)
    }
    return line
  }
}
