import Basics
import Messages
import Queries
import Screen
import Words

extension Drawing {
  mutating func drawMessages(_ area: Rect) {
    guard !state.shown.list.rows.isEmpty else {
      if state.shown.list.isLoaded { drawNote(emptyList, in: area) }
      return
    }
    let lines = state.messageLines(layout)
    let columns = MessageColumns(area.size.columns, state, lines, today: today)
    for (line, content) in state.shown.list.visible(in: lines) {
      switch content {
      case .day(let day): drawDay(day, columns, in: area.row(line))
      case .row(let index):
        let rows = (line..<min(line + lines.perRow, area.size.rows)).map(area.row)
        drawMessage(index, columns, in: rows)
      }
    }
  }

  /// Draws the name of a day in a rule.
  private mutating func drawDay(_ day: Int, _ columns: MessageColumns, in row: Rect) {
    let line = row.inset(left: columns.dot, right: columns.right)
    frame.write(
      SafeText(signs.light, count: line.size.columns), at: line.origin, in: line, style: Palette.quiet)
    let name = " " + words.day(day, today: today) + " "
    frame.write(
      name, at: Point(column: line.origin.column + 2, row: line.origin.row), in: line, style: Palette.quiet)
  }

  private mutating func drawMessage(_ index: Int, _ columns: MessageColumns, in lines: [Rect]) {
    let message = state.shown.list.rows[index]
    let isSelected = index == state.shown.list.selected
    if signs.areWords {
      say(message, isSelected: isSelected, in: lines)
    } else {
      draw(message, columns, in: lines)
    }
    let hasKeys = state.focus.pane == .messages && state.dialog.overlay == nil
    // The last one has the cursor: screen readers and magnifiers follow the first line.
    if isSelected { for line in lines.reversed() { drawSelection(line, isFocused: hasKeys) } }
  }

  /// Draws dot, time, origin, symbols and title; in two lines, origin and time are the second one.
  private mutating func draw(_ message: MessageRow, _ columns: MessageColumns, in lines: [Rect]) {
    guard let row = lines.first else { return }
    func place(of column: Int) -> Point { Point(column: row.origin.column + column, row: row.origin.row) }
    if let mark = columns.mark, state.shown.list.isMarked(message) {
      frame.write(signs.mark, at: place(of: mark), in: row, style: Palette.accent)
    }
    if message.isUnread { frame.write(signs.dot, at: place(of: columns.dot), in: row, style: Palette.dot) }
    var place = place(of: columns.first)
    if let below = lines.dropFirst().first {
      drawOrigin(message, columns, in: below)
    } else {
      if columns.time > 0 {
        frame.write(time(of: message, columns), at: place, in: row, style: Palette.quiet)
        place.column += columns.time + 2
      }
      if columns.origin > 0 {
        let name = origin(of: message, columns: columns.origin)
        frame.write(
          name.truncated(to: columns.origin, ellipsis: signs.ellipsis), at: place, in: row,
          style: Palette.quiet)
        place.column += columns.origin + 2
      }
    }
    for (sign, style) in self.signs(of: message) {
      place.column += frame.write(sign, at: place, in: row, style: style) + 1
    }
    if !message.members.isEmpty {
      let count = signs.times + "\(message.members.count)"
      place.column += frame.write(count, at: place, in: row, style: Palette.accent) + 1
    }
    let room = row.columns.upperBound - place.column - columns.right
    guard room > 0 else { return }
    let title = SafeText(beginningOf: message.title, columns: room) ?? words(.untitled)
    if let hint = state.questionHint(of: message, room: room) {
      let column = place.column + room - hint.columns
      frame.write(hint, at: Point(column: column, row: place.row), in: row)
    }
    frame.write(
      title.truncated(to: room, ellipsis: signs.ellipsis), at: place, in: row, style: titleStyle(message))
    markHits(in: Rect(origin: place, size: Size(columns: room, rows: 1)))
  }

  /// Draws the second line of a row: origin and time. The time always has room, since it is short.
  private mutating func drawOrigin(_ message: MessageRow, _ columns: MessageColumns, in row: Rect) {
    let start = Point(column: row.origin.column + columns.first, row: row.origin.row)
    let room = row.columns.upperBound - start.column - columns.right
    guard room > 0 else { return }
    var time = message.id.isWelcome ? SafeText.empty : time(of: message, columns)
    let left = room - (time.isEmpty ? 0 : time.columns + signs.between.columns)
    let name = columns.hasOrigins && left > 0 ? origin(of: message, columns: left) : .empty
    if !time.isEmpty, !name.isEmpty { time = signs.between + time }
    let text = name.truncated(to: max(0, room - time.columns), ellipsis: signs.ellipsis) + time
    frame.write(
      text.truncated(to: room, ellipsis: signs.ellipsis), at: start, in: row, style: Palette.quiet)
  }

