import Basics
import Testing

@testable import Calendars

/// The events that a user sees in a week or two, case by case.
struct OccurrenceTests {
  typealias Case = (lines: String, from: String, through: String, starts: [String])

  static let values: [Case] = [
    // A zone with its name, with a path, with Windows' name, and none.
    (
      "DTSTART;TZID=America/New_York:20261120T090000", "2026-11-20 00:00", "2026-11-21 00:00",
      ["2026-11-20 15:00"]
    ),
    (
      "DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/America/New_York:20261120T090000",
      "2026-11-20 00:00",
      "2026-11-21 00:00", ["2026-11-20 15:00"]
    ),
    (
      "DTSTART;TZID=/citadel.org/20210210_1/America/Argentina/Buenos_Aires:20261120T090000",
      "2026-11-20 00:00",
      "2026-11-21 00:00", ["2026-11-20 13:00"]
    ),
    (
      "DTSTART;TZID=\"W. Europe Standard Time\":20261120T090000", "2026-11-20 00:00", "2026-11-21 00:00",
      ["2026-11-20 09:00"]
    ),
    (
      "DTSTART;TZID=Pacific Standard Time:20261120T010000", "2026-11-20 00:00", "2026-11-21 00:00",
      ["2026-11-20 10:00"]
    ),
    ("DTSTART:20261120T090000", "2026-11-20 00:00", "2026-11-21 00:00", ["2026-11-20 09:00"]),
    ("DTSTART:20261120T090000Z", "2026-11-20 00:00", "2026-11-21 00:00", ["2026-11-20 10:00"]),
    ("DTSTART;VALUE=DATE:20261120", "2026-11-20 00:00", "2026-11-21 00:00", ["2026-11-20 00:00"]),
    // A day does not include the next day; a time without an end is one instant.
    ("DTSTART;VALUE=DATE:20261119", "2026-11-20 00:00", "2026-11-21 00:00", []),
    ("DTSTART:20261120T000000", "2026-11-20 00:00", "2026-11-21 00:00", ["2026-11-20 00:00"]),
    // An event that began earlier and continues.
    (
      "DTSTART;VALUE=DATE:20261110\nDTEND;VALUE=DATE:20261121", "2026-11-20 00:00", "2026-11-21 00:00",
      ["2026-11-10 00:00"]
    ),
    ("DTSTART:20261119T220000\nDURATION:PT3H", "2026-11-20 00:00", "2026-11-21 00:00", ["2026-11-19 22:00"]),
    ("DTSTART:20261119T220000\nDURATION:PT2H", "2026-11-20 00:00", "2026-11-21 00:00", []),
    (
      "DTSTART;VALUE=DATE:20261113\nDURATION:P1W", "2026-11-19 00:00", "2026-11-20 00:00",
      ["2026-11-13 00:00"]
    ),
    // A time in the gap of the clocks is an hour later; a time that occurs twice is the first.
    (
      "DTSTART;TZID=Europe/Berlin:20260329T023000", "2026-03-29 00:00", "2026-03-30 00:00",
      ["2026-03-29 03:30"]
    ),
    (
      "DTSTART;TZID=Europe/Berlin:20261025T023000", "2026-10-25 00:00", "2026-10-26 00:00",
      ["2026-10-25 02:30"]
    ),
    // 29 February, and the seconds of a leap second.
    (
      "DTSTART;VALUE=DATE:20240229\nRRULE:FREQ=YEARLY", "2025-01-01 00:00", "2029-01-01 00:00",
      ["2028-02-29 00:00"]
    ),
    ("DTSTART:20261120T235960Z", "2026-11-21 00:00", "2026-11-22 00:00", ["2026-11-21 00:59"]),
  ]

