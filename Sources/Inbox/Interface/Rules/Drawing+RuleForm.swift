import Basics
import Messages
import Queries
import Screen
import Words

extension Drawing {
  /// Draws the form in place of the panes: the fields, the errors in them, and next to them or below the result of the
  /// trial, which is what the rule would have done with earlier messages.
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
    // The most important parts are visible even on the smallest screens: the field being edited, then the numbers.
    let rows = area.size.rows
    let heads = rows >= 14
    let notes = rows >= 10 ? 2 : rows >= 3 ? 1 : 0
    let lines = fieldLines(of: form, columns: fieldColumns(of: form, in: area)).count
    // The numbers of the trial get a few lines if possible.
    let fields = min(lines, max(1, rows - notes - (rows >= 20 ? 6 : 1) - (heads ? 2 : 0)))
    let (top, rest) = area.splitTop((heads ? 2 : 0) + fields + notes)
    drawFields(of: form, in: top, heads: heads, notes: notes)
    let space = rows >= 12 ? 1 : 0
    drawTrial(of: form, in: rest.inset(left: 1, top: space, right: 1))
  }

  // MARK: Fields

  /// Draws the fields, and the error or hint below them.
  ///
  /// - Parameter notes: the number of rows kept below the fields for errors and hints.
  private mutating func drawFields(of form: RuleForm, in area: Rect, heads: Bool, notes: Int) {
    let head = heads ? 2 : 0
    if heads {
      frame.write(
        words(form.replaces == nil ? .ruleNew : .ruleEdit),
        at: Point(column: area.origin.column + 1, row: area.origin.row), in: area,
        style: Palette.heading)
    }
    let width = labelColumns(area)
    let all = fieldLines(of: form, columns: fieldColumns(of: form, in: area))
    let visible = min(all.count, max(1, area.size.rows - head - notes))
    let selected =
      all.firstIndex { $0.field == form.selected && ($0.field != .marks || $0.marks.contains(form.mark)) }
      ?? 0
    let first = min(max(0, selected - visible + 1), all.count - visible)
    for (row, line) in all[first...].prefix(visible).enumerated() {
      draw(line, of: form, width: width, in: area.row(head + row))
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
      frame.write(
        cut.truncated(to: columns, ellipsis: signs.ellipsis),
        at: Point(column: area.origin.column + 1, row: area.origin.row + below + index), in: area)
    }
  }

  /// A line of the form: a field, or a part of the actions without a value (`marks`), each of which is set or
  /// not.
  private struct FieldLine {
    var field: RuleForm.Field
    var marks: Range<Int> = 0..<0
  }

  private func labelColumns(_ area: Rect) -> Int {
    let widest = RuleForm.Field.allCases.map { words(label(of: $0)).columns }.max() ?? 0
    return min(widest, area.size.columns / 3)
  }

  private func fieldColumns(of form: RuleForm, in area: Rect) -> Int {
    max(1, area.size.columns - labelColumns(area) - 4)
  }

  /// Returns the lines of all fields. The actions without a value have as many lines as they need.
  private func fieldLines(of form: RuleForm, columns: Int) -> [FieldLine] {
    RuleForm.Field.allCases.flatMap { field -> [FieldLine] in
      guard field == .marks else { return [FieldLine(field: field)] }
      var lines: [FieldLine] = []
      var (first, used) = (0, 0)
      for index in form.marks.indices {
        let width = mark(index, of: form).columns
        if used > 0, used + 2 + width > columns {
          lines.append(FieldLine(field: field, marks: first..<index))
          (first, used) = (index, 0)
        }
        used += (used > 0 ? 2 : 0) + width
      }
      return lines + [FieldLine(field: field, marks: first..<form.marks.count)]
    }
  }

  /// Returns the checkbox of an action without a value, and the action's name in the settings.
  private func mark(_ index: Int, of form: RuleForm) -> SafeText {
    let name = SafeText(untrusted: form.marks[index])
    let isSet = form.chosen.contains(form.marks[index])
    if signs.areWords { return name + " " + words(isSet ? .yes : .no) }
    return (isSet ? "[x] " : "[ ] ") + name
  }

  private mutating func drawMarks(_ line: FieldLine, of form: RuleForm, isSelected: Bool, in field: Rect) {
    var column = field.origin.column
    for index in line.marks {
      let text = mark(index, of: form)
      let isWrong = if case .failure = RuleAction.parse(form.marks[index]) { true } else { false }
      let part = Rect(column: column, row: field.origin.row, columns: text.columns, rows: 1).intersection(
        field)
      frame.write(text, at: part.origin, in: field, style: isWrong ? Palette.failure : .plain)
      if isSelected, index == form.mark {
        let (theme, ground) = (theme, ground)
        frame.restyle(part) { theme.selection(over: $0, on: ground) }
        frame.cursor = Point(
          column: min(column + (signs.areWords ? 0 : 1), field.columns.upperBound - 1), row: field.origin.row)
      }
      column += text.columns + 2
    }
  }

  private mutating func draw(_ line: FieldLine, of form: RuleForm, width: Int, in row: Rect) {
    let field = line.field
    let isSelected = field == form.selected
    let label = line.marks.lowerBound > 0 ? SafeText.empty : words(label(of: field))
    let place: Rect
    switch field {
    case .name:
      place = drawField(
        label, width: width, form.name, usual: form.usualName, isSelected: isSelected, in: row)
    case .condition:
      place = drawField(
        label, width: width, form.condition, usual: "", isSelected: isSelected, in: row)
    case .tags:
      place = drawField(label, width: width, form.tags, usual: "", isSelected: isSelected, in: row)
    case .withoutTags:
      place = drawField(label, width: width, form.withoutTags, usual: "", isSelected: isSelected, in: row)
    case .snooze:
      place = drawField(label, width: width, form.snooze, usual: "", isSelected: isSelected, in: row)
    case .marks, .priority, .stop:
      let isShown = isSelected && field != .marks
      place = drawField(label, width: width, LineEditor(), usual: "", isSelected: isShown, in: row)
      if field == .marks { drawMarks(line, of: form, isSelected: isSelected, in: place) }
      if field == .stop { frame.write(words(form.stops ? .yes : .no), at: place.origin, in: place) }
      if field == .priority {
        let name = form.priority.map { SafeText(untrusted: Query.PriorityLevel.names[$0.rawValue - 1]) }
        frame.write(
          name ?? words(.ruleUnchanged), at: place.origin, in: place,
          style: name == nil ? Palette.quiet : .plain)
      }
    }
    guard field == .condition, let range = form.mistake(in: field)?.range else { return }
    let skipped = isSelected ? skipped(form.condition, in: place) : 0
    underline(range, of: form.condition.text, from: place.origin.column - skipped, in: place)
  }

  /// Returns the reason why the rule cannot be saved, the words that Tab inserts, or the possible words.
  /// `isFailure` is whether it is a reason.
  private func note(of form: RuleForm) -> (text: StyledText, isFailure: Bool) {
    switch form.phase {
    case .asking: return (StyledText(spinner, style: Palette.accent), false)
    case .failed(let reason): return (failure(reason), true)
    case .editing: break
    }
    if let completion = form.completion { return (choices(completion), false) }
    if let mistake = form.mistake(in: form.selected) ?? form.mistake {
      return (failure(words.sentence(mistake, settings: state.options.keymap.name(of: .editSettings))), true)
    }
    let hint =
      switch form.selected {
      case .name, .condition: words(.ruleConditionHint, "down")
      case .marks: words(.ruleMarkHint, "space", "left", "right")
      case .tags, .withoutTags: words(.ruleTagHint)
      case .priority: words(.rulePriorityHint, "space")
      case .snooze: words(.ruleSnoozeHint)
      case .stop: words(.ruleStopHint, "space")
      }
    return (StyledText(hint, style: Palette.quiet), false)
  }

  private func failure(_ reason: SafeText) -> StyledText {
    StyledText(signs.failed + " " + reason, style: Palette.failure)
  }

  /// Returns the words that Tab inserts: the current one, then the next ones.
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
    case .marks: .ruleDo
    case .tags: .ruleTags
    case .withoutTags: .ruleWithoutTags
    case .priority: .detailPriority
    case .snooze: .ruleSnooze
    case .stop: .ruleStop
    }
  }

  // MARK: What it would have done

  /// Draws the result of the trial on earlier messages, and what the rule will do with new ones.
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
    // Numbers of an earlier query stay, so that nothing jumps while the user types.
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

  /// The maximum number of sources whose matches are listed.
  private static let mostSources = 8

  private func numbers(of trial: RuleTrial, doing actions: [RuleAction], isCurrent: Bool) -> SafeText {
    if trial.rest == nil {
      let found = words.sentence(trial, doing: actions)
      return isCurrent ? found : found + " " + signs.ellipsis
    }
    let time = trial.lookedTo.map { words.listTime(WallTime($0, in: state.options.zone), today: today) }
    return words(.trialSoFar, "\(trial.matched)", "\(trial.looked)", signs.ellipsis, time ?? .empty)
  }

  /// Returns the sources with the most messages that the rule matches, each with its number of them.
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

  /// Returns the lines of some messages that the rule matches, each with its time as in the list.
  private func samples(of trial: RuleTrial, isCurrent: Bool) -> [StyledText] {
    let list = layout.messages ?? layout.body
    let hasClock =
      MessageColumns(list.size.columns, state, state.messageLines(layout), today: today).hasClock
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
