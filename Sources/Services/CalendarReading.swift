package import Calendars
package import Foundation
package import Limits
package import Messages

/// The content of a calendar: of one document, or of all files of a folder together.
package struct CalendarReading: Sendable {
  package var title: String?
  /// The items of `CalendarEvents`.
  package private(set) var items: [CalendarItem]
  package private(set) var problems: [FormatProblem]
  package private(set) var gaps = CalendarGaps()
  /// Whether it is a folder without `.ics` files: a calendar that is still empty, or something else.
  package private(set) var isEmptyFolder: Bool

  /// - Throws: `malformed` for bytes that aren't a calendar.
  package init(_ bytes: Data) throws(FetchFailure) {
    guard let file = CalendarFile.read(bytes) else { throw .malformed(line: 1, reason: Self.noCalendar) }
    self.init([file])
    title = file.title
  }

  /// Creates the content of a folder.
  package init(_ files: [CalendarFile]) {
    isEmptyFolder = files.isEmpty
    let events = CalendarEvents(files.flatMap(\.items))
    items = events.items
    let repeated = events.repeated.lazy.map { item in
      FormatProblem(
        at: item.place, message: "\(item.uid.prefix(100)): several events have this UID; each is used")
    }
    problems =
      files.lazy.flatMap(\.problems).prefix(Limits.calendarProblems)
      .map { FormatProblem(at: $0.place, message: $0.message) }
    problems += repeated.prefix(Limits.calendarProblems - problems.count)
    for file in files { gaps.add(file.gaps) }
  }

  package static let noCalendar = "it isn't an iCalendar file: one begins with BEGIN:VCALENDAR"
}
