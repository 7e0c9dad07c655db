import Basics
import Messages

/// The placement of a list's rows in the lines of their pane.
///
/// With days, the first line of the pane names the day of the first row, and each further day has a line above its
/// rows. These lines are no rows: they are never selected, counted or marked.
struct MessageLines: Hashable, Sendable {
  /// The number of lines of the pane.
  var count = 1
  /// The number of lines of a row.
  var perRow = 1
  /// The zone of the days, or `nil` if no line names a day.
  var zone: ZoneClock?

  /// The maximum number of rows that are visible at the same time.
  var capacity: Int { max(1, (count - head) / perRow) }

  /// The number of lines above the first row.
  var head: Int { zone == nil ? 0 : 1 }

  /// The day of a row, or `nil` if no line names it.
  func day(of row: MessageRow) -> Int? { zone.map { WallTime(row.time, in: $0).dayNumber } }
}

extension AppState {
  func messageLines(_ layout: Layout) -> MessageLines {
    MessageLines(
      count: layout.rows(of: .messages), perRow: layout.rowLines,
      zone: layout.hasRoomForDays && isListByTime && !isWelcome ? options.zone : nil)
  }

  /// Whether the messages of the list are in the order of their times.
  private var isListByTime: Bool {
    let query = shown.list.query
    return switch query.order {
    case .newest, .oldest: true
    case .source: query.scope != .all || query.search != nil
    case .priority: !hasPriorityOrder
    }
  }
}
