package import Basics
package import Calendars
package import Foundation
package import Messages

/// The content of a calendar: of one document, or of all files in a folder together.
package struct CalendarReading: Sendable {
  package var title: String?
  /// The events and to-dos, as `CalendarEvents` combines them.
  package private(set) var items: [CalendarItem]
  package private(set) var problems: [FormatProblem]
  package private(set) var gaps = CalendarGaps()
  /// The names of a folder's files, including unreadable ones.
  package private(set) var files: Set<String> = []
  /// Whether the calendar is a folder without `.ics` files: a calendar that is still empty, or some other folder.
  package private(set) var isEmptyFolder: Bool

  /// Reads one document.
  ///
  /// - Throws: `malformed` for bytes that aren't a calendar.
  package init(_ bytes: Data) throws(FetchFailure) {
    guard let file = CalendarFile.read(bytes) else { throw .malformed(line: 1, reason: Self.noCalendar) }
    self.init([file])
    title = file.title
  }

  /// Creates the content of a folder.
  package init(_ files: [CalendarFile]) {
    isEmptyFolder = files.isEmpty
    problems = []
    let events = CalendarEvents(files.flatMap(\.items))
    items = events.items
    let repeated = events.repeated.lazy.map { item in
      FormatProblem(
        at: item.place, message: "\(item.uid.prefix(100)): several events have this UID; each is used")
    }
    var problems = LimitedProblems(limit: Limits.calendarProblems)
    for file in files {
      file.problems.forEach { problems.append($0) }
      gaps.add(file.gaps)
      self.files.insert(file.name)
    }
    repeated.forEach { problems.append($0) }
    self.problems = problems.all
    self.files.formUnion(gaps.files)
  }

  package static let noCalendar = "it is not an iCalendar file, which begins with BEGIN:VCALENDAR"
}