  private func time(of message: MessageRow, _ columns: MessageColumns) -> SafeText {
    let time = WallTime(message.time, in: state.options.zone)
    if columns.isBelowDay { return SafeText(untrusted: time.clock) }
    return words.listTime(time, today: today, withClock: columns.hasClock)
  }

  private func signs(of message: MessageRow) -> [(SafeText, Style)] {
    var result: [(SafeText, Style)] = []
    switch message.key.rank {
    case .downtime: result.append((signs.downtime, Palette.warning))
    case .pinned: result.append((signs.pinned, Palette.warning))
    case .normal: break
    }
    if message.priority >= Priority(4) { result.append((signs.urgent, Palette.warning)) }
    if message.isStarred { result.append((signs.star, Palette.star)) }
    return result
  }

  private func titleStyle(_ message: MessageRow) -> Style {
    let weight =
      !message.isUnread
      ? Palette.read
      : state.shown.list.news.contains(message) ? Palette.new.over(Palette.unread) : Palette.unread
    switch message.key.rank {
    case .downtime, .pinned: return weight.over(Palette.pinned)
    case .normal: return weight
    }
  }

  // MARK: Nothing to list

  /// The explanation that replaces the rows of an empty list.
  private var emptyList: [StyledText] {
    let keymap = state.options.keymap
    let query = state.shown.list.query
    if let lookedBack { return [StyledText(lookedBack, style: Palette.quiet)] }
    if query.search != nil {
      return note(words(.emptySearch), words(.emptySearchHint, keymap.name(of: .back)))
    }
    if query.isUnreadOnly {
      return note(words(.emptyUnread), words(.emptyUnreadHint, keymap.name(of: .unreadOnly)))
    }
    switch query.scope {
    case .starred: return note(words(.emptyStarred), words(.emptyStarredHint, keymap.name(of: .toggleStar)))
    case .snoozed, .dismissed, .hidden, .waiting: return [StyledText(words(.emptyPutAway))]
    case .all, .folder: return note(words(.emptyList), words(.emptyListHint, keymap.name(of: .refreshAll)))
    case .list(let id): return emptySavedList(id)
    case .source(let id):
      guard let status = state.shown.sources.status(id) else { return [] }
      if status.source.kind == .local { return note(words(.emptyList), words(.emptyLocal)) }
      if status.source.kind == .banners, !status.state.isFailing {
        return note(words(.emptyList), words(.emptyBanners))
      }
      if let failure = status.state.lastFailure {
        return [
          StyledText(words(.emptyList)), .empty, StyledText(words(.emptyFailed), style: Palette.failure),
          StyledText(words.sentence(failure)), .empty,
          StyledText(words(.emptyListHint, keymap.name(of: .refresh)), style: Palette.quiet),
        ]
      }
      return note(words(.emptyList), words(.emptyListHint, keymap.name(of: .refresh)))
    }
  }

  /// Explains the query of an empty saved list, or the error in it.
  private func emptySavedList(_ id: SavedListID) -> [StyledText] {
    guard let list = state.shown.sources.list(id)?.list else { return [] }
    guard let mistaken = list.mistaken else {
      return note(words(.emptySearch), SafeText(untrusted: list.query ?? ""))
    }
    let keymap = state.options.keymap
    let hint = words(.listMistakeHint, keymap.name(of: .editSource), keymap.name(of: .editSettings))
    return [
      StyledText(words(.listMistake), style: Palette.failure), .empty,
    ] + explained(mistaken) + [.empty, StyledText(hint, style: Palette.quiet)]
  }

  /// Returns an invalid query, with the error underlined and explained.
  private func explained(_ text: String) -> [StyledText] {
    guard case .failure(let mistake) = Query.parse(text, .strict) else {
      return [StyledText(SafeText(untrusted: text))]
    }
    let bytes = Array(text.utf8)
    func part(_ range: Range<Int>) -> SafeText {
      SafeText(untrusted: String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self))
    }
    var line = StyledText(part(0..<mistake.range.lowerBound))
    line.append(part(mistake.range), style: Palette.failure.over(.underline))
    line.append(part(mistake.range.upperBound..<max(bytes.count, mistake.range.upperBound)))
    return [line, StyledText(words.sentence(mistake.reason))]
  }

  /// Returns a sentence, and a hint below it.
  private func note(_ text: SafeText, _ hint: SafeText) -> [StyledText] {
    [StyledText(text), StyledText(hint, style: Palette.quiet)]
  }
}
