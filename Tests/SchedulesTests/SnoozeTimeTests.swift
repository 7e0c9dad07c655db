import Foundation
import Testing

@testable import Schedules

struct SnoozeTimeTests {
  /// Saturday, 21 November 2026, 14:30 in London.
  static let now = "2026-11-21T14:30:00Z"

  private func parse(_ text: String, now: String = now) throws -> String? {
    let zone = try #require(TimeZone(identifier: "Europe/London"))
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
    ("today 9:00", nil), ("fri 9", nil), ("0h", nil), ("99999999999d", nil), ("9:00 fri 2h", nil),
  ])
  func timesAreTakenAsPeopleTypeThem(text: String, expected: String?) throws {
    #expect(try parse(text) == expected)
  }

  @Test func thisEveningSaidAtNightIsTheNextOne() throws {
    #expect(try parse("this evening", now: "2026-11-21T21:00:00Z") == "2026-11-22T18:00:00Z")
  }

  @Test func tomorrowKeepsTheWallTimeOverAClockChange() throws {
    #expect(try parse("tomorrow 9:00", now: "2026-03-28T12:00:00Z") == "2026-03-29T08:00:00Z")
  }
}
