import Basics
import Calendars
import Formats
import Foundation
import Messages
import Platform
import Polling
package import Profile
import Screen
import Services
import Storage
import Words

/// The events of the next days in all followed calendars, for the command `reddot agenda`.
package struct Agenda {
  private var entries: [Entry] = []
  private let words: CalendarWords
  /// The days of the agenda, as numbers of days since 1970-01-01.
  private let days: Range<Int>
  /// Sentences about calendars that cannot be read, and about repetition rules that take too long.
  package private(set) var problems: [String] = []

  /// Whether at least one calendar is followed.
  package private(set) var hasCalendars = false

  /// An event or to-do, with the name of its calendar.
  private struct Entry {
    var source: String
    var occurrence: CalendarOccurrence
  }

  /// Finds the next events of all followed calendars.
  ///
  /// - Parameter days: the number of days, including today.
  package init(_ profile: Profile, days: Int) {
    let environment = profile.environment
    words = CalendarWords(reader: environment.clock(), join: "")
    let today = WallTime(environment.now(), in: words.reader).dayNumber
    self.days = today..<today + days
    for source in profile.sources where source.kind == .calendar {
      hasCalendars = true
      do throws(FetchFailure) {
        guard let reading = try profile.calendar(of: source) else { continue }
        add(reading.items, of: source.name)
        if let left = reading.problems.leftOutSentence(of: source.name, document: source.fileName) {
          problems.append("\(source.name): \(left)")
        }
      } catch {
        problems.append("\(source.name): \(profile.words.sentence(error).text)")
      }
    }
    entries.sort { ($0.occurrence.startsAt, $0.source) < ($1.occurrence.startsAt, $1.source) }
  }

  /// Finds the next events of one calendar that isn't followed.
  init(_ items: [CalendarItem], reader: ZoneClock, now: Date, days: Int) {
    words = CalendarWords(reader: reader, join: "")
    let today = WallTime(now, in: reader).dayNumber
    self.days = today..<today + days
    add(items, of: "")
    entries.sort { $0.occurrence.startsAt < $1.occurrence.startsAt }
  }

  /// Adds the events of one calendar that are in the days of the agenda.
  private mutating func add(_ items: [CalendarItem], of source: String) {
    let steps = ExpansionBudget(Limits.calendarSteps)
    let span = midnight(days.lowerBound)..<midnight(days.upperBound)
    for series in CalendarSeries.all(items) {
      let expansion = SeriesExpansion(series, reader: words.reader, steps: steps)
      for occurrence in expansion.occurrences(in: span) where !occurrence.item.isCompleted {
        entries.append(Entry(source: source, occurrence: occurrence))
      }
      if expansion.steps.isSpent {
        problems.append(
          (source.isEmpty ? "" : "\(source): ") + "\(series.uid.prefix(100)): \(ExpansionBudget.sentence)")
      }
    }
  }

  /// Returns the start of a day, in seconds since 1970.
  private func midnight(_ day: Int) -> Int { words.reader.seconds(of: WallTime(dayNumber: day, second: 0)) }

  // MARK: As text

  /// The agenda as text: for each day with events, a heading and the events. An event that lasts several days is listed
  /// on each of them.
  package var lines: [String] {
    var lines: [String] = []
    let names = Dictionary(
      entries.map { ($0.source, SafeText(untrusted: $0.source)) }, uniquingKeysWith: { first, _ in first })
    let columns = names.count > 1 ? names.values.map(\.columns).max() ?? 0 : 0
    for day in days {
      let (from, to) = (midnight(day), midnight(day + 1))
      let found = entries.filter {
        $0.occurrence.startsAt < to && ($0.occurrence.endsAt > from || $0.occurrence.startsAt >= from)
      }
      // A to-do is listed on the day on which it is due.
      let rows = found.filter {
        $0.occurrence.item.kind == .event || (from..<to).contains(due($0.occurrence))
      }
      .map { (time: time($0.occurrence, on: day), entry: $0) }
      guard !rows.isEmpty else { continue }
      lines.append(Self.heading(day, today: days.lowerBound))
      for row in rows.sorted(by: { $0.time.isEmpty && !$1.time.isEmpty }) {
        let item = row.entry.occurrence.item
        var line =
          "  " + (row.time.isEmpty ? "all day" : row.time).padding(toLength: 13, withPad: " ", startingAt: 0)
        if columns > 0, let name = names[row.entry.source] { line += "\(name.padded(to: columns).text)  " }
        line += item.summary.isEmpty ? "(no title)" : item.summary
        if item.isDeclined { line += " (declined)" }
        let place = item.location.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !place.isEmpty { line += ", \(place)" }
        lines.append(SafeOutput.line(line))
      }
    }
    return lines
  }

  /// Returns the time at which a to-do is due, in seconds since 1970.
  private func due(_ occurrence: CalendarOccurrence) -> Int {
    occurrence.start.isDay && occurrence.end.isDay ? occurrence.startsAt : occurrence.endsAt
  }

  /// Returns the time of an event on one day, for example `09:00–10:00`; empty if the event lasts the whole day.
  private func time(_ occurrence: CalendarOccurrence, on day: Int) -> String {
    let (start, end) = (wall(occurrence.startsAt), wall(occurrence.endsAt))
    if occurrence.item.kind == .todo { return occurrence.end.isDay ? "due" : "due \(end.clock)" }
    guard !occurrence.start.isDay else { return "" }
    let isFirst = start.dayNumber == day
    let isLast = end.dayNumber == day || end.dayNumber == day + 1 && end.second == 0
    switch (isFirst, isLast) {
    case (true, true): return end == start ? start.clock : "\(start.clock)–\(end.clock)"
    case (true, false): return "\(start.clock)–"
    case (false, true): return end.dayNumber == day ? "–\(end.clock)" : ""
    case (false, false): return ""
    }
  }

  private func wall(_ seconds: Int) -> WallTime {
    words.reader.wall(at: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// Returns the heading of a day, for example `Fri 2026-11-20`.
  private static func heading(_ day: Int, today: Int) -> String {
    let wall = WallTime(dayNumber: day, second: 0)
    let name = day == today ? "Today, " : day == today + 1 ? "Tomorrow, " : ""
    return "\(name)\(SchedulePreview.weekdays[wall.weekday - 1]) \(wall.date.text)"
  }

  /// Returns the first events of the agenda, one line for each.
  func first(_ count: Int) -> [String] {
    entries.prefix(count).map { entry in
      SafeOutput.line("\(words.span(entry.occurrence))  \(entry.occurrence.item.summary)")
    }
  }

  // MARK: As JSON

  /// A JSON object for each event, in the order of their starts. All-day events have dates; times are in UTC.
  package var json: [String] {
    entries.map { entry in
      let occurrence = entry.occurrence
      let item = occurrence.item
      let message = words.message(AlarmFiring(occurrence: occurrence, key: "", instant: 0))
      return SafeOutput.json(
        .object(
          JSONObject(pairs: [
            ("source", .string(entry.source)), ("kind", .string(item.kind.rawValue)),
            ("uid", .string(item.uid)), ("title", .string(item.summary)),
            ("start", json(occurrence.start, occurrence.startsAt)),
            ("end", json(occurrence.end, occurrence.endsAt)),
            ("location", MessageJSON.text(item.location.isEmpty ? nil : item.location)),
            ("url", MessageJSON.text(message.url)),
            ("join", MessageJSON.text(message.extras?.actions.first?.url)),
          ])))
    }
  }

  private func json(_ time: CalendarTime, _ seconds: Int) -> JSONValue {
    time.isDay
      ? .string(time.wall.date.text) : MessageJSON.date(Date(timeIntervalSince1970: Double(seconds)))
  }
}

extension Profile {
  /// Reads the current content of a calendar's source: its files, or the last stored document of its URL.
  ///
  /// - Returns: `nil` for a URL that was never polled.
  func calendar(of source: Source) throws(FetchFailure) -> CalendarReading? {
    if let url = URL(string: source.address), url.isFileURL { return try CalendarReading.read(url.path) }
    guard source.id != Source.unregistered, let copy = try? store.documents.goodCopy(of: source.id) else {
      return nil
    }
    return try CalendarReading(copy.bytes)
  }
}
