import Basics
import Foundation
import Testing

@testable import Queries

/// Quiet hours, by the wall's clock.
struct QuietHoursTests {
  static let berlin = ZoneClock(named: "Europe/Berlin") ?? .gmt

  static func at(_ text: String, _ zone: ZoneClock = berlin) throws -> Date {
    let utc = try #require(ISOInstant.parse(text + ":00Z"))
    return Date(timeIntervalSince1970: Double(zone.seconds(of: WallTime(utc, in: .gmt))))
  }

  static func hours(_ from: String, _ to: String, days: Set<Int> = Set(1...7)) throws -> QuietHours {
    QuietHours(days: days, from: try #require(ClockTime(from)), to: try #require(ClockTime(to)))
  }

  typealias Case = (from: String, to: String, days: Set<Int>, instant: String, end: String?)

  /// 2026-11-20 is a Friday.
  static let cases: [Case] = [
    ("22:00", "7:00", Set(1...7), "2026-11-20T21:59", nil),
    ("22:00", "7:00", Set(1...7), "2026-11-20T22:00", "2026-11-21T07:00"),
    ("22:00", "7:00", Set(1...7), "2026-11-21T06:59", "2026-11-21T07:00"),
    ("22:00", "7:00", Set(1...7), "2026-11-21T07:00", nil),
    // The night belongs to the day on which it begins.
    ("22:00", "7:00", [5], "2026-11-20T23:00", "2026-11-21T07:00"),
    ("22:00", "7:00", [5], "2026-11-21T03:00", "2026-11-21T07:00"),
    ("22:00", "7:00", [5], "2026-11-20T03:00", nil), ("22:00", "7:00", [6], "2026-11-21T03:00", nil),
    ("12:00", "13:30", [5], "2026-11-20T13:29", "2026-11-20T13:30"),
    ("12:00", "13:30", [5], "2026-11-20T13:30", nil),
    // The same time twice is a whole day.
    ("0:00", "0:00", [7], "2026-11-22T00:00", "2026-11-23T00:00"),
    ("0:00", "0:00", [7], "2026-11-23T00:00", nil),
    // Summer time begins on 29 March 2026 at 2:00 and ends on 25 October 2026 at 3:00.
    ("22:00", "2:30", Set(1...7), "2026-03-29T03:15", "2026-03-29T03:30"),
    ("22:00", "7:00", Set(1...7), "2026-03-29T06:59", "2026-03-29T07:00"),
    ("2:15", "2:45", Set(1...7), "2026-03-29T03:20", "2026-03-29T03:45"),
    ("22:00", "7:00", Set(1...7), "2026-10-25T06:59", "2026-10-25T07:00"),
  ]

  @Test(arguments: cases)
  func hoursHoldByTheWallsClock(
    _ from: String, _ to: String, _ days: Set<Int>, _ instant: String, _ end: String?
  ) throws {
    let hours = try Self.hours(from, to, days: days)
    let interval = try hours.interval(around: Self.at(instant), in: Self.berlin)
    #expect(try interval?.end == end.map { try Self.at($0) })
  }

  @Test func hoursOfTheDayOnWhichClocksGoBackAreLonger() throws {
    let night = try Self.hours("1:00", "4:00")
    let start = try Self.at("2026-10-25T01:00")
    let interval = try #require(night.interval(around: start, in: Self.berlin))
    #expect(interval.duration == 4 * 3600)
  }

  @Test(arguments: ["22:00", "7:05", "07:05", "0:00", "23:59"])
  func aTimeOfDayIsRead(_ text: String) throws {
    let time = try #require(ClockTime(text))
    #expect(ClockTime(time.text) == time)
  }

  @Test(arguments: ["", "24:00", "7", "7:5", "7:60", "-1:00", "+1:00", "007:00", "7:00 ", "٧:00", "7:00:00"])
  func anythingElseIsNot(_ text: String) { #expect(ClockTime(text) == nil) }

  @Test func whatFollowsAtOnceIsPartOfIt() throws {
    let quiet = Quiet(hours: [try Self.hours("22:00", "0:00"), try Self.hours("0:00", "7:00")])
    let state = quiet.state(at: try Self.at("2026-11-20T22:30"), in: Self.berlin)
    #expect(state == .on(until: try Self.at("2026-11-21T07:00"), allow: [nil]))
    #expect(quiet.state(at: try Self.at("2026-11-20T12:00"), in: Self.berlin) == .off)
  }

  @Test func whatNeverEndsHasNoEnd() throws {
    let quiet = Quiet(hours: [try Self.hours("0:00", "0:00")])
    #expect(
      quiet.state(at: try Self.at("2026-11-20T22:30"), in: Self.berlin) == .on(until: nil, allow: [nil]))
  }

  @Test func whatWasAskedForHoldsBesideTheHours() throws {
    let start = try Self.at("2026-11-20T21:00")
    let asked = DateInterval(start: start, end: start + 2 * 3600)
    let quiet = Quiet(hours: [try Self.hours("22:00", "7:00")], asked: asked)
    #expect(
      quiet.state(at: start, in: Self.berlin) == .on(until: try Self.at("2026-11-21T07:00"), allow: [nil]))
    #expect(Quiet(asked: asked).state(at: asked.end, in: Self.berlin) == .off)
    // A clock that was set back to before it.
    #expect(Quiet(asked: asked).state(at: start - 60, in: Self.berlin) == .off)
  }
}
