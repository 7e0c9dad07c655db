import Basics
import Foundation
import TestBasics
import Testing

struct WallTimeTests {
  @Test(arguments: ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Berlin"])
  func itAgreesWithTheCalendar(zone name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      // From 1900 to 2150, where both count by the Gregorian calendar.
      let date = Date(
        timeIntervalSince1970: Double.random(in: -2.2e9...5.68e9, using: &random).rounded(.down))
      let expected = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
      let time = WallTime(date, in: ZoneClock(zone))
      #expect(time.date.year == expected.year && time.date.month == expected.month)
      #expect(time.date.day == expected.day && time.hour == expected.hour)
      #expect(time.second / 60 % 60 == expected.minute && time.second % 60 == expected.second)
      // Foundation's weekday 1 is Sunday.
      #expect(time.weekday % 7 + 1 == expected.weekday)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func noDateIsTooFar(seconds: Double) throws {
    for name in ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"] {
      let zone = try #require(TimeZone(identifier: name))
      #expect(
        (1...9999).contains(WallTime(Date(timeIntervalSince1970: seconds), in: ZoneClock(zone)).date.year))
    }
  }

  @Test func clocksHaveTwoDigits() {
    let time = WallTime(year: 2026, month: 11, day: 20, hour: 9, minute: 5, second: 7)
    #expect(time.clock == "09:05")
    #expect(time.clockWithSeconds == "09:05:07")
    #expect(WallTime(seconds: -1).clockWithSeconds == "23:59:59")
  }

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
    let zone = try #require(TimeZone(identifier: name))
    let seconds = ZoneClock(zone).seconds(of: wall)
    #expect(Date(timeIntervalSince1970: Double(seconds)) == (try Date(expected, strategy: .iso8601)))
  }
}

/// The system's zone, which the C library knows.
@Suite(.serialized)
struct SystemClockTests {
  /// Sets `TZ` for one block. No other test of this target asks for the system's zone.
  private func inZone(_ name: String, _ body: () throws -> Void) rethrows {
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    try body()
  }

  @Test(arguments: [
    "UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Berlin", "Australia/Lord_Howe",
    "Africa/Casablanca",
  ])
  func itAgreesWithFoundationsRulesOfTheZone(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    inZone(name) {
      var random = SeededRandom(seed: 11)
      for _ in 0..<5000 {
        // From 1970 to 2025, which both know: of the decisions of countries for later years, one of the two knows more.
        let date = Date(timeIntervalSince1970: Double.random(in: 0...1.75e9, using: &random).rounded(.down))
        #expect(WallTime(date, in: ZoneClock.system) == WallTime(date, in: ZoneClock(zone)), "\(date)")
      }
      let wall = WallTime(year: 2026, month: 7, day: 1, hour: 12, minute: 0)
      #expect(ZoneClock.system.seconds(of: wall) == ZoneClock(zone).seconds(of: wall))
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func noDateIsTooFar(seconds: Double) {
    inZone("Pacific/Kiritimati") {
      let time = WallTime(Date(timeIntervalSince1970: seconds), in: ZoneClock.system)
      #expect((1...9999).contains(time.date.year))
    }
  }

  @Test func aZoneThatDoesNotExistIsUTC() {
    inZone("Nowhere/Atall") {
      #expect(WallTime(Date(timeIntervalSince1970: 0), in: ZoneClock.system).clock == "00:00")
    }
  }
}
