import Basics
import Messages
import Screen
import Words

/// Rows for a screen reader: their state as words, then the text, in one line.
extension Drawing {
  /// Writes a message's row for a screen reader.
  ///
  /// - Parameter lines: the lines of the row; a second one has the origin and the time.
  mutating func say(_ message: MessageRow, isSelected: Bool, in lines: [Rect]) {
    guard let row = lines.first else { return }
    var states = isSelected ? [words(.stateSelected)] : []
    if state.shown.list.isMarked(message) { states.append(words(.stateMarked)) }
    if message.isUnread { states.append(words(.stateUnread)) }
    switch message.key.rank {
    case .downtime: states.append(signs.downtime)
    case .pinned: states.append(signs.pinned)
    case .normal: break
    }
    if message.priority >= Priority(4) { states.append(signs.urgent) }
    if message.isStarred { states.append(words(.readerStarred)) }
    var rest: [SafeText] = []
    if !message.members.isEmpty { rest.append(words(.repeated, "\(message.members.count)")) }
    var from: [SafeText] = []
    switch state.shown.list.query.scope {
    case .source: break
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .folder, .list:
      from.append(state.title(of: message.source, and: message.otherSources))
    }
    if let channel = message.channel {
      from.append(SafeText(beginningOf: channel, columns: row.size.columns) ?? .empty)
    }
    if !message.id.isWelcome {
      from.append(
        words.listTime(WallTime(message.time, in: state.options.zone), today: today, withClock: true))
    }
    let title = SafeText(beginningOf: message.title, columns: row.size.columns) ?? words(.untitled)
    guard let below = lines.dropFirst().first else {
      markHits(in: say(states, title, rest + from, in: row))
      return
    }
    markHits(in: say(states, title, rest, in: row))
    from.removeAll { $0.isEmpty }
    say([], from.first ?? .empty, Array(from.dropFirst()), in: below)
  }

  /// Writes a row of the sources' pane for a screen reader.
  mutating func say(_ source: SourceLine, isSelected: Bool, in row: Rect) {
    var rest: [SafeText] = []
    if source.unread > 0 {
      rest.append(words.count(.unread, source.unread))
    } else if source.total > 0 {
      rest.append("\(source.total)")
    }
    if source.isUnseen { rest.append(words(.stateNew)) }
    if source.hasFailed { rest.append(words(.stateFailed)) }
    if source.isPaused { rest.append(words(.shortPaused)) }
    if !source.isVerified { rest.append(words(.notVerified)) }
    if let badge = source.badge, badge != 0 { rest.append("[\(badge)]") }
    say(isSelected ? [words(.stateSelected)] : [], source.title, rest, in: row)
  }

  /// Writes a row. The name is cut if not everything fits, unless too little would be left of it.
  ///
  /// - Returns: the position of the name.
  @discardableResult
  private mutating func say(_ states: [SafeText], _ name: SafeText, _ rest: [SafeText], in row: Rect) -> Rect
  {
    let before = states.reduce(SafeText.empty) { $0 + $1 + ", " }
    let after = rest.filter { !$0.isEmpty }.reduce(SafeText.empty) { $0 + ", " + $1 }
    let room = row.size.columns - before.columns - after.columns
    let name = room >= min(12, name.columns) ? name.truncated(to: room, ellipsis: signs.ellipsis) : name
    frame.write(before + name + after, at: row.origin, in: row)
    let place = Point(column: row.origin.column + before.columns, row: row.origin.row)
    return Rect(origin: place, size: Size(columns: name.columns, rows: 1)).intersection(row)
  }
}

extension SafeText {
  /// Creates the part of untrusted text that may fit: the text may be very long, and only that part is sanitized.
  ///
  /// - Returns: `nil` if it is empty.
  init?(beginningOf text: String, columns: Int) {
    guard !text.isEmpty else { return nil }
    self.init(untrusted: text.utf8.count > 4 * columns + 64 ? String(text.prefix(columns + 1)) : text)
  }
}
