import Basics
import Messages
import Queries
import Screen
import Words

extension Drawing {
  /// Instead of the panes: the fields, what is wrong with them, and what the rule would have done, beside them or below.
  mutating func draw(_ form: RuleForm) {
    let area = layout.body
    guard !area.isEmpty else { return }
    frame.fill(area)
    if area.size.columns >= Layout.readerBeside, !signs.areWords, area.size.rows >= 8 {
      let (left, others) = area.splitLeft(area.size.columns / 2)
      for row in area.rows {
        frame.write(
          signs.vertical, at: Point(column: others.origin.column, row: row), style: Palette.quiet)
      }
      if !layout.rule.isEmpty {
        let joint = Point(column: others.origin.column, row: layout.rule.origin.row)
        frame.write(signs.joint, at: joint, style: Palette.accent)
      }
      drawFields(of: form, in: left, heads: true, notes: 6)
      drawTrial(of: form, in: others.inset(left: 2, top: 0, right: 1))
      return
    }
    // What matters most is in sight on the smallest screens too: the field that is typed into, then the numbers.
    let rows = area.size.rows
    let heads = rows >= 14
    let notes = rows >= 10 ? 2 : rows >= 3 ? 1 : 0
    let fields = min(RuleForm.Field.allCases.count, max(1, rows - notes - 1))
    let (top, rest) = area.splitTop((heads ? 2 : 0) + fields + notes)
    drawFields(of: form, in: top, heads: heads, notes: notes)
    let space = rows >= 12 ? 1 : 0
    drawTrial(of: form, in: rest.inset(left: 1, top: space, right: 1))
  }

  // MARK: Fields

  /// - Parameter notes: how many rows below the fields are kept for what is wrong, and for hints.
  private mutating func drawFields(of form: RuleForm, in area: Rect, heads: Bool, notes: Int) {
    let head = heads ? 2 : 0
    if heads {
      frame.write(
        words(form.replaces == nil ? .ruleNew : .ruleEdit),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area,
        style: Palette.heading)
    }
    let all = RuleForm.Field.allCases
    let labels = all.map { words(label(of: $0)) }
    let width = min(labels.map(\.columns).max() ?? 0, area.size.columns / 3)
    let visible = min(all.count, max(1, area.size.rows - head - notes))
    let selected = all.firstIndex(of: form.selected) ?? 0
    let first = min(max(0, selected - visible + 1), all.count - visible)
    for (line, field) in all[first...].prefix(visible).enumerated() {
      draw(field, of: form, label: labels[first + line], width: width, in: area.row(head + line))
    }
    let below = head + visible + (area.size.rows > head + visible + notes ? 1 : 0)
    let columns = max(1, area.size.columns - 2)
    let (note, isFailure) = note(of: form)
    let lines = note.wrapped(to: columns)
    if isFailure, lines.count > min(notes, area.size.rows - below) {
      formFailure = note
      return
    }
    for (index, line) in lines.prefix(max(0, min(notes, area.size.rows - below))).enumerated() {
      let isLast = index == notes - 1 && lines.count > notes
      let cut = isLast ? line + StyledText(" ") + lines[index + 1] : line
      let more = StyledText(", " + signs.ellipsis, style: Palette.quiet)
      frame.write(
        isLast && form.listsActions
          ? cut.wholeParts(in: columns - more.columns) + more
          : cut.truncated(to: columns, ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 1, row: area.origin.row + below + index), in: area)
    }
  }

  private mutating func draw(
    _ field: RuleForm.Field, of form: RuleForm, label: SafeText, width: Int, in row: Rect
  ) {
    let isSelected = field == form.selected
    let place: Rect
    switch field {
    case .name:
      place = drawField(
        label, width: width, form.name, usual: form.usualName, isSelected: isSelected, in: row)
    case .condition:
      place = drawField(
        label, width: width, form.condition, usual: "", isSelected: isSelected, in: row)
    case .actions:
      place = drawField(label, width: width, form.actions, usual: "", isSelected: isSelected, in: row)
    case .stop:
      place = drawField(label, width: width, LineEditor(), usual: "", isSelected: isSelected, in: row)
      frame.write(words(form.stops ? .ruleYes : .ruleNo), at: place.origin, in: place)
    }
    guard let range = form.mistake(in: field)?.range, field != .actions || form.possibleActions == nil else {
      return
    }
    let editor = field == .condition ? form.condition : form.actions
    let skipped = isSelected ? skipped(editor, in: place) : 0
    underline(range, of: editor.text, from: place.origin.column - skipped, in: place)
  }

