import Basics
import Messages
import Screen
import Words

/// The positions and widths of the parts of a message's row, which depend on the width of its pane.
struct MessageColumns {
  /// The minimum width of the title at which the time is shown.
  private static let roomBeforeTime = 14
  /// The minimum width at which rows of other days also show the hour.
  private static let roomForClock = 56

  /// The column of the dot: after the selection's bar if that fits.
  private(set) var dot: Int
  /// The column of the symbol for marked messages, or `nil` while none are marked.
  private(set) var mark: Int?
  /// The column of the time, or of the part after it if the time is not shown.
  private(set) var first: Int
  /// The width of the time, in columns; 0 if the time is not shown.
  private(set) var time = 0
  /// Whether a row of another day also shows the hour.
  private(set) var hasClock: Bool
  /// Whether a line above the rows names their day.
  private(set) var isBelowDay: Bool
  /// The number of columns left free before the next pane.
  private(set) var right = 0
  /// The width of the origin, in columns; 0 if the origin is not shown.
  private(set) var origin = 0
  /// Whether rows show their origin: in a list of several sources, or of a service with several origins.
  private(set) var hasOrigins: Bool

  init(_ width: Int, _ state: AppState, _ lines: MessageLines, today: WallTime) {
    dot = width >= 8 ? 1 : 0
    if width >= 36 { right = 1 }
    let list = state.shown.list
    if !list.marks.isEmpty { mark = dot + 1 }
    first = dot + (mark == nil ? 2 : 3)
    hasClock = width >= Self.roomForClock || lines.perRow > 1
    isBelowDay = lines.zone != nil
    switch list.query.scope {
    case .source: hasOrigins = list.hasChannels
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .folder, .list:
      hasOrigins = !state.isWelcome && state.shown.sources.statuses.count > 1
    }
    var room = width - first - right
    if hasOrigins {
      let most = Self.widestOrigin(width)
      let wanted = list.hasCopies || list.hasChannels ? most : min(state.shown.sources.widestTitle, most)
      origin = max(0, min(wanted, room - 8))
      if origin > 0 { room -= origin + 2 }
    }
    // This uses the loaded rows, not the visible ones: the columns must not move with each row.
    let ends = list.span.map { span in
      [span.lowerBound, span.upperBound].map { WallTime($0, in: state.options.zone) }
    }
    let hasOnlyClocks = isBelowDay || ends?.allSatisfy { $0.dayNumber == today.dayNumber } ?? true
    let columns =
      hasOnlyClocks
      ? 5
      : state.words.timeColumns(
        withClock: hasClock, anyYear: ends?.contains { $0.date.year != today.date.year } ?? false)
    guard room - columns - 2 >= Self.roomBeforeTime else { return }
    time = columns
  }

  /// Returns the maximum width of the origin, which is shown at every width and grows with the room.
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
