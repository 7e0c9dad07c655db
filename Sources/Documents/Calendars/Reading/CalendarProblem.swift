package import Basics

/// The parts of a calendar that could not be read. An event that was not found may be in one of them.
package struct CalendarGaps: Hashable, Sendable {
  /// The UIDs of events that were left out.
  package private(set) var uids: Set<String> = []
  /// The files that could not be read to their end, or in which an event without a known UID was left out. The empty
  /// name means a calendar that is one document.
  package private(set) var files: Set<String> = []
  /// Whether any event may be missing.
  private var hidesAll = false

  package init() {}

  /// The gaps of a calendar in which any event may have been left out.
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

  /// Whether an event that is missing in the calendar may have been left out.
  ///
  /// - Parameter file: the file that contained the event, or `nil` if it is not known.
  package func mayHide(uid: String, of file: String?) -> Bool {
    hidesAll || uids.contains(uid) || (file.map { files.contains($0) } ?? !files.isEmpty)
  }
}

extension FormatProblem {
  /// Creates a problem of a calendar; its position has the form `work.ics:12`, as far as it is known.
  ///
  /// - Parameters:
  ///   - file: a file of a folder; empty if the calendar is one document.
  ///   - line: from 1; 0 if the problem concerns the whole file.
  package init(file: String = "", line: Int, message: String, leftOut: Int = 0) {
    let parts = [file, line > 0 ? "\(line)" : ""].filter { !$0.isEmpty }
    self.init(at: parts.joined(separator: ":"), message: message, leftOut: leftOut)
  }
}

/// The first problems of one document, and the gaps in its content.
struct CalendarProblems {
  private var found: [(line: Int, problem: FormatProblem)] = []
  private(set) var gaps = CalendarGaps()
  /// The name of the document in its folder.
  let file: String

  init(file: String) { self.file = file }

  /// The first problems, sorted by line.
  var list: [FormatProblem] { found.sorted { $0.line < $1.line }.map(\.problem) }

  /// Adds a problem, unless it was already added or there are too many.
  mutating func add(_ line: Int, _ message: String) {
    guard found.count < Limits.calendarProblems else { return }
    let problem = FormatProblem(file: file, line: line, message: message)
    let isKnown = found.contains { $0.problem.at == problem.at && $0.problem.message == message }
    if !isKnown { found.append((line, problem)) }
  }

  /// Records an event that is left out because of the problem added last.
  mutating func leaveOut(_ component: CalendarComponent) {
    doubt(component)
    count(1, at: component.line)
  }

  /// Records an event that may have been read incompletely.
  mutating func doubt(_ component: CalendarComponent) {
    if let uid = component.uid { gaps.add(uid: uid) } else { leaveOutEvents() }
  }

  /// Records that events without a known UID are left out.
  mutating func leaveOutEvents() { gaps.add(file: file) }

  /// Adds to the number of entries that the last problem leaves out.
  mutating func count(_ entries: Int, at line: Int) {
    if found.isEmpty { add(line, "an event is left out") }
    found[found.count - 1].problem.leftOut += entries
  }
}
