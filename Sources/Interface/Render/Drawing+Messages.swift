import Dates
import Messages
import Queries
import Screen

extension Drawing {
  mutating func drawMessages(_ area: Rect) {
    guard !state.shown.list.rows.isEmpty else {
      if state.shown.list.isLoaded { drawNote(emptyList, in: area) }
      return
    }
    let columns = MessageColumns(area.size.columns, state, today: today)
    for line in 0..<area.size.rows { drawMessage(line, columns, in: area) }
  }

  private mutating func drawMessage(_ line: Int, _ columns: MessageColumns, in area: Rect) {
    let index = state.shown.list.top + line
    guard state.shown.list.rows.indices.contains(index) else { return }
    let row = area.row(line)
    let isSelected = index == state.shown.list.selected
    if signs.areWords {
      say(state.shown.list.rows[index], isSelected: isSelected, in: row)
    } else {
      draw(state.shown.list.rows[index], columns, in: row)
    }
    let hasKeys = state.focus.pane == .messages && state.dialog.overlay == nil
    if isSelected { drawSelection(row, isFocused: hasKeys) }
  }

  /// Dot, time, source, signs, title.
  private mutating func draw(_ message: MessageRow, _ columns: MessageColumns, in row: Rect) {
    var place = Point(column: row.origin.column + columns.dot, row: row.origin.row)
    if state.shown.list.isMarked(message) {
      frame.write(
        signs.mark, at: Point(column: place.column + 1, row: place.row), in: row, style: Palette.accent)
    }
    if message.isUnread { frame.write(signs.dot, at: place, in: row, style: Palette.dot) }
    place.column += 2
    if columns.time > 0 {
      let time = words.listTime(WallTime(message.time, in: state.options.zone), today: today)
      frame.write(time, at: place, in: row, style: Palette.quiet)
      place.column += columns.time + 2
    }
    if columns.source > 0 {
      let name = name(of: message, columns: columns.source)
      frame.write(
        name.truncated(to: columns.source, ellipsis: signs.ellipsis), at: place, in: row, style: Palette.quiet
      )
      place.column += columns.source + 2
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
    frame.write(
      title.truncated(to: room, ellipsis: signs.ellipsis), at: place, in: row, style: titleStyle(message))
    markHits(in: Rect(origin: place, size: Size(columns: room, rows: 1)))
  }

  /// The source's, or in its own list the feed, application or topic.
  private func name(of message: MessageRow, columns: Int) -> SafeText {
    guard case .source = state.shown.list.query.scope else {
      return state.title(of: message.source, and: message.otherSources)
    }
    return message.channel.flatMap { SafeText(beginningOf: $0, columns: columns) } ?? .empty
  }

  private func signs(of message: MessageRow) -> [(SafeText, Style)] {
    var result: [(SafeText, Style)] = []
    switch message.key.standing {
    case .downtime: result.append((signs.downtime, Palette.warning))
    case .pinned: result.append((signs.pinned, Palette.warning))
    case .normal: break
    }
    if message.priority >= Priority(4) { result.append((signs.urgent, Palette.warning)) }
    if message.isStarred { result.append((signs.star, Palette.star)) }
    return result
  }

  private func titleStyle(_ message: MessageRow) -> Style {
    let weight = message.isUnread ? Palette.unread : Style.plain
    switch message.key.standing {
    case .downtime, .pinned: return weight.over(Palette.pinned)
    case .normal: return weight
    }
  }

  // MARK: Nothing to list

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
    case .snoozed, .dismissed, .hidden: return [StyledText(words(.emptyPutAway))]
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

  /// What it asks for, or what is wrong with that.
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

  /// A text that isn't a query, with what is wrong in it underlined, and why.
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

  private func note(_ text: SafeText, _ hint: SafeText) -> [StyledText] {
    [StyledText(text), StyledText(hint, style: Palette.quiet)]
  }
}

/// The columns of each part of a message's row, by the width of its pane.
private struct MessageColumns {
  /// The title's minimum width for the source to be shown, and for the time.
  private static let roomBeforeSource = 40
  private static let roomBeforeTime = 16
  private static let sourceWidths = 8...18

  /// The dot's column: after the selection's bar, where that fits.
  var dot: Int
  /// 0: not shown.
  var time = 0
  /// Left free beside the next pane.
  var right = 0
  var source = 0

  init(_ width: Int, _ state: AppState, today: WallTime) {
    dot = width >= 8 ? 1 : 0
    if width >= 36 { right = 1 }
    var room = width - dot - 2 - right
    // Of the loaded rows, not of the visible ones: the columns must not move with each row.
    let year = state.shown.list.oldestTime.map { WallTime($0, in: state.options.zone).date.year }
    let dates =
      year.map { $0 < today.date.year } == true
      ? state.words.timeColumnsOfAnyYear : state.words.timeColumns
    guard room - dates - 2 >= Self.roomBeforeTime else { return }
    time = dates
    room -= dates + 2
    let wanted: Int
    switch state.shown.list.query.scope {
    case .source:
      guard state.shown.list.hasChannels else { return }
      wanted = Self.sourceWidths.upperBound
    case .all, .starred, .snoozed, .dismissed, .hidden, .folder, .list:
      guard !state.isWelcome, state.shown.sources.statuses.count > 1 else { return }
      wanted =
        state.shown.list.hasCopies
        ? Self.sourceWidths.upperBound
        : min(state.shown.sources.widestTitle, Self.sourceWidths.upperBound)
    }
    let left = room - Self.roomBeforeSource - 2
    if left >= min(wanted, Self.sourceWidths.lowerBound) { source = min(wanted, left) }
  }
}
