import Messages
import Screen
import Words

extension Drawing {
  /// The minimum width of the pane, in columns, for the full indentation of folders.
  private static let wideSources = 26

  mutating func drawSources(_ area: Rect) {
    let list = state.shown.sources
    let shown = list.index(of: state.shown.list.query.scope)
    let hasKeys = state.focus.pane == .sources
    if list.count == 0 { return drawNote([StyledText(words(.noSourceFound))], in: area) }
    for (index, line) in list.linesOnScreen(visible: area.size.rows) {
      let (scope, depth) = (list.tree.lines[index].scope, list.tree.lines[index].depth)
      let row = area.row(line)
      drawSource(scope, depth: depth, isSelected: index == (hasKeys ? list.cursor : shown), in: row)
      if hasKeys, index == list.cursor {
        drawSelection(row, isFocused: true)
      } else if index == shown {
        drawSelection(row, isFocused: false)
      }
    }
  }

  private mutating func drawSource(_ scope: InboxQuery.Scope, depth: Int, isSelected: Bool, in row: Rect) {
    let list = state.shown.sources
    let line: SourceLine
    switch scope {
    case .all:
      line = SourceLine(
        title: words(.all), isUnseen: state.counts.isUnseen, unread: state.counts.unread, isSum: true)
    case .starred:
      line = SourceLine(title: words(.starred), isUnseen: false, unread: 0, total: state.counts.starred)
    case .snoozed:
      line = SourceLine(title: words(.snoozedList), isUnseen: false, unread: 0, total: state.counts.snoozed)
    case .dismissed: line = SourceLine(title: words(.dismissedList), isUnseen: false, unread: 0)
    case .hidden:
      let count = state.counts.hidden.reduce(0) { $0 + $1.count }
      line = SourceLine(title: words(.hiddenList), isUnseen: false, unread: 0, total: count)
    case .waiting:
      line = SourceLine(title: words(.waitingList), isUnseen: false, unread: state.counts.waiting)
    case .list(let id):
      guard let status = list.list(id) else { return }
      line = self.line(of: status)
    case .folder(let folder):
      let sum = list.tree.sums[folder] ?? SourceTree.Sum()
      let isClosed = list.isClosed(folder)
      line = SourceLine(
        title: signs.before(list.title(of: folder), isClosed ? signs.closed : signs.open),
        isUnseen: sum.isUnseen, unread: sum.unread, sign: isClosed ? sign(ofAll: sum.sources) : nil,
        hasFailed: isClosed && hasFailure(in: sum.sources), isSum: true)
    case .source(let id):
      guard let status = list.status(id) else { return }
      line = SourceLine(
        title: list.titles[id] ?? .empty, isUnseen: status.isUnseen, unread: status.unread,
        badge: status.badge, sign: sign(of: status), hasFailed: status.state.isFailing || status.state.isGone,
        isPaused: status.source.settings.isPaused,
        isVerified: status.source.settings.verifiesCertificates)
    }
    if signs.areWords { return say(line, isSelected: scope == state.shown.sources.scope, in: row) }
    let right = line.right(signs)
    // In a narrow pane, the title is more important than the depth of its folder.
    let indent = min((row.size.columns < Self.wideSources ? 1 : 2) * depth, row.size.columns / 4)
    let start = row.origin.column + 3 + indent
    let room = row.columns.upperBound - start - (right.isEmpty ? 1 : right.columns + 2)
    if line.isUnseen, line.isSum {
      frame.write(
        signs.dot, at: Point(column: row.origin.column + 1, row: row.origin.row), in: row, style: Palette.dot)
    }
    frame.write(
      line.title.truncated(to: max(0, room), ellipsis: signs.ellipsis),
      at: Point(column: start, row: row.origin.row), in: row,
      style: isSelected ? Palette.heading : line.unread > 0 ? Palette.unread : .plain)
    if row.size.columns > right.columns + 6 {
      frame.write(
        right, at: Point(column: row.columns.upperBound - right.columns - 1, row: row.origin.row), in: row)
    }
  }

  /// Returns the line of a saved list. Its count is three dots until it has been counted.
  private func line(of status: SavedListStatus) -> SourceLine {
    let hasFailed = status.list.mistaken != nil
    let sign =
      hasFailed
      ? StyledText(signs.failed, style: Palette.failure)
      : status.unread == nil ? StyledText(signs.ellipsis, style: Palette.quiet) : nil
    return SourceLine(
      title: SafeText(untrusted: status.list.name), isUnseen: status.isUnseen, unread: status.unread ?? 0,
      sign: sign, hasFailed: hasFailed)
  }

  /// Returns the symbol of a closed folder if one of its sources is being polled, or has failed.
  private func sign(ofAll sources: [SourceID]) -> StyledText? {
    if sources.contains(where: { state.polling[$0]?.phase == .polling }) {
      return StyledText(spinner, style: Palette.accent)
    }
    return hasFailure(in: sources) ? StyledText(signs.failed, style: Palette.failure) : nil
  }

  private func hasFailure(in sources: [SourceID]) -> Bool {
    sources.lazy.compactMap { state.shown.sources.status($0)?.state }.contains { $0.isFailing || $0.isGone }
  }

  private func sign(of status: SourceStatus) -> StyledText? {
    if state.polling[status.source.id]?.phase == .polling {
      return StyledText(spinner, style: Palette.accent)
    }
    if status.source.settings.isPaused { return StyledText(signs.paused, style: Palette.quiet) }
    if status.state.isFailing || status.state.isGone {
      return StyledText(signs.failed, style: Palette.failure)
    }
    // The header shows it in words.
    return status.source.settings.verifiesCertificates
      ? nil : StyledText(signs.urgent, style: Palette.warning)
  }
}

/// The content of a line of the sources' pane.
struct SourceLine {
  var title: SafeText
  var isUnseen: Bool
  var unread: Int
  var total = 0
  var badge: Int?
  var sign: StyledText?
  var hasFailed = false
  var isPaused = false
  /// Whether the certificates of the source's server are verified.
  var isVerified = true
  /// Whether the line combines several sources. They may be hidden, so a dot shows that one of them has something new.
  var isSum = false

  /// Returns symbol, badge and count. The colour of the count shows whether something is new: dots and bold names of
  /// many sources would hide everything else. Without colours the count is bold.
  func right(_ signs: Signs) -> StyledText {
    var text = sign ?? .empty
    if let badge, badge != 0 {
      if !text.isEmpty { text.append(" ") }
      text.append("[\(badge)]", style: Palette.warning)
    }
    let count = unread > 0 ? unread : total
    if count > 0 {
      if !text.isEmpty { text.append(" ") }
      text.append("\(count)", style: isUnseen ? Palette.dot : Palette.quiet)
    } else if isUnseen, !isSum {
      if !text.isEmpty { text.append(" ") }
      text.append(signs.dot, style: Palette.dot)
    }
    return text
  }
}
