import Basics
import Foundation
import Testing

@testable import Calendars

/// Files of programs that don't follow the standard to the letter: one wrong part costs only that part.
struct CalendarSpellingTests {
  /// The starts of the week in which the sample events are, for a reader in Tokyo.
  private func starts(_ lines: String) throws -> [String] {
    try CalendarSample(lines, zone: "Asia/Tokyo").starts("2026-11-18 00:00", "2026-11-25 00:00")
  }

  private func event(_ lines: String) -> String { "BEGIN:VEVENT\nUID:one\n\(lines)\nEND:VEVENT" }

  // MARK: Times

  @Test(arguments: [
    ("DTSTART:20261120T090000", "2026-11-20 09:00"), ("DTSTART:2026-11-20T090000", "2026-11-20 09:00"),
    ("DTSTART:2026-11-20T09:00:00", "2026-11-20 09:00"), ("DTSTART:20261120T0900", "2026-11-20 09:00"),
    ("DTSTART:2026-11-20 09:00", "2026-11-20 09:00"),
    ("DTSTART:2026-11-20T09:00:00.000Z", "2026-11-20 18:00"),
    ("DTSTART:20261120T090000z", "2026-11-20 18:00"), ("DTSTART:20261120T090000+0100", "2026-11-20 17:00"),
    ("DTSTART:20261120T090000-05:30", "2026-11-20 23:30"), ("DTSTART:2026-11-20", "2026-11-20 00:00"),
    ("DTSTART;TZID=Europe/Berlin:2026-11-20T090000", "2026-11-20 17:00"),
    ("DTSTART;TZID=Europe/Berlin:20261120T090000+0300", "2026-11-20 15:00"),
    ("DTSTART :20261120T090000", "2026-11-20 09:00"),
    ("DTSTART;TZID=\"Europe/Berlin:20261120T090000", "2026-11-20 17:00"),
    (
      "DTSTART;TZID=(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna:20261120T090000",
      "2026-11-20 17:00"
    ),
  ])
  func aTimeHasManySpellings(line: String, start: String) throws {
    let sample = try CalendarSample(event(line), zone: "Asia/Tokyo")
    #expect(try sample.starts("2026-11-18 00:00", "2026-11-25 00:00") == [start])
    #expect(sample.problems.isEmpty)
  }

  @Test(arguments: [
    "2026-1120T090000", "202611-20", "20261120T", "20261120T9", "20261120T090060Z9", "20261120T090000+",
    "20261120T090000+2500", "20261120T240000", "2026112", "20261120T0900000", "20261120X090000",
  ])
  func whatIsNoTimeIsNone(text: String) throws {
    let sample = try CalendarSample(event("DTSTART:\(text)"))
    #expect(sample.file.items.isEmpty && sample.problems == ["5: DTSTART: \(text) is not a date"])
  }

  @Test func aDateWithATimeBehindItIsADay() throws {
    let days = event("DTSTART;VALUE=DATE:20261120T000000\nDTEND;VALUE=DATE:20261121T000000")
    let sample = try CalendarSample(days)
    #expect(try sample.alarms("2026-11-18 00:00", "2026-11-25 00:00") == ["2026-11-20 09:00"])
    // A time that is declared as one.
    let time = try CalendarSample(event("DTSTART;VALUE=DATE-TIME:20261120T000000"))
    #expect(try time.alarms("2026-11-18 00:00", "2026-11-25 00:00") == ["2026-11-19 23:50"])
  }

  @Test func aDateWithAnotherTimeThanMidnightIsThatTime() throws {
    let sample = try CalendarSample(
      event("DTSTART;VALUE=DATE:20261120T193000\nDTEND;VALUE=DATE:20261120T220000"))
    #expect(try sample.alarms("2026-11-18 00:00", "2026-11-25 00:00") == ["2026-11-20 19:20"])
    #expect(try sample.ends("2026-11-18 00:00", "2026-11-25 00:00") == ["2026-11-20 22:00"])
  }

  // MARK: Ends of events

