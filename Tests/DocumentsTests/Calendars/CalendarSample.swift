import Basics
import Foundation

@testable import Calendars

/// A calendar that a test writes, as a reader in one zone sees it.
struct CalendarSample {
  static let berlin = "Europe/Berlin"

  var file: CalendarFile
  var reader: ZoneClock

  /// - Parameter lines: the components, one on each line, without BEGIN:VCALENDAR.
  init(_ lines: String, zone: String = berlin) throws {
    let body = lines.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + body + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    guard let file = CalendarFile.read(Data(text.utf8)), let zone = ZoneClock(named: zone) else {
      throw Failure()
    }
    self.file = file
    reader = zone
  }

  /// A calendar of one event, with lines between UID and END: the first of a series, or one of several.
  init(event lines: String, zone: String = berlin) throws {
    try self.init("BEGIN:VEVENT\nUID:one\nSUMMARY:Stand-up\n\(lines)\nEND:VEVENT", zone: zone)
  }

  struct Failure: Error {}

  var series: [CalendarSeries] { CalendarSeries.all(CalendarEvents(file.items).items) }

  /// Returns the seconds since 1970 of `2026-11-20 09:00`.
  func seconds(_ text: String) throws -> Int {
    let digits = text.filter(\.isNumber)
    guard
      let time = CalendarValue.time("\(digits.prefix(8))T\(digits.dropFirst(8))00", zone: .floating)
    else { throw Failure() }
    return reader.seconds(of: time.wall)
  }

  func text(_ seconds: Int) -> String {
    let wall = WallTime(Date(timeIntervalSince1970: Double(seconds)), in: reader)
    return "\(wall.date.text) \(wall.clock)"
  }

  /// Returns the starts of the occurrences that overlap a span.
  func starts(_ from: String, _ through: String) throws -> [String] {
    try occurrences(from, through).map { text($0.startsAt) }
  }

  func ends(_ from: String, _ through: String) throws -> [String] {
    try occurrences(from, through).map { text($0.endsAt) }
  }

  func occurrences(_ from: String, _ through: String) throws -> [CalendarOccurrence] {
    let span = try seconds(from)..<seconds(through)
    let steps = ExpansionBudget(Limits.calendarSteps)
    return series.flatMap {
      SeriesExpansion($0, reader: reader, steps: steps).occurrences(in: span)
    }.sorted { $0.startsAt < $1.startsAt }
  }

  /// Returns the times of alarms; an event without alarms gets one ten minutes before, a whole day one at nine.
  func alarms(_ from: String, _ through: String, remind: Int? = 600) throws -> [String] {
    let (from, through) = (try seconds(from), try seconds(through))
    let steps = ExpansionBudget(Limits.calendarSteps)
    let standard = DefaultAlarm(before: remind, dayStart: 9 * 3600)
    return series.flatMap { series in
      SeriesExpansion(series, reader: reader, steps: steps)
        .alarms(of: series, after: from, through: through, default: standard).map { text($0.instant) }
    }.sorted()
  }

  /// Returns `3: message` for each problem.
  var problems: [String] { file.problems.map { "\($0.at): \($0.message)" } }
}
