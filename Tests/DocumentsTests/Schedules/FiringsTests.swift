import Basics
import Foundation
import Testing

@testable import Calendars

struct FiringsTests {
  private func instant(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func zone(_ name: String) throws -> ZoneClock { try #require(ZoneClock(named: name)) }

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
    let days = firings.prefix(4).map { firings.clock.wall(at: $0.instant).date.day }
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
}
