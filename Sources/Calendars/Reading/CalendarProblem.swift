import Limits

/// A mistake in a calendar, at a line; the rest of the calendar is used.
package struct CalendarProblem: Hashable, Sendable {
  /// The file of a folder; empty if the calendar is one document.
  package var file: String
  /// The number of the line, from 1; 0 if the problem concerns the whole file.
  package var line: Int
  package var message: String

  package init(file: String = "", line: Int, message: String) {
    (self.file, self.line, self.message) = (file, line, message)
  }

  /// `work.ics:12`, or as much of that as is known.
  package var place: String {
    [file, line > 0 ? "\(line)" : ""].filter { !$0.isEmpty }.joined(separator: ":")
  }
}

/// The parts of a calendar that a reading may have left out: nothing follows from their absence.
package struct CalendarGaps: Hashable, Sendable {
  /// The UIDs of events that were left out.
  package private(set) var uids: Set<String> = []
  /// The files that could not be read to their end, or with an event left out whose UID isn't known; the empty name
  /// is a calendar that is one document.
  package private(set) var files: Set<String> = []
  private var hidesAll = false

  package init() {}

  /// A reading that says nothing of any event.
  package static var all: CalendarGaps {
    var gaps = CalendarGaps()
    gaps.hidesAll = true
    return gaps
  }

  package mutating func add(uid: String) { uids.insert(uid) }

  package mutating func add(file: String) { files.insert(file) }

  package mutating func add(_ other: CalendarGaps) {
    uids.formUnion(other.uids)
    files.formUnion(other.files)
  }

  /// Whether an event that is missing may have been left out.
  ///
  /// - Parameter file: the file that had the event, or `nil` if it isn't known.
  package func mayHide(uid: String, of file: String?) -> Bool {
    hidesAll || uids.contains(uid) || (file.map { files.contains($0) } ?? !files.isEmpty)
  }
}

/// The problems of one document, the first ones, and all that it leaves out.
struct CalendarProblems {
  private(set) var list: [CalendarProblem] = []
  private(set) var gaps = CalendarGaps()
  /// The name of the document in its folder.
  let file: String

  init(file: String) { self.file = file }

  mutating func add(_ line: Int, _ message: String) {
    guard list.count < Limits.calendarProblems else { return }
    let problem = CalendarProblem(file: file, line: line, message: message)
    if !list.contains(problem) { list.append(problem) }
  }

  /// Adds an event that is left out.
  mutating func leaveOut(_ component: CalendarComponent) {
    if let uid = component.uid { gaps.add(uid: uid) } else { leaveOutEvents() }
  }

  /// Adds events that are left out, of which nothing is known.
  mutating func leaveOutEvents() { gaps.add(file: file) }
}
