import Messages
import Screen

/// The keys, from the table of commands.
struct HelpPage {
  let options: InterfaceOptions

  private static let twoColumns = 100

  private var words: Words { options.words }

  func rows(columns: Int) -> Int {
    let (left, right) = sides(columns)
    return max(left.count, right.count)
  }

  /// The lines of the left side and, on a wide screen, those of the right one.
  func sides(_ columns: Int) -> (left: [StyledText], right: [StyledText]) {
    let width = columns >= Self.twoColumns && !options.signs.areWords ? columns / 2 - 2 : columns
    let groups = CommandRow.Group.allCases.map { lines(of: $0, columns: width) }
    let notes = programs(columns: width) + notes(columns: width)
    if columns < Self.twoColumns || options.signs.areWords { return (Array(groups.joined()) + notes, []) }
    return (groups[0] + groups[1], Array(groups[2...].joined()) + notes)
  }

  private func lines(of group: CommandRow.Group, columns: Int) -> [StyledText] {
    var lines = [StyledText(words(heading(group)), style: Palette.heading)]
    for command in Command.allCases where command.row.group == group {
      let keys = options.keymap.keys(of: command).map { SafeText(untrusted: $0.name) }
      var names = keys.first ?? "-"
      for key in keys.dropFirst() { names += ", " + key }
      lines += entry(names, words.help(command), columns: columns)
    }
    lines.append(.empty)
    return lines
  }

  /// The programs of the settings.
  private func programs(columns: Int) -> [StyledText] {
    let programs = options.keymap.programs
    if programs.isEmpty { return [] }
    var lines = [StyledText(words(.helpPrograms), style: Palette.heading)]
    for program in programs {
      lines += entry(SafeText(untrusted: program.key.name), program.text, columns: columns)
    }
    return lines + [.empty]
  }

  private func entry(_ keys: SafeText, _ text: SafeText, columns: Int) -> [StyledText] {
    let start = StyledText("  " + keys.padded(to: columns >= 48 ? 16 : 14) + " ", style: Palette.key)
    let rest = columns - start.columns
    let parts = rest >= 12 ? text.wrapped(to: rest) : [text]
    return parts.enumerated().map { index, part in
      index == 0 ? start + StyledText(part) : StyledText(.spaces(start.columns) + part)
    }
  }

  private func notes(columns: Int) -> [StyledText] {
    let keymap = options.keymap
    let texts = [
      words(.helpCount, keymap.name(of: .down), keymap.name(of: .openLink)),
      words(.helpActs, keymap.name(of: .dismiss), keymap.name(of: .last), keymap.name(of: .first)),
      words(.helpPrompt),
      words(.helpMouse),
    ]
    return texts.flatMap { StyledText($0, style: Palette.quiet).wrapped(to: max(1, columns)) }
  }

  private func heading(_ group: CommandRow.Group) -> Phrase {
    switch group {
    case .moving: .helpMoving
    case .reading: .helpReading
    case .messages: .helpMessages
    case .lists: .helpLists
    case .program: .helpProgram
    }
  }
}

/// The feeds of a page.
enum ChoicesPage {
  /// Lines above the first choice.
  static let headRows = 2
}

extension Drawing {
  mutating func drawOverlay() {
    let area = layout.body
    if let form = state.dialog.form { return draw(form) }
    if let form = state.dialog.ruleForm { return draw(form) }
    switch state.dialog.overlay {
    case .help(let scroll): drawHelp(scroll, in: area)
    case .choices(let choices, let selected, let top): draw(choices, selected: selected, from: top, in: area)
    case .address(let address): draw(address: address, in: area)
    case .problem(let source): draw(problemOf: source, in: area)
    case nil: break
    }
  }

  private mutating func drawHelp(_ scroll: Int, in area: Rect) {
    let (left, right) = HelpPage(options: state.options).sides(area.size.columns)
    let half = area.origin.column + area.size.columns / 2
    for row in 0..<area.size.rows {
      let line = scroll + row
      if left.indices.contains(line) {
        frame.write(
          left[line], at: Point(column: area.origin.column, row: area.origin.row + row), in: area)
      }
      if right.indices.contains(line) {
        frame.write(right[line], at: Point(column: half, row: area.origin.row + row), in: area)
      }
    }
  }

  /// From the first column on with nothing beside it, so that the mouse selects the address and nothing else.
  private mutating func draw(address: String, in area: Rect) {
    let note = StyledText(words(.copyByHand), style: Palette.quiet).wrapped(to: max(1, area.size.columns))
    let text = StyledText(SafeText(untrusted: address), link: 0)
    let lines = note + [.empty] + text.cut(to: max(1, area.size.columns))
    for (row, line) in lines.prefix(area.size.rows).enumerated() {
      write(
        line, at: Point(column: area.origin.column, row: area.origin.row + row), in: area, owner: "copy",
        address: { _ in address })
    }
  }

  /// What failed, where, and since when.
  private mutating func draw(problemOf source: SourceID, in area: Rect) {
    guard let status = state.shown.sources.status(source) else { return }
    let zone = state.options.zone
    var lines = [StyledText(state.shown.sources.titles[source] ?? .empty, style: Palette.heading)]
    lines.append(StyledText(SafeText(untrusted: status.source.shownAddress), style: Palette.quiet))
    lines.append(.empty)
    if let failure = status.state.lastFailure {
      lines.append(StyledText(words.sentence(failure), style: Palette.failure))
    } else if status.state.isGone {
      lines.append(StyledText(words(.shortGone), style: Palette.failure))
    }
    lines.append(.empty)
    let success = status.state.lastSuccess.map {
      words(.lastSuccess, words.instant($0, from: state.now, in: zone))
    }
    lines.append(StyledText(success ?? words(.neverSucceeded), style: Palette.quiet))
    if let polling = state.polling[source], let next = polling.next {
      let time = words.instant(next, from: state.now, in: zone)
      lines.append(
        StyledText(words(.next, time) + " (" + words.reason(polling.rule) + ")", style: Palette.quiet))
    }
    let wrapped = lines.flatMap { $0.isEmpty ? [$0] : $0.wrapped(to: max(1, area.size.columns - 2)) }
    for (row, line) in wrapped.prefix(area.size.rows).enumerated() {
      frame.write(line, at: Point(column: area.origin.column + 1, row: area.origin.row + row), in: area)
    }
  }

  private mutating func draw(_ choices: [FeedChoice], selected: Int, from first: Int, in area: Rect) {
    let title = StyledText(words(.chooseFeed), style: Palette.heading)
    frame.write(title, at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
    let list = area.splitTop(ChoicesPage.headRows).rest
    for row in 0..<list.size.rows where choices.indices.contains(first + row) {
      let choice = choices[first + row]
      var line = StyledText(" \(first + row + 1)  ", style: Palette.key)
      if signs.areWords, first + row == selected { line = StyledText(words(.stateSelected) + ", ") + line }
      if !choice.title.isEmpty { line.append("\(untrusted: choice.title)  ") }
      line.append("\(untrusted: choice.url)", style: Palette.quiet, link: first + row)
      write(
        line.truncated(to: list.size.columns - 1, ellipsis: signs.ellipsis),
        at: Point(column: list.origin.column + 1, row: list.origin.row + row), in: list, owner: "choice",
        address: { _ in choice.url })
      if first + row == selected { drawSelection(list.row(row), isFocused: true) }
    }
  }
}
