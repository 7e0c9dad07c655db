import Basics
import Foundation
import Testing

@testable import Calendars

struct SnoozeTimeTests {
  /// Saturday, 21 November 2026, 14:30 in London.
  static let now = "2026-11-21T14:30:00Z"

  private func parse(_ text: String, now: String = now) throws -> String? {
    let zone = try #require(ZoneClock(named: "Europe/London"))
    let now = try Date(now, strategy: .iso8601)
    return SnoozeTime.parse(text, now: now, zone: zone).map { $0.formatted(.iso8601) }
  }

  @Test(arguments: [
    ("2h", "2026-11-21T16:30:00Z"), ("90 min", "2026-11-21T16:00:00Z"), ("an", nil),
    ("1w", "2026-11-28T14:30:00Z"), ("hour", "2026-11-21T15:30:00Z"),
    ("this evening", "2026-11-21T18:00:00Z"), ("tomorrow", "2026-11-22T08:00:00Z"),
    ("tomorrow morning", "2026-11-22T08:00:00Z"), ("tomorrow 7:15", "2026-11-22T07:15:00Z"),
    ("next Monday", "2026-11-23T08:00:00Z"), ("fri 9:00", "2026-11-27T09:00:00Z"),
    ("saturday", "2026-11-28T08:00:00Z"), ("sat 15:00", "2026-11-21T15:00:00Z"),
    ("9:00", "2026-11-22T09:00:00Z"), ("23:59", "2026-11-21T23:59:00Z"),
    ("2026-12-24 18:00", "2026-12-24T18:00:00Z"), ("2026-12-24", "2026-12-24T08:00:00Z"),
    ("2026-11-20", nil), ("2026-02-30", nil), ("24:00", nil), ("9:60", nil), ("", nil), ("yesterday", nil),
    ("today 9:00", nil), ("0h", nil), ("9", nil), ("9 9", nil), ("fri fri", nil), ("9:00 10:00", nil),
    ("fri 9", "2026-11-27T09:00:00Z"), ("tomorrow 9", "2026-11-22T09:00:00Z"),
    ("at 9", "2026-11-22T09:00:00Z"),
    ("at 15", "2026-11-21T15:00:00Z"), ("5pm", "2026-11-21T17:00:00Z"), ("5 pm", "2026-11-21T17:00:00Z"),
    ("9:30pm", "2026-11-21T21:30:00Z"), ("12am", "2026-11-22T00:00:00Z"), ("12pm", "2026-11-22T12:00:00Z"),
    ("13pm", nil), ("fri 5pm", "2026-11-27T17:00:00Z"), ("5pm on friday", "2026-11-27T17:00:00Z"),
    ("weekend", "2026-11-28T08:00:00Z"), ("this weekend 10am", "2026-11-22T10:00:00Z"),
    ("this weekend", "2026-11-22T08:00:00Z"),
    ("next week", "2026-11-23T08:00:00Z"), ("next month", "2026-12-01T08:00:00Z"), ("next 9:00", nil),
    ("2h30m", "2026-11-21T17:00:00Z"), ("1d 2h", "2026-11-22T16:30:00Z"), ("1.5h", "2026-11-21T16:00:00Z"),
    ("in two hours", "2026-11-21T16:30:00Z"), ("half an hour", "2026-11-21T15:00:00Z"),
    ("in an hour", "2026-11-21T15:30:00Z"), ("in a week", "2026-11-28T14:30:00Z"), ("2 3 hours", nil),
    ("2h m", nil), ("2", nil), ("24 dec", "2026-12-24T08:00:00Z"),
    ("Dec 24 at 18:00", "2026-12-24T18:00:00Z"),
    ("1 nov", "2027-11-01T08:00:00Z"), ("30 february", nil), ("monday morning", "2026-11-23T08:00:00Z"),
    ("1.2.3 h", nil), ("--", nil), ("9999999999999999999 h", nil), ("at", nil), ("in", nil),
    ("99999999999d", nil), ("9:00 fri 2h", nil), ("2 months", "2027-01-21T14:30:00Z"),
    ("2mo", "2027-01-21T14:30:00Z"), ("a year", "2027-11-21T14:30:00Z"),
    ("1 month 2h", "2026-12-21T16:30:00Z"),
    ("half a month", nil), ("midnight", "2026-11-22T00:00:00Z"), ("fri midnight", "2026-11-28T00:00:00Z"),
    ("24.12.2026", "2026-12-24T08:00:00Z"), ("24.12.2026 18:00", "2026-12-24T18:00:00Z"),
    ("24.12.", "2026-12-24T08:00:00Z"), ("1.1. 9:30", "2027-01-01T09:30:00Z"), ("31.2.2027", nil),
    ("24.13.2026", nil), ("24.12", nil), ("tonight", "2026-11-21T18:00:00Z"),
    ("tonight 9pm", "2026-11-21T21:00:00Z"), ("tonight at 9", "2026-11-21T21:00:00Z"),
    ("this evening 19:30", "2026-11-21T19:30:00Z"), ("this afternoon", "2026-11-21T15:30:00Z"),
    ("this morning", nil),
    ("this friday", "2026-11-27T08:00:00Z"), ("afternoon", "2026-11-22T14:00:00Z"),
  ])
  func timesAreTakenAsPeopleTypeThem(text: String, expected: String?) throws {
    #expect(try parse(text) == expected)
  }

  @Test(arguments: ["this evening", "tonight"]) func anEveningThatHasBegunIsLaterToday(_ text: String) throws
  {
    #expect(try parse(text, now: "2026-11-21T22:37:00Z") == "2026-11-21T23:37:00Z")
    #expect(try parse(text, now: "2026-11-21T23:30:00Z") == "2026-11-21T23:59:00Z")
    #expect(try parse(text, now: "2026-11-21T23:59:30Z") == nil)
    #expect(try parse("\(text) 20:00", now: "2026-11-21T22:37:00Z") == nil)
    #expect(try parse("evening", now: "2026-11-21T22:37:00Z") == "2026-11-22T18:00:00Z")
  }

  @Test func aWeekendThatHasBegunIsNotTheNextOne() throws {
    #expect(try parse("this weekend", now: "2026-11-18T12:00:00Z") == "2026-11-21T08:00:00Z")
    #expect(try parse("this weekend", now: "2026-11-21T07:00:00Z") == "2026-11-21T08:00:00Z")
    #expect(try parse("this weekend", now: "2026-11-22T12:00:00Z") == "2026-11-22T13:00:00Z")
    #expect(try parse("weekend", now: "2026-11-21T12:00:00Z") == "2026-11-28T08:00:00Z")
  }

  @Test func aMonthThatIsShorterEndsAtItsLastDay() throws {
    #expect(try parse("1 month", now: "2027-01-31T12:00:00Z") == "2027-02-28T12:00:00Z")
    // The wall time is kept when clocks change.
    #expect(try parse("1mo", now: "2027-03-20T12:00:00Z") == "2027-04-20T11:00:00Z")
  }

  @Test func tomorrowKeepsTheWallTimeOverAClockChange() throws {
    #expect(try parse("tomorrow 9:00", now: "2026-03-28T12:00:00Z") == "2026-03-29T08:00:00Z")
  }
}
