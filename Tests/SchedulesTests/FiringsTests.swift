import Foundation
import Testing

@testable import Schedules

struct FiringsTests {
  private func instant(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

  @Test(arguments: [
    ("America/New_York", WallTime(year: 2026, month: 3, day: 8, hour: 2, minute: 30), "2026-03-08T07:30:00Z"),
    (
      "America/New_York", WallTime(year: 2026, month: 11, day: 1, hour: 1, minute: 30), "2026-11-01T05:30:00Z"
    ),
    (
      "Australia/Lord_Howe", WallTime(year: 2026, month: 10, day: 4, hour: 2, minute: 15),
      "2026-10-03T15:45:00Z"
    ),
    ("Europe/London", WallTime(year: 2018, month: 3, day: 25, hour: 1, minute: 30), "2018-03-25T01:30:00Z"),
    ("Pacific/Apia", WallTime(year: 2011, month: 12, day: 30, hour: 12, minute: 0), "2011-12-30T22:00:00Z"),
    ("UTC", WallTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59), "1969-12-31T23:59:00Z"),
  ])
  func wallTimesThatHurt(name: String, wall: WallTime, expected: String) throws {
    let seconds = ZoneClock(try zone(name)).seconds(of: wall)
    #expect(Date(timeIntervalSince1970: Double(seconds)) == (try instant(expected)))
  }

  @Test func everySecondSince2019AnswersAtOnce() throws {
    let start = WallTime(year: 2019, month: 5, day: 20, hour: 19, minute: 0)
    let firings = Firings(
      Recurrence(start: .at(start), step: .seconds(1)), zone: try zone("Asia/Kolkata"),
      reference: .distantPast)
    let now = try instant("2026-11-21T02:00:00Z")
    let next = try #require(firings.next(after: now))
    #expect(next.instant == now.addingTimeInterval(1))
    #expect(next.index == 236_867_401)
  }

  @Test func theThirtyFirstReturnsAfterAShortMonth() throws {
    let start = WallTime(year: 2026, month: 1, day: 31, hour: 19, minute: 0)
    let firings = Firings(
      Recurrence(start: .at(start), step: .months(1)), zone: try zone("UTC"), reference: .distantPast)
    let days = firings.prefix(4).map { ZoneClock(firings.zone).wall(at: $0.instant).date.day }
    #expect(days == [31, 28, 31, 30])
  }

  @Test func whatWasMissedLastIsFoundEvenPastTheEnd() throws {
    let start = WallTime(year: 2020, month: 1, day: 1, hour: 6, minute: 0)
    let firings = Firings(
      Recurrence(start: .at(start), step: .days(1), end: .count(4)), zone: try zone("UTC"),
      reference: .distantPast)
    let last = try #require(firings.last(through: try instant("2026-01-01T00:00:00Z")))
    #expect(last.index == 3)
    #expect(last.instant == (try instant("2020-01-04T06:00:00Z")))
    #expect(firings.next(after: last.instant) == nil)
  }

  @Test func nothingFiresAfterTheYear9999() throws {
    let start = WallTime(year: 9999, month: 12, day: 31, hour: 0, minute: 0)
    let firings = Firings(
      Recurrence(start: .at(start), step: .days(1)), zone: try zone("UTC"), reference: .distantPast)
    #expect(Array(firings).count == 1)
    #expect(try firings.next(after: instant("9999-12-31T00:00:00Z")) == nil)
  }

  @Test(arguments: [-1_000_000, -1, 0, 1, 59, 60, 719_468, 20_000, 2_932_896])
  func civilDatesRoundTrip(day: Int) {
    let date = CivilDate(dayNumber: day)
    #expect(date.dayNumber == day)
    #expect((1...12).contains(date.month))
    #expect((1...CivilDate.length(ofMonth: date.month, year: date.year)).contains(date.day))
  }
}