  @Test(arguments: [
    // An end without a zone is in the zone of the start.
    ("DTSTART;TZID=America/New_York:20261120T090000\nDTEND:20261120T100000", "2026-11-20 16:00", nil),
    (
      "DTSTART:20261120T090000\nDTEND;VALUE=DATE:20261122", "2026-11-22 00:00",
      "the end is a day and the start is a time, or the other way round"
    ),
    (
      "DTSTART;VALUE=DATE:20261120\nDTEND:20261122T170000", "2026-11-22 17:00",
      "the end is a day and the start is a time, or the other way round"
    ),
    ("DTSTART;VALUE=DATE:20261120\nDURATION:PT1W", "2026-11-27 00:00", nil),
  ])
  func anEndOfAnotherKindThanTheStartIsUsed(lines: String, end: String, problem: String?) throws {
    let sample = try CalendarSample(event(lines))
    #expect(try sample.ends("2026-11-18 00:00", "2026-11-25 00:00") == [end])
    #expect(sample.problems == (problem.map { ["6: \($0)"] } ?? []))
  }

  @Test func allPropertiesOfTimesAreReadTheSame() throws {
    let lines = event(
      """
      DTSTART:2026-11-18T09:00:00
      DTEND:20261118T1000
      RRULE:FREQ=DAILY;UNTIL=2026-11-22T09:00:00
      EXDATE:2026-11-19T090000
      RDATE:20261124T0900
      """)
    #expect(
      try starts(lines) == [
        "2026-11-18 09:00", "2026-11-20 09:00", "2026-11-21 09:00", "2026-11-22 09:00", "2026-11-24 09:00",
      ])
  }

  @Test func anAlarmMayBeAtATimeInAnySpelling() throws {
    let alarm = "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:2026-11-20T08:15Z\nEND:VALARM"
    let sample = try CalendarSample(event("DTSTART:20261120T090000Z\n\(alarm)"), zone: "UTC")
    #expect(try sample.alarms("2026-11-18 00:00", "2026-11-25 00:00") == ["2026-11-20 08:15"])
  }

  // MARK: Zones

  @Test func timesWithoutAZoneAreOfTheCalendarsZone() throws {
    let lines = """
      BEGIN:VEVENT\nUID:a\nDTSTART:20261119T200000\nEND:VEVENT
      BEGIN:VEVENT\nUID:b\nDTSTART:20261120T200000Z\nEND:VEVENT
      BEGIN:VEVENT\nUID:c\nDTSTART;TZID=Europe/Berlin:20261121T200000\nEND:VEVENT
      BEGIN:VEVENT\nUID:d\nDTSTART:20261123\nEND:VEVENT
      X-WR-TIMEZONE:America/New_York
      """
    #expect(
      try starts(lines) == ["2026-11-20 10:00", "2026-11-21 05:00", "2026-11-22 04:00", "2026-11-23 00:00"])
    let unknown = try CalendarSample(
      lines.replacingOccurrences(of: "America/New_York", with: "Middle Earth"), zone: "Asia/Tokyo")
    #expect(try unknown.starts("2026-11-19 00:00", "2026-11-20 00:00") == ["2026-11-19 20:00"])
    #expect(
      unknown.problems == [
        "19: the zone Middle Earth is unknown; times without a zone are taken as local ones"
      ])
  }

  @Test func aZoneOfTheFileMayHaveAColonInItsName() throws {
    let lines = """
      BEGIN:VTIMEZONE
      TZID:tzone://Somebody/Custom
      BEGIN:STANDARD
      DTSTART:16010101T000000
      TZOFFSETFROM:+0400
      TZOFFSETTO:+0400
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:a
      DTSTART;TZID=tzone://Somebody/Custom:20261120T090000
      END:VEVENT
      """
    #expect(try starts(lines) == ["2026-11-20 14:00"])
  }

  @Test(arguments: ["our zone", "OUR ZONE", " Our Zone", "\"Our Zone\""])
  func aZoneOfTheFileIsFoundInAnotherSpelling(name: String) throws {
    let lines = """
      BEGIN:VTIMEZONE
      TZID:Our Zone
      BEGIN:STANDARD
      DTSTART:16010101T000000
      TZOFFSETFROM:+0400
      TZOFFSETTO:+0400
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:a
      DTSTART;TZID=\(name):20261120T090000
      END:VEVENT
      """
    #expect(try starts(lines) == ["2026-11-20 14:00"])
  }

  // MARK: Rules

  @Test(arguments: [
    ("RRULE:RRULE:FREQ=DAILY;COUNT=2", 2, nil), ("RRULE:FREQ=DAILY;INTERVAL=0;COUNT=2", 2, "INTERVAL=0"),
    ("RRULE:FREQ=DAILY;COUNT=2;BYHOUR=", 2, "BYHOUR= has no value"),
    ("RRULE:FREQ=DAILY;COUNT=2;BYDAY=", 2, "BYDAY= has no value"),
    ("RRULE:FREQ=DAILY;UNTIL=20261122T090000;COUNT=-1", 3, "COUNT=-1"),
    ("RRULE:FREQ=DAILY;UNTIL=20261122T090000;COUNT=0", 3, "COUNT=0"),
    ("RRULE:FREQ=DAILY;COUNT=2;UNTIL=soon", 2, "UNTIL=SOON"),
    ("RRULE:FREQ=DAILY;COUNT=2;WKST=XX", 2, "WKST=XX"),
    ("RRULE:FREQ=DAILY;COUNT=2;BYMONTH=13", 2, "BYMONTH=13"), ("RRULE:FREQ=DAILY;COUNT=2;", 2, nil),
    ("RRULE:FREQ=DAILY;COUNT=2;BYMINUTE=0,99", 2, "BYMINUTE=99"), ("RRULE:;FREQ=DAILY;COUNT=2", 2, nil),
    ("RRULE:freq=daily;count=2", 2, nil), ("RRULE:FREQ=DAILY;COUNT=2;BYDAY=FR, SA", 2, nil),
    ("RRULE:FREQ=DAILY;COUNT=2;UNTL=20261123", 2, "UNTL is unknown"),
    ("RRULE:FREQ=DAILY;COUNT=2;X-OWN=1;SKIP=OMIT", 2, nil),
    // Some programs write deleted events in this way.
    ("RRULE:FREQ=DAILY;UNTIL=20261118T225959Z", 0, "UNTIL is before DTSTART"),
    ("RRULE:FREQ=DAILY;UNTIL=20261119", 0, "UNTIL is before DTSTART"),
    ("RRULE:FREQ=DAILY;UNTIL=20261119\nRDATE:20261121T090000", 1, "UNTIL is before DTSTART"),
    ("RRULE:FREQ=DAILY;UNTIL=20261119\nRRULE:FREQ=DAILY;COUNT=2", 2, "UNTIL is before DTSTART"),
  ])
  func anOddPartOfARuleIsLeftOutAlone(rule: String, count: Int, problem: String?) throws {
    let sample = try CalendarSample(event("DTSTART:20261120T090000\n\(rule)"))
    #expect(try sample.starts("2026-11-18 00:00", "2026-12-18 00:00").count == count)
    #expect(sample.problems.count == (problem == nil ? 0 : 1))
    if let problem { #expect(sample.problems.first?.contains(problem) == true, "\(sample.problems)") }
    #expect(sample.file.problems.leftOut == 0)
  }

  // MARK: Ends of components

  @Test(arguments: ["END:VEVENT\n", ""], ["END:VALARM\n", ""])
  func theEventsBehindAMissingEndAreEvents(end: String, alarmEnd: String) throws {
    let events = (19...21).map { day in
      let alarm = "BEGIN:VALARM\nTRIGGER:-PT5M\n\(day == 20 ? alarmEnd : "END:VALARM\n")"
      return
        "BEGIN:VEVENT\nUID:\(day)\nDTSTART:202611\(day)T090000\n\(alarm)\(day == 20 ? end : "END:VEVENT\n")"
    }
    let sample = try CalendarSample(events.joined())
    #expect(
      sample.file.items.map(\.uid) == ["19", "20", "21"]
        && sample.file.items.allSatisfy { $0.alarms.count == 1 })
    #expect(sample.problems.count == [end, alarmEnd].count(where: \.isEmpty))
    #expect(sample.file.problems.leftOut == 0)
  }

  @Test func calendarsWithoutAnEndOfTheirOwnAreRead() throws {
    let one = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTART:20261120T090000\r\nEND:VEVENT\r\n"
    let file = try #require(
      CalendarFile.read(
        Data((one + one.replacingOccurrences(of: "one", with: "two") + "END:VCALENDAR\r\n").utf8)))
    #expect(file.items.map(\.uid) == ["one", "two"])
    #expect(file.problems.map(\.at) == ["1"])
  }

  // MARK: Outside of a calendar

  @Test(arguments: [
    ("%one", ["one"]), ("%one%two", ["one", "two"]),
    ("BEGIN:VCALENDAR\r\n%one%END:VCALENDAR\r\n%two", ["one", "two"]),
    ("%one%BEGIN:VCALENDAR\r\n%two%END:VCALENDAR\r\n", ["one", "two"]),
    ("BEGIN:VTODO\r\nUID:three\r\nDUE:20261120T090000\r\nEND:VTODO\r\n", ["three"]),
  ])
  func eventsWithoutACalendarAreEvents(text: String, uids: [String]) throws {
    let lines = text.split(separator: "%").map { part in
      part == "one" || part == "two"
        ? "BEGIN:VEVENT\r\nUID:\(part)\r\nDTSTART:20261120T090000\r\nEND:VEVENT\r\n" : String(part)
    }
    let file = try #require(CalendarFile.read(Data(lines.joined().utf8)))
    #expect(file.items.map(\.uid).sorted() == uids)
    #expect(file.problems.isEmpty && file.gaps == CalendarGaps())
  }

  @Test func aZoneBeforeAnEventWithoutACalendarIsItsZone() throws {
    let lines = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0300
      TZOFFSETTO:+0300
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:one
      DTSTART;TZID=Own:20261120T090000
      END:VEVENT
      """
    let file = try #require(CalendarFile.read(Data(lines.utf8)))
    #expect(file.items.map { $0.start.instant(.gmt) % 86_400 } == [6 * 3600])
  }

  @Test func anEventWithoutACalendarThatBreaksOffIsLeftOut() throws {
    let file = try #require(CalendarFile.read(Data("BEGIN:VEVENT\r\nUID:one\r\nDTSTART:20261120".utf8)))
    #expect(file.items.isEmpty && file.problems.leftOut == 1 && file.gaps.mayHide(uid: "one", of: nil))
  }

  // MARK: Lines

  private static let lines = [
    "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:one", "SUMMARY:Tea", "DTSTART:20261120T090000", "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]

  @Test(arguments: [
    lines.joined(separator: "\r"), lines.joined(separator: "\r\r\n"), "   " + lines.joined(separator: "\n"),
    "\u{FEFF}\r\n \t\r\n" + lines.joined(separator: "\r\n"),
    lines.joined(separator: "\n").replacingOccurrences(of: "SUMMARY:Tea", with: "SUMMARY:T\n\n ea"),
    lines.joined(separator: "\r\n").replacingOccurrences(of: "DTSTART", with: "DTSTART\r\n\r\n\r\n "),
  ])
  func linesMayEndAndBeginOtherwise(text: String) throws {
    let file = try #require(CalendarFile.read(Data(text.utf8)))
    #expect(file.items.map(\.summary) == ["Tea"] && file.problems.isEmpty)
  }

  // MARK: What was seen or declined elsewhere

  @Test(arguments: [
    ("20261120T085000", [String]()), ("20261120T083000", []), ("20261120T082959", ["2026-11-20 08:30"]),
    ("20261119T230000", ["2026-11-20 08:30"]),
  ])
  func anAlarmThatWasSeenInThunderbirdIsNotRepeated(seen: String, alarms: [String]) throws {
    let lines = "DTSTART:20261120T090000Z\nX-MOZ-LASTACK:\(seen)Z\nBEGIN:VALARM\nTRIGGER:-PT30M\nEND:VALARM"
    let sample = try CalendarSample(event(lines), zone: "UTC")
    #expect(try sample.alarms("2026-11-18 00:00", "2026-11-25 00:00") == alarms)
  }

  @Test(arguments: [
    ("X-WR-CALNAME:ada@example.org", "ATTENDEE;PARTSTAT=DECLINED:mailto:Ada@Example.org", true),
    ("X-OWNER:mailto:ada@example.org", "ATTENDEE;PARTSTAT=declined:mailto:ada@example.org", true),
    ("X-WR-CALNAME:ada@example.org", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.org", false),
    ("X-WR-CALNAME:ada@example.org", "ATTENDEE;PARTSTAT=DECLINED:mailto:cy@example.org", false),
    ("X-WR-CALNAME:Team", "ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.org", false),
  ])
  func aDeclinedInvitationDoesNotRemind(calendar: String, guest: String, isDeclined: Bool) throws {
    let others = [19, 21].map { "BEGIN:VEVENT\nUID:\($0)\nDTSTART:202611\($0)T090000\nEND:VEVENT" }
    let lines = "\(calendar)\n\(others[0])\n\(event("DTSTART:20261120T090000\n\(guest)"))\n\(others[1])"
    let sample = try CalendarSample(lines, zone: "UTC")
    let alarms = try sample.alarms("2026-11-18 00:00", "2026-11-25 00:00")
    #expect(alarms.contains("2026-11-20 08:50") == !isDeclined)
    #expect(alarms.contains("2026-11-19 08:50") && alarms.contains("2026-11-21 08:50"))
  }
}
