import Basics
import Foundation
import Testing

@testable import Calendars

/// Days and weeks of a snooze are those of the calendar.
struct CalendarDaysTests {
  @Test(arguments: [
    // Clocks are put forward on 29 March and back on 25 October 2026.
    ("1d", "2026-03-28T19:00:00Z", "2026-03-29T18:00:00Z"),
    ("1w", "2026-03-25T19:00:00Z", "2026-04-01T18:00:00Z"),
    ("1d", "2026-10-24T18:00:00Z", "2026-10-25T19:00:00Z"),
    ("in two weeks", "2026-10-20T18:00:00Z", "2026-11-03T19:00:00Z"),
    // Hours are hours.
    ("24h", "2026-03-28T19:00:00Z", "2026-03-29T19:00:00Z"),
    ("1d 2h", "2026-03-28T19:00:00Z", "2026-03-29T20:00:00Z"),
    ("half a day", "2026-03-28T19:00:00Z", "2026-03-29T07:00:00Z"),
    ("1.5 days", "2026-11-20T19:00:00Z", "2026-11-22T07:00:00Z"),
    // A time that does not exist on that day.
    ("1d", "2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z"),
  ])
  func theWallTimeStays(text: String, now: String, expected: String) throws {
    let zone = try #require(ZoneClock(named: "Europe/London"))
    let instant = SnoozeTime.parse(text, now: try Date(now, strategy: .iso8601), zone: zone)
    #expect(instant?.formatted(.iso8601) == expected)
  }
}
