import Basics
import Messages
import Screen
import Words

/// The columns of each part of a message's row, by the width of its pane.
struct MessageColumns {
  /// The title's minimum width for the time to be shown.
  private static let roomBeforeTime = 14
  /// From this width on rows of other days show the hour too.
  private static let roomForClock = 56

  /// The dot's column: after the selection's bar, where that fits.
  private(set) var dot: Int
  /// That of the mark for the next act, while anything is marked.
  private(set) var mark: Int?
  /// Where the time begins, or what follows it.
  private(set) var first: Int
  /// 0: not shown.
  private(set) var time = 0
  /// Whether a row of another day shows the hour too.
  private(set) var hasClock: Bool
  /// Left free beside the next pane.
  private(set) var right = 0
  /// 0: not shown.
  private(set) var origin = 0
  /// Whether rows say where they come from: those of a list over several sources, or of a service with several places.
  private(set) var hasOrigins: Bool

  init(_ width: Int, _ state: AppState, today: WallTime) {
    dot = width >= 8 ? 1 : 0
    if width >= 36 { right = 1 }
    let list = state.shown.list
    if !list.marks.isEmpty { mark = dot + 1 }
    first = dot + (mark == nil ? 2 : 3)
    hasClock = width >= Self.roomForClock || state.options.layout.rowLines > 1
    switch list.query.scope {
    case .source: hasOrigins = list.hasChannels
    case .all, .starred, .snoozed, .dismissed, .hidden, .folder, .list:
      hasOrigins = !state.isWelcome && state.shown.sources.statuses.count > 1
    }
    var room = width - first - right
    if hasOrigins {
      let most = Self.widestOrigin(width)
      let wanted = list.hasCopies || list.hasChannels ? most : min(state.shown.sources.widestTitle, most)
      origin = max(0, min(wanted, room - 8))
      if origin > 0 { room -= origin + 2 }
    }
    // Of the loaded rows, not of the visible ones: the columns must not move with each row.
    let ends = list.span.map { span in
      [span.lowerBound, span.upperBound].map { WallTime($0, in: state.options.zone) }
    }
    let isOfToday = ends?.allSatisfy { $0.dayNumber == today.dayNumber } ?? true
    let columns =
      isOfToday
      ? 5
      : state.words.timeColumns(
        withClock: hasClock, anyYear: ends?.contains { $0.date.year != today.date.year } ?? false)
    guard room - columns - 2 >= Self.roomBeforeTime else { return }
    time = columns
  }

  /// The origin is said at every width, the more of it the more room there is.
  private static func widestOrigin(_ width: Int) -> Int {
    switch width {
    case ..<24: 0
    case ..<36: 7
    case ..<56: 10
    case ..<72: 14
    case _: min(20, width / 4)
    }
  }
}