  static let series: [Case] = [
    // The wall time is kept when clocks change.
    (
      "DTSTART;TZID=Europe/Berlin:20261023T090000\nRRULE:FREQ=DAILY", "2026-10-24 00:00", "2026-10-27 00:00",
      ["2026-10-24 09:00", "2026-10-25 09:00", "2026-10-26 09:00"]
    ),
    (
      "DTSTART;TZID=America/New_York:20261026T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO", "2026-10-26 00:00",
      "2026-11-10 00:00", ["2026-10-26 14:00", "2026-11-02 15:00", "2026-11-09 15:00"]
    ),
    // UNTIL is included: as an instant, as a day, and for whole days.
    (
      "DTSTART;TZID=Europe/Berlin:20261120T090000\nRRULE:FREQ=DAILY;UNTIL=20261121T080000Z",
      "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-21 09:00"]
    ),
    (
      "DTSTART;TZID=Europe/Berlin:20261120T090000\nRRULE:FREQ=DAILY;UNTIL=20261121T075959Z",
      "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00"]
    ),
    (
      "DTSTART;VALUE=DATE:20261120\nRRULE:FREQ=DAILY;UNTIL=20261121", "2026-11-20 00:00", "2026-12-01 00:00",
      ["2026-11-20 00:00", "2026-11-21 00:00"]
    ),
    // COUNT also counts the occurrences that EXDATE removes.
    (
      "DTSTART:20261120T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261121T090000", "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-22 09:00"]
    ),
    // EXDATE as a day, and in another zone than that of the start.
    (
      "DTSTART:20261120T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20261121", "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-22 09:00"]
    ),
    (
      "DTSTART;TZID=Europe/Berlin:20261120T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261121T080000Z",
      "2026-11-20 00:00", "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-22 09:00"]
    ),
    // RDATE: times, days, and a period, which has a separate end.
    (
      "DTSTART:20261120T090000\nRDATE:20261122T100000,20261124T110000", "2026-11-20 00:00",
      "2026-12-01 00:00",
      ["2026-11-20 09:00", "2026-11-22 10:00", "2026-11-24 11:00"]
    ),
    (
      "DTSTART:20261101T090000\nDTEND:20261101T100000\nRDATE;VALUE=PERIOD:20261119T220000/PT5H,20261119T210000/20261119T220000",
      "2026-11-20 00:00", "2026-12-01 00:00", ["2026-11-19 22:00"]
    ),
    // A period in a series of days.
    (
      "DTSTART;VALUE=DATE:20261101\nRDATE;VALUE=PERIOD:20261120T080000/PT1H", "2026-11-20 00:00",
      "2026-11-21 00:00", ["2026-11-20 08:00"]
    ),
    // A time without a zone is in the series' zone.
    (
      "DTSTART;TZID=America/New_York:20261101T090000\nRDATE:20261120T090000", "2026-11-20 00:00",
      "2026-11-21 00:00",
      ["2026-11-20 15:00"]
    ),
    // Far from the start, with and without a COUNT, and days that some months don't have.
    (
      "DTSTART:19700101T090000\nRRULE:FREQ=DAILY", "2026-11-20 00:00", "2026-11-21 00:00",
      ["2026-11-20 09:00"]
    ),
    (
      "DTSTART:20260101T000000\nRRULE:FREQ=SECONDLY;COUNT=28000000;INTERVAL=3600", "2026-11-20 23:30",
      "2026-11-21 00:30", ["2026-11-21 00:00"]
    ),
    (
      "DTSTART:20100131T090000\nRRULE:FREQ=MONTHLY;COUNT=100", "2024-01-01 00:00", "2024-06-01 00:00",
      ["2024-01-31 09:00", "2024-03-31 09:00"]
    ),
    (
      "DTSTART:20260930T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-01 00:00",
      "2027-01-01 00:00", ["2026-11-30 09:00", "2026-12-31 09:00"]
    ),
    // Whole days have no hours.
    (
      "DTSTART;VALUE=DATE:20261120\nRRULE:FREQ=DAILY;BYHOUR=9,17;COUNT=2", "2026-11-20 00:00",
      "2026-12-01 00:00",
      ["2026-11-20 00:00", "2026-11-21 00:00"]
    ),
    // Two rules are a union.
    (
      "DTSTART:20261120T090000\nRRULE:FREQ=WEEKLY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=2", "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-21 09:00", "2026-11-27 09:00"]
    ),
    // A rule that never matches.
    (
      "DTSTART:20261120T090000\nRRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "2026-11-21 00:00",
      "2027-11-20 00:00", []
    ),
    ("DTSTART:20261120T090000\nSTATUS:CANCELLED", "2026-11-20 00:00", "2026-11-21 00:00", []),
  ]

  @Test(arguments: values + series)
  func anEventIsWhereItsLinesSay(one: Case) throws {
    let sample = try CalendarSample(event: one.lines)
    #expect(try sample.starts(one.from, one.through) == one.starts, "\(one.lines)")
    #expect(sample.problems.isEmpty)
  }

  static let daily =
    "DTSTART;TZID=Europe/Berlin:20261120T090000\nDTEND;TZID=Europe/Berlin:20261120T093000\nRRULE:FREQ=DAILY;COUNT=4"

  static func override(_ id: String, _ lines: String) -> String {
    "\(daily)\nEND:VEVENT\nBEGIN:VEVENT\nUID:one\nSUMMARY:Changed\nRECURRENCE-ID\(id)\n\(lines)"
  }

  static let overrides: [Case] = [
    // An occurrence that was moved, also to the time of another one.
    (
      override(";TZID=Europe/Berlin:20261121T090000", "DTSTART;TZID=Europe/Berlin:20261123T150000"),
      "2026-11-20 00:00",
      "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-22 09:00", "2026-11-23 09:00", "2026-11-23 15:00"]
    ),
    // An occurrence that is named in UTC, or by its day.
    (
      override(":20261121T080000Z", "DTSTART:20261121T120000Z"), "2026-11-21 00:00", "2026-11-22 00:00",
      ["2026-11-21 13:00"]
    ),
    (
      override(";VALUE=DATE:20261121", "DTSTART:20261121T120000Z"), "2026-11-21 00:00", "2026-11-22 00:00",
      ["2026-11-21 13:00"]
    ),
    // Occurrences that were moved into the span, and out of it.
    (
      override(";TZID=Europe/Berlin:20261121T090000", "DTSTART;TZID=Europe/Berlin:20261224T150000"),
      "2026-12-24 00:00",
      "2026-12-25 00:00", ["2026-12-24 15:00"]
    ),
    (
      override(
        ";TZID=Europe/Berlin:20261121T090000", "DTSTART;TZID=Europe/Berlin:20261121T090000\nSTATUS:CANCELLED"),
      "2026-11-20 00:00", "2026-12-01 00:00", ["2026-11-20 09:00", "2026-11-22 09:00", "2026-11-23 09:00"]
    ),
    // The rest of a series, an hour later.
    (
      override(
        ";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261122T090000",
        "DTSTART;TZID=Europe/Berlin:20261122T100000"),
      "2026-11-20 00:00", "2026-12-01 00:00",
      ["2026-11-20 09:00", "2026-11-21 09:00", "2026-11-22 10:00", "2026-11-23 10:00"]
    ),
    (
      override(
        ";RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261122T090000",
        "DTSTART;TZID=Europe/Berlin:20261122T090000\nSTATUS:CANCELLED"), "2026-11-20 00:00",
      "2026-12-01 00:00",
      ["2026-11-20 09:00", "2026-11-21 09:00"]
    ),
    // The higher SEQUENCE is used, in any order.
    (
      override(
        ":20261121T080000Z",
        """
        SEQUENCE:2
        DTSTART:20261121T120000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:one
        SUMMARY:Changed
        RECURRENCE-ID:20261121T080000Z
        SEQUENCE:1
        DTSTART:20261121T180000Z
        """), "2026-11-21 00:00", "2026-11-22 00:00", ["2026-11-21 13:00"]
    ),
  ]

  @Test(arguments: overrides)
  func aChangeReplacesItsOccurrence(one: Case) throws {
    let sample = try CalendarSample(event: one.lines)
    #expect(try sample.starts(one.from, one.through) == one.starts, "\(one.lines)")
  }

  @Test func aMovedOccurrenceKeepsItsKey() throws {
    let moved = try CalendarSample(event: Self.overrides[0].lines).occurrences(
      "2026-11-23 12:00", "2026-11-24 00:00")
    let before = try CalendarSample(event: Self.daily).occurrences("2026-11-21 00:00", "2026-11-22 00:00")
    #expect(moved.map(\.key) == before.map(\.key))
    #expect(moved.first?.item.summary == "Changed")
  }

  @Test func anOccurrenceWithoutItsSeriesStandsAlone() throws {
    let sample = try CalendarSample(event: "RECURRENCE-ID:20261121T080000Z\nDTSTART:20261121T120000Z")
    #expect(try sample.starts("2026-11-21 00:00", "2026-11-22 00:00") == ["2026-11-21 13:00"])
  }

  @Test func aZoneOfTheFileIsUsedWhereTheSystemKnowsNone() throws {
    let sample = try CalendarSample(
      """
      BEGIN:VTIMEZONE
      TZID:Our own
      BEGIN:STANDARD
      DTSTART:16011028T030000
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      TZOFFSETFROM:-0400
      TZOFFSETTO:-0500
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010325T020000
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      TZOFFSETFROM:-0500
      TZOFFSETTO:-0400
      END:DAYLIGHT
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:one
      DTSTART;TZID=Our own:20261020T090000
      RRULE:FREQ=WEEKLY
      END:VEVENT
      """)
    #expect(
      try sample.starts("2026-10-20 00:00", "2026-10-28 00:00") == ["2026-10-20 15:00", "2026-10-27 15:00"])
    #expect(try sample.starts("2027-07-01 00:00", "2027-07-07 00:00") == ["2027-07-06 15:00"])
    #expect(sample.problems.isEmpty)
  }

  /// This may change the duration of one occurrence (RFC 5545 section 3.8.5.3).
  @Test func thePeriodOfRDATEIsTheEndOfTheStartToo() throws {
    let sample = try CalendarSample(
      event: """
        DTSTART:20261120T090000
        DTEND:20261120T100000
        RRULE:FREQ=DAILY;COUNT=2
        RDATE;VALUE=PERIOD:20261120T090000/20261120T120000
        """)
    let ends = try sample.ends("2026-11-18 00:00", "2026-11-25 00:00")
    #expect(ends == ["2026-11-20 12:00", "2026-11-21 10:00"])
  }

  @Test func aLongEventKeepsItsWallTimesThroughAChangeOfClocks() throws {
    let sample = try CalendarSample(
      event:
        "DTSTART;TZID=Europe/Berlin:20261017T220000\nDTEND;TZID=Europe/Berlin:20261018T060000\nRRULE:FREQ=WEEKLY"
    )
    let ends = try sample.ends("2026-10-24 12:00", "2026-10-26 00:00")
    #expect(ends == ["2026-10-25 06:00"])
  }
}