  /// Returns the reason why the rule cannot be saved, the words that Tab inserts, or the possible ones; and whether it is a
  /// reason.
  private func note(of form: RuleForm) -> (text: StyledText, isFailure: Bool) {
    switch form.phase {
    case .asking: return (StyledText(spinner, style: Palette.accent), false)
    case .failed(let reason): return (failure(reason), true)
    case .editing: break
    }
    if let completion = form.completion { return (choices(completion), false) }
    if let possible = form.possibleActions {
      return (StyledText(SafeText(untrusted: possible.joined(separator: "  ")), style: Palette.quiet), false)
    }
    if let mistake = form.mistake(in: form.selected) ?? form.mistake {
      return (failure(words.sentence(mistake, settings: state.options.keymap.name(of: .editSettings))), true)
    }
    if form.listsActions {
      let actions = SafeText(untrusted: RuleForm.offered.joined(separator: ", "))
      return (StyledText(words(.ruleActions, actions), style: Palette.quiet), false)
    }
    return (StyledText(words(.ruleStopHint, "space"), style: Palette.quiet), false)
  }

  private func failure(_ reason: SafeText) -> StyledText {
    StyledText(signs.failed + " " + reason, style: Palette.failure)
  }

  /// What Tab puts there now, and what it puts there next.
  func choices(_ completion: SearchCompletion) -> StyledText {
    var line = StyledText.empty
    for (index, text) in completion.texts.enumerated() where index >= completion.index {
      line.append(
        SafeText(untrusted: text) + "  ", style: index == completion.index ? Palette.accent : Palette.quiet)
    }
    return line
  }

  private func label(of field: RuleForm.Field) -> Phrase {
    switch field {
    case .name: .formName
    case .condition: .ruleWhen
    case .actions: .ruleDo
    case .stop: .ruleStop
    }
  }

  // MARK: What it would have done

  private mutating func drawTrial(of form: RuleForm, in area: Rect) {
    guard !area.isEmpty else { return }
    let columns = max(1, area.size.columns)
    let will = form.mistake == nil ? words.fromNowOn(form.doing, stops: form.stops) : nil
    var lines = trialLines(of: form, columns: columns)
    if let will {
      let isFirst = area.size.rows >= 4
      let now = StyledText(will).wrapped(to: columns)
      lines = isFirst ? now + [.empty] + lines : lines + now
    }
    for (row, line) in lines.prefix(area.size.rows).enumerated() {
      let place = Point(column: area.origin.column, row: area.origin.row + row)
      frame.write(line.truncated(to: area.size.columns, ellipsis: signs.ellipsis), at: place, in: area)
    }
  }

  private func trialLines(of form: RuleForm, columns: Int) -> [StyledText] {
    guard let trial = form.findings else {
      return form.request == nil
        ? [] : [StyledText(words(.trialLooking) + signs.ellipsis, style: Palette.accent)]
    }
    // Numbers of an earlier query are still there, so that nothing jumps while one types.
    let isCurrent = form.isCurrent
    let figures = isCurrent ? Palette.accent : Palette.quiet
    let text = isCurrent ? Style.plain : Palette.quiet
    var lines = StyledText(
      numbers(of: trial, doing: form.doing, isCurrent: isCurrent), style: figures
    ).wrapped(to: columns)
    if trial.matched > 0 {
      lines += sources(of: trial, style: text).wrapped(to: columns).prefix(3)
      lines.append(.empty)
      lines += samples(of: trial, isCurrent: isCurrent)
    }
    return lines
  }

  private static let mostSources = 8

  private func numbers(of trial: RuleTrial, doing actions: [RuleAction], isCurrent: Bool) -> SafeText {
    if trial.rest == nil {
      let found = words.sentence(trial, doing: actions)
      return isCurrent ? found : found + " " + signs.ellipsis
    }
    let time = trial.lookedTo.map { words.listTime(WallTime($0, in: state.options.zone), today: today) }
    return words(.trialSoFar, "\(trial.matched)", "\(trial.looked)", signs.ellipsis, time ?? .empty)
  }

  /// Those with the most of them.
  private func sources(of trial: RuleTrial, style: Style) -> StyledText {
    let counts = trial.bySource.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var line = StyledText.empty
    for (index, (source, count)) in counts.prefix(Self.mostSources).enumerated() {
      if index > 0 { line.append(", ", style: style) }
      line.append(state.title(of: source) + " \(count)", style: style)
    }
    if counts.count > Self.mostSources { line.append(", " + signs.ellipsis, style: style) }
    return line
  }

  /// Each with its time as the list shows it.
  private func samples(of trial: RuleTrial, isCurrent: Bool) -> [StyledText] {
    let list = layout.messages ?? layout.body
    let hasClock = MessageColumns(list.size.columns, state, today: today).hasClock
    let times = trial.samples.map {
      words.listTime(WallTime($0.time, in: state.options.zone), today: today, withClock: hasClock)
    }
    let width = times.map(\.columns).max() ?? 0
    return zip(trial.samples, times).map { sample, time in
      var line = StyledText(time.padded(to: width) + "  ", style: Palette.quiet)
      if trial.bySource.count > 1 { line.append(state.title(of: sample.source) + "  ", style: Palette.quiet) }
      let title = SafeText(untrusted: String(sample.title.prefix(300)))
      line.append(title.isEmpty ? words(.untitled) : title, style: isCurrent ? .plain : Palette.quiet)
      return line
    }
  }
}
