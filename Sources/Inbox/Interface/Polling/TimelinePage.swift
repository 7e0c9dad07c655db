import Basics
import Foundation
import Messages
import Screen
import Words

/// Past and coming polls as lines: side by side if both fit, otherwise the coming ones first.
struct TimelinePage {
  private let state: AppState
  /// The area of the pane without its margins.
  let area: Rect
  private var columns: Int { area.size.columns }

  init(_ state: AppState, in pane: Rect) {
    self.state = state
    let margin = Layout.margin(pane.size.columns)
    area = pane.inset(left: margin, right: margin)
  }

  /// The minimum width for past and coming polls side by side, in columns.
  private static let twoColumns = 94
  /// The number of coming polls above the past ones when not all fit.
  private static let fewComing = 3
  /// The maximum width of a source's name, in columns.
  private static let longestName = 18

  private var words: Words { state.options.words }
  private var signs: Signs { state.options.signs }

  /// The number of the newest attempts that are measured to divide the columns.
  private static let measured = 40
  /// The number of columns between past and coming polls.
  private static let gap = 3

  /// The columns for the coming polls at the right: as many as they need, or `nil` if past ones would be cut.
  var comingColumns: Int? {
    guard columns >= Self.twoColumns, !signs.areWords else { return nil }
    let needed = shown.map { coming($0, columns: columns).columns }.max() ?? 0
    let today = WallTime(state.now, in: state.options.zone)
    let left = columns - needed - Self.gap
    let isCut = state.shown.timeline.attempts.prefix(Self.measured).contains { attempt in
      line(attempt, today: today, columns: columns).columns > left
    }
    return isCut ? nil : needed
  }

  /// The number of coming polls above the past ones: all, if everything fits.
  private var comingAbove: Int {
    let room = area.size.rows - max(1, state.shown.timeline.attempts.count)
    return comingColumns == nil ? min(shown.count, max(Self.fewComing, room)) : 0
  }

  /// The number of lines that scroll.
  var rows: Int { max(1, state.shown.timeline.attempts.count) + comingAbove }

  /// Returns the lines that scroll, beginning with the one at an index.
  func lines(from first: Int) -> [StyledText] {
    var head = shown.prefix(comingAbove).map { coming($0, columns: columns) }
    let width = columns - (comingColumns.map { $0 + Self.gap } ?? 0)
    if state.shown.timeline.attempts.isEmpty {
      head.append(StyledText(words(.noPollsYet), style: Palette.quiet))
    }
    let today = WallTime(state.now, in: state.options.zone)
    return (first..<first + area.size.rows).compactMap { index in
      if head.indices.contains(index) { return head[index] }
      let place = index - head.count
      let attempts = state.shown.timeline.attempts
      return attempts.indices.contains(place) ? line(attempts[place], today: today, columns: width) : nil
    }
  }

  func comingLines(columns: Int) -> [StyledText] {
    shown.prefix(area.size.rows).map { coming($0, columns: columns) }
  }

  /// The sources whose polls are shown: the sources of the list, or all polled sources if the list is not
  /// limited to some. They are sorted by the time of the next poll.
  private var shown: [SourceStatus] {
    let statuses = state.shown.sources.statuses.filter { state.isShown($0.source.id) }
    if state.shownSource != nil { return statuses }
    let known = statuses.filter { state.polling[$0.source.id] != nil || $0.state.isGone }
    return known.filter { $0.source.kind.row.isPolled }.sorted { a, b in
      (state.polling[a.source.id]?.next ?? .distantFuture)
        < (state.polling[b.source.id]?.next ?? .distantFuture)
    }
  }

  // MARK: Lines

  private func line(_ attempt: PollAttempt, today: WallTime, columns: Int) -> StyledText {
    let time = WallTime(attempt.end, in: state.options.zone)
    let clock: SafeText =
      time.dayNumber != today.dayNumber
      ? "\(words.weekdays[time.weekday - 1]) \(untrusted: time.clock)" : "\(untrusted: time.clockWithSeconds)"
    var line = StyledText(clock.padded(to: words.clockColumns) + " ", style: Palette.quiet)
    let (sign, signStyle, style) = look(of: attempt.result)
    let result = words.result(of: attempt, in: state.options.zone)
    // The result is dropped before the trigger, and before a long name.
    let room = columns - line.columns - sign.columns - 1 - result.columns
    let trigger = words.name(attempt.trigger).padded(to: 8) + "  "
    let isWide = columns >= 44 && room - trigger.columns >= 6
    let most = max(min(10, columns / 4), room - 2 - (isWide ? trigger.columns : 0))
    let name = min(Self.longestName, most, max(4, state.shown.sources.widestTitle))
    line.append(
      state.title(of: attempt.source).truncated(to: name, ellipsis: signs.ellipsis).padded(to: name) + "  ")
    if isWide { line.append(trigger, style: Palette.quiet) }
    line.append(sign + " ", style: signStyle)
    line.append(result, style: style)
    return line.truncated(to: columns, ellipsis: signs.ellipsis)
  }

  private func look(of result: PollAttempt.Result) -> (sign: SafeText, signStyle: Style, style: Style) {
    switch result {
    case .new: (signs.dot, Palette.dot, Palette.unread)
    case .nothingNew, .notModified, .joined: (" ", Palette.quiet, Palette.quiet)
    case .failed: (signs.failed, Palette.failure, Palette.failure)
    case .heldBack: (signs.still, Palette.warning, .plain)
    case .started: (signs.still, Palette.accent, Palette.accent)
    case .carried: (signs.sent, Palette.accent, .plain)
    case .refused: (signs.failed, Palette.failure, Palette.failure)
    case .carryFailed: (signs.still, Palette.warning, .plain)
    }
  }

  /// Returns the line of a source's next poll.
  private func coming(_ status: SourceStatus, columns room: Int) -> StyledText {
    let polling = state.polling[status.source.id]
    // The name depends on the whole width: the right side already has the columns that it needs.
    let name = min(Self.longestName, max(8, columns / 3), max(4, state.shown.sources.widestTitle))
    var line = StyledText(
      state.title(of: status.source.id).truncated(to: name, ellipsis: signs.ellipsis).padded(to: name) + "  ")
    if !status.source.kind.row.isPolled {
      line.append(words.whoFills(status.source), style: Palette.quiet)
    } else if polling?.phase == .polling {
      line.append(words(.polling), style: Palette.accent)
    } else if let polling, let next = polling.next {
      line.append(words(.next, words.instant(next, from: state.now, in: state.options.zone, seconds: true)))
      line.append(signs.between + words.brief(polling.rule), style: Palette.quiet)
    } else if status.state.isGone {
      line.append(words.brief(WaitRule.gone), style: Palette.failure)
    }
    return line.truncated(to: room, ellipsis: signs.ellipsis)
  }
}
