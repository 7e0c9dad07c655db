import Basics
import Foundation
import Testing

@testable import Calendars

/// A broken or hostile file costs a line of complaint, and bounded steps.
struct HostileCalendarTests {
  static let broken: [(lines: String, problem: String)] = [
    ("BEGIN:VEVENT\nUID:a\nEND:VEVENT", "3: VEVENT has no DTSTART"),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261331\nEND:VEVENT", "5: DTSTART: 20261331 is not a date"),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:tomorrow\nEND:VEVENT", "5: DTSTART: tomorrow is not a date"),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261120T250000\nEND:VEVENT", "5: DTSTART: 20261120T250000 is not a date"),
    (
      "BEGIN:VEVENT\nDTSTART:20261120\nEND:VEVENT",
      "3: VEVENT has no UID; it is identified by its title and start"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nthis is no line\nEND:VEVENT",
      "6: not a line of the form NAME:value"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120T090000\nRRULE:FREQ=FORTNIGHTLY\nEND:VEVENT",
      "6: RRULE: FREQ=FORTNIGHTLY is unknown"
    ),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRRULE:COUNT=3\nEND:VEVENT", "6: RRULE: FREQ is missing"),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRRULE:FREQ=DAILY;INTERVAL=0\nEND:VEVENT",
      "6: RRULE: INTERVAL=0 is not a number from 1 to 999999999"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRRULE:FREQ=DAILY;COUNT=99999999999999999999\nEND:VEVENT",
      "6: RRULE: COUNT=99999999999999999999 is not a number from 1 to 999999999"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRRULE:FREQ=HOURLY\nEND:VEVENT",
      "6: RRULE: whole days do not recur by hours, minutes or seconds"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nRRULE:FREQ=YEARLY;RSCALE=CHINESE\nEND:VEVENT",
      "6: RRULE: the calendar RSCALE=CHINESE is not supported"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120T090000\nDTEND:20261120T080000\nEND:VEVENT",
      "3: VEVENT ends before it starts"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART;TZID=Middle Earth:20261120T090000\nEND:VEVENT",
      "5: the zone Middle Earth is unknown; its times are taken as local ones"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM\nEND:VEVENT",
      "7: TRIGGER: soon is neither a duration nor a time"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT",
      "6: VALARM has no TRIGGER"
    ),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nBEGIN:VALARM\nTRIGGER:-P9999D\nEND:VALARM\nEND:VEVENT",
      "7: TRIGGER: -P9999D is more than 400 days away"
    ),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nEXDATE:never\nEND:VEVENT", "6: EXDATE: never is not a date"),
    (
      "BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nDURATION:-P1D\nEND:VEVENT",
      "6: DURATION: -P1D is not a duration"
    ),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261120\nEND:VTODO\nEND:VEVENT", "6: END:VTODO without its BEGIN"),
    ("BEGIN:VEVENT\nUID:a\nDTSTART:20261120", "3: VEVENT has no END"),
  ]

  @Test(arguments: broken)
  func aMistakeIsNamedWithItsLine(one: (lines: String, problem: String)) throws {
    #expect(try CalendarSample(one.lines).problems == [one.problem], "\(one.lines)")
  }

  @Test(arguments: ["", "hello", "{}", "<html></html>", "BEGIN:VCARD\r\nEND:VCARD\r\n", "\u{0}\u{1}"])
  func otherBytesAreNoCalendar(text: String) {
    #expect(CalendarFile.read(Data(text.utf8)) == nil)
  }

  static let hostile = [
    "FREQ=SECONDLY", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9",
    "FREQ=MINUTELY;BYHOUR=3;BYMINUTE=61", "FREQ=SECONDLY;COUNT=999999999",
    "FREQ=HOURLY;COUNT=999999999;BYDAY=MO",
    "FREQ=DAILY;INTERVAL=999999999", "FREQ=YEARLY;INTERVAL=999999999;COUNT=999999999",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4",
    "FREQ=YEARLY;BYDAY=\((-53...53).map { "\($0)MO" }.joined(separator: ","))",
    "FREQ=DAILY;BYHOUR=\(text(0...23));BYMINUTE=\(text(0...59));BYSECOND=\(text(0...59))",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=\(text(0...23));BYMINUTE=\(text(0...59));BYSECOND=\(text(0...59));COUNT=4",
    "FREQ=YEARLY;BYYEARDAY=\(text(1...366));BYHOUR=\(text(0...23));BYSETPOS=-1",
  ]

  static func text(_ range: ClosedRange<Int>) -> String { range.map(String.init).joined(separator: ",") }

  /// Steps are the cost of a search: at most a second for all of them.
  @Test(arguments: hostile)
  func aRuleIsSearchedInBoundedSteps(rule: String) throws {
    let sample = try CalendarSample(event: "DTSTART:20100131T090000\nRRULE:\(rule)")
    let steps = ExpansionBudget(Limits.calendarSteps)
    for series in sample.series {
      let expansion = SeriesExpansion(series, reader: sample.reader, steps: steps)
      let span = try sample.seconds("2026-01-01 00:00")..<sample.seconds("2027-01-01 00:00")
      #expect(expansion.occurrences(in: span).count <= Limits.seriesOccurrences + 1)
    }
    // The last piece of work may be larger than the rest: a day with each of its seconds.
    #expect(Limits.calendarSteps - steps.left <= Limits.seriesSteps + 100_000)
  }

  @Test func manySeriesShareTheirSteps() throws {
    let events = (0..<200).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20100101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=1;BYSECOND=1;COUNT=999999999\nEND:VEVENT"
    }
    let sample = try CalendarSample(events.joined(separator: "\n"))
    let steps = ExpansionBudget(500_000)
    for series in sample.series {
      _ = SeriesExpansion(series, reader: sample.reader, steps: steps).occurrences(
        in: 1_700_000_000..<1_800_000_000)
    }
    #expect(steps.left > -Limits.seriesSteps)
  }

  /// An address book may have thousands of birthdays.
  @Test func manyBirthdaysAreFoundWithinTheSteps() throws {
    let events = (0..<2000).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART;VALUE=DATE:19\(10 + $0 % 80)0\(1 + $0 % 9)\(10 + $0 % 19)\nRRULE:FREQ=YEARLY\nEND:VEVENT"
    }
    let sample = try CalendarSample(events.joined(separator: "\n"))
    let steps = ExpansionBudget(Limits.calendarSteps)
    let year = try sample.seconds("2026-01-01 00:00")..<sample.seconds("2027-01-01 00:00")
    let found = sample.series.flatMap {
      SeriesExpansion($0, reader: sample.reader, steps: steps).occurrences(in: year)
    }
    #expect(found.count == 2000)
    #expect(Limits.calendarSteps - steps.left < Limits.calendarSteps / 10)
  }

  @Test func aZoneWithoutAnEndIsReadInBoundedSteps() throws {
    let sample = try CalendarSample(
      """
      BEGIN:VTIMEZONE
      TZID:Endless
      BEGIN:STANDARD
      DTSTART:19700101T000000
      RRULE:FREQ=SECONDLY
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:one
      DTSTART;TZID=Endless:20261120T090000
      END:VEVENT
      """)
    #expect(sample.problems == ["7: \(ExpansionBudget.sentence)"])
    #expect(sample.file.items.count == 1)
  }

  @Test func depthNumbersAndTextAreBounded() throws {
    let deep = String(repeating: "BEGIN:VEVENT\n", count: 900) + String(repeating: "END:VEVENT\n", count: 900)
    #expect(try CalendarSample(deep).problems.count <= Limits.calendarProblems)
    let long = String(repeating: "x", count: 300_000)
    let sample = try CalendarSample(event: "DTSTART:20261120\nDESCRIPTION:\(long)")
    #expect(sample.file.items.first?.description.utf8.count ?? 0 <= Limits.calendarLineBytes)
    let dates = (0..<20_000).map { _ in "20261120" }.joined(separator: ",")
    let many = try CalendarSample(
      event: "DTSTART:20261120\n" + (0..<3).map { _ in "EXDATE:\(dates)\n" }.joined())
    #expect(many.problems.contains { $0.contains("more than \(Limits.calendarDates) dates") })
  }

  /// Any bytes are read, and any parts of a calendar in any order.
  @Test func cutAndMixedFilesAreRead() throws {
    let text =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:\u{FE}\r\nDTSTART;TZID=\"a:b\":20261120T090000\r\n "
      + "\r\nRRULE:FREQ=DAILY;COUNT=3\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR"
    let bytes = Data(text.utf8)
    for end in 0...bytes.count {
      #expect((CalendarFile.read(bytes.prefix(end)) == nil) == (end < "BEGIN:VCALENDAR".utf8.count))
    }
    for place in bytes.indices {
      var other = bytes
      other[place] = UInt8(truncatingIfNeeded: place &* 7)
      #expect(CalendarFile.read(other)?.items.count ?? 0 <= 1)
    }
  }
}
