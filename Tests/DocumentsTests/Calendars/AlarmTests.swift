import Basics
import Testing

@testable import Calendars

struct AlarmTests {
  typealias Case = (lines: String, alarms: [String])

  static func alarm(_ lines: String, _ event: String = "DTSTART:20261120T090000\nDTEND:20261120T100000")
    -> String
  {
    "\(event)\nBEGIN:VALARM\n\(lines)\nEND:VALARM"
  }

  /// The spans are within November 2026.
  static let cases: [Case] = [
    // Relative to the start, to the end, and at a time.
    (alarm("ACTION:DISPLAY\nTRIGGER:-PT15M"), ["2026-11-20 08:45"]),
    (alarm("ACTION:AUDIO\nTRIGGER;RELATED=END:PT5M"), ["2026-11-20 10:05"]),
    (alarm("ACTION:EMAIL\nTRIGGER;VALUE=DATE-TIME:20261119T180000Z"), ["2026-11-19 19:00"]),
    // Days keep the wall time.
    (
      alarm("TRIGGER:-P30D", "DTSTART;TZID=Europe/Berlin:20261102T090000"), []
    ),
    (alarm("TRIGGER:-P1W", "DTSTART;TZID=Europe/Berlin:20261120T090000"), ["2026-11-13 09:00"]),
    (alarm("TRIGGER:-PT15H", "DTSTART;VALUE=DATE:20261120"), ["2026-11-19 09:00"]),
    // Repeated.
    (
      alarm("TRIGGER:-PT15M\nREPEAT:2\nDURATION:PT5M"),
      ["2026-11-20 08:45", "2026-11-20 08:50", "2026-11-20 08:55"]
    ),
    // An alarm that was acknowledged elsewhere up to that time.
    (alarm("TRIGGER:-PT15M\nACKNOWLEDGED:20261120T074501Z"), []),
    (alarm("TRIGGER:-PT15M\nREPEAT:1\nDURATION:PT5M\nACKNOWLEDGED:20261120T074501Z"), ["2026-11-20 08:50"]),
    (
      alarm(
        "TRIGGER:-PT15M\nACKNOWLEDGED:20261121T000000Z", "DTSTART:20261120T090000\nRRULE:FREQ=DAILY;COUNT=3"),
      ["2026-11-21 08:45", "2026-11-22 08:45"]
    ),
    // An alarm without an action gives none, and an item without alarms gets the default.
    (alarm("ACTION:NONE\nTRIGGER:-PT15M"), []),
    ("DTSTART:20261120T090000", ["2026-11-20 08:50"]),
    ("DTSTART;VALUE=DATE:20261120", ["2026-11-20 09:00"]),
    // An alarm of each occurrence, except of those that were left out.
    (
      alarm(
        "TRIGGER:-PT10M", "DTSTART:20261120T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261121T090000"),
      ["2026-11-20 08:50", "2026-11-22 08:50"]
    ),
    (alarm("TRIGGER:-PT10M", "DTSTART:20261120T090000\nSTATUS:CANCELLED"), []),
    (alarm("TRIGGER;VALUE=DATE-TIME:20261119T180000Z", "DTSTART:20261120T090000\nSTATUS:CANCELLED"), []),
  ]

  @Test(arguments: cases)
  func anAlarmIsAtItsMoment(one: Case) throws {
    let sample = try CalendarSample(event: one.lines)
    #expect(try sample.alarms("2026-11-01 00:00", "2026-12-01 00:00") == one.alarms, "\(one.lines)")
  }

  @Test func theMomentItselfIsIncludedOnce() throws {
    let sample = try CalendarSample(event: Self.cases[0].lines)
    #expect(try sample.alarms("2026-11-20 08:44", "2026-11-20 08:45").count == 1)
    #expect(try sample.alarms("2026-11-20 08:45", "2026-11-20 08:46").isEmpty)
  }

  @Test func withoutAReminderOnlyAlarmsOfTheCalendarTell() throws {
    let sample = try CalendarSample(event: "DTSTART:20261120T090000")
    #expect(try sample.alarms("2026-11-01 00:00", "2026-12-01 00:00", remind: nil).isEmpty)
  }

  @Test func aTimeInAnotherZoneIsTheInstant() throws {
    let sample = try CalendarSample(
      event: "DTSTART;TZID=Asia/Tokyo:20261121T060000", zone: "America/New_York")
    #expect(try sample.alarms("2026-11-01 00:00", "2026-12-01 00:00") == ["2026-11-20 15:50"])
  }

  static let todos: [Case] = [
    ("DUE:20261120T120000", ["2026-11-20 11:50"]),
    ("DUE;VALUE=DATE:20261120", ["2026-11-20 09:00"]),
    // The due time matters, not the time at which work on it may start.
    ("DTSTART:20261110T090000\nDUE:20261120T120000", ["2026-11-20 11:50"]),
    (
      "DTSTART:20261110T090000\nDUE:20261120T120000\nBEGIN:VALARM\nTRIGGER;RELATED=END:-PT1H\nEND:VALARM",
      ["2026-11-20 11:00"]
    ),
    ("DUE:20261120T120000\nSTATUS:COMPLETED", []),
    ("DUE:20261120T120000\nCOMPLETED:20261119T120000Z", []),
    ("DUE:20261120T120000\nPERCENT-COMPLETE:100", []),
    ("SUMMARY:Some day", []),
  ]

  @Test(arguments: todos)
  func aToDoIsToldOfWhenItIsDue(one: Case) throws {
    let sample = try CalendarSample("BEGIN:VTODO\nUID:todo\n\(one.lines)\nEND:VTODO")
    #expect(try sample.alarms("2026-11-01 00:00", "2026-12-01 00:00") == one.alarms, "\(one.lines)")
    #expect(sample.problems.isEmpty)
  }

  /// The end is before the start only in the reader's zone, so the file's reader cannot report it.
  @Test func aToDoThatIsDueBeforeItStartsIsDueAtItsStart() throws {
    let sample = try CalendarSample(
      """
      BEGIN:VTODO\nUID:todo
      DTSTART:20261203T000000\nDUE;TZID=America/New_York:20261127T120000\nRDATE:20261124T000000
      END:VTODO
      """)
    let whole = try sample.alarms("2026-11-10 00:00", "2026-12-10 00:00")
    #expect(whole == ["2026-11-23 23:50", "2026-12-02 23:50"])
    let halves = [("2026-11-10 00:00", "2026-11-20 00:00"), ("2026-11-20 00:00", "2026-12-10 00:00")]
    #expect(try halves.flatMap { try sample.alarms($0.0, $0.1) } == whole)
  }
}
