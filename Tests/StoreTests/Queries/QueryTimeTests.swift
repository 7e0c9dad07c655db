import Basics
import Foundation
import QuerySamples
import Testing

@testable import Queries

/// Dates by the reader's clock, and the time at which a result changes.
@Suite struct QueryTimeTests {
  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  private func range(_ text: String, now: String = "2026-11-21T12:00:00Z", in zone: String) throws -> String {
    let zone = try #require(ZoneClock(named: zone))
    let bounds = try Query.parse(text, .strict).get().timeBounds(now: date(now), zone: zone)
    guard let bounds else { return "never" }
    return "\(bounds.from.map(ISOInstant.text) ?? "")..\(bounds.to.map(ISOInstant.text) ?? "")"
  }

  static let ranges: [(String, String, String)] = [
    ("date:2026-11-20", "UTC", "2026-11-20T00:00:00Z..2026-11-21T00:00:00Z"),
    ("date:2026-11-20", "Asia/Kathmandu", "2026-11-19T18:15:00Z..2026-11-20T18:15:00Z"),
    // Summer time begins and ends.
    ("date:2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z..2026-03-29T22:00:00Z"),
    ("date:2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z..2026-10-25T23:00:00Z"),
    // This day begins at 1 o'clock; and midnight comes twice.
    ("date:2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00Z..2026-03-29T21:00:00Z"),
    ("date:2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00Z..2026-10-26T01:00:00Z"),
    // A day that Samoa left out.
    ("date:2011-12-30", "Pacific/Apia", "never"),
    ("date:2026-11", "UTC", "2026-11-01T00:00:00Z..2026-12-01T00:00:00Z"),
    ("date:2026-12", "UTC", "2026-12-01T00:00:00Z..2027-01-01T00:00:00Z"),
    ("date:2026", "UTC", "2026-01-01T00:00:00Z..2027-01-01T00:00:00Z"),
    ("date:2026-11-20T09:30", "UTC", "2026-11-20T09:30:00Z..2026-11-20T09:31:00Z"),
    ("date:2026-01..2026-03", "UTC", "2026-01-01T00:00:00Z..2026-04-01T00:00:00Z"),
    ("date:2026-03..2026-01", "UTC", "never"),
    ("date:2026-01..", "UTC", "2026-01-01T00:00:00Z.."), ("date:..2025", "UTC", "..2026-01-01T00:00:00Z"),
    ("before:2026-11-20", "UTC", "..2026-11-20T00:00:00Z"),
    ("after:2026-11-20", "UTC", "2026-11-20T00:00:00Z.."),
    ("after:2026-11-20T09:30", "Europe/Berlin", "2026-11-20T08:30:00Z.."),
    ("date:today", "Pacific/Auckland", "2026-11-21T11:00:00Z..2026-11-22T11:00:00Z"),
    ("date:yesterday", "UTC", "2026-11-20T00:00:00Z..2026-11-21T00:00:00Z"),
    ("before:today", "UTC", "..2026-11-21T00:00:00Z"),
    ("older:90min", "UTC", "..2026-11-21T10:30:00Z"), ("newer:2h", "UTC", "2026-11-21T10:00:00Z.."),
    ("newer:7d", "UTC", "2026-11-14T12:00:00Z.."), ("newer:1w", "UTC", "2026-11-14T12:00:00Z.."),
    ("newer:1mo", "UTC", "2026-10-21T12:00:00Z.."), ("newer:1y", "UTC", "2025-11-21T12:00:00Z.."),
    // The same time of day before summer time ended.
    ("newer:30d", "Europe/Berlin", "2026-10-22T11:00:00Z.."),
    ("older:99999y", "UTC", "..0001-01-02T00:00:00Z"),
    ("newer:2d before:yesterday", "UTC", "2026-11-19T12:00:00Z..2026-11-20T00:00:00Z"),
    ("after:2026 OR before:2020", "UTC", ".."), ("after:2026 OR a", "UTC", ".."),
    ("after:2026 a", "UTC", "2026-01-01T00:00:00Z.."),
    ("-newer:2h", "UTC", "..2026-11-21T10:00:00Z"), ("-older:2h", "UTC", "2026-11-21T10:00:00Z.."),
    ("", "UTC", ".."),
    ("before:2020 after:2021", "UTC", "never"),
    ("date:2020,2022", "UTC", "2020-01-01T00:00:00Z..2023-01-01T00:00:00Z"),
  ]

  @Test(arguments: ranges)
  func theseTimesAreMeant(_ text: String, zone: String, expected: String) throws {
    #expect(try range(text, in: zone) == expected)
  }

  /// The last days of a month may have no equivalent in the previous month.
  @Test(arguments: [
    ("2026-03-28T12:00:00Z", "2026-02-28T12:00:00Z"), ("2026-03-29T12:00:00Z", "2026-03-01T00:00:00Z"),
    ("2026-03-31T23:00:00Z", "2026-03-01T00:00:00Z"), ("2026-04-01T00:30:00Z", "2026-03-01T00:30:00Z"),
  ])
  func aMonthAgoNeverGoesBack(now: String, expected: String) throws {
    #expect(try range("newer:1mo", now: now, in: "UTC") == "\(expected)..")
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "Asia/Beirut", "Atlantic/Azores", "Pacific/Apia", "America/St_Johns",
  ])
  func timeAgoNeverGoesBack(zone name: String) throws {
    let zone = try #require(ZoneClock(named: name))
    for unit in Query.TimeSpan.Unit.allCases {
      var last = Date.distantPast
      // Two years in steps of 73 minutes, through Samoa's missing day.
      for step in 0..<15_000 {
        let now = Date(timeIntervalSince1970: 1_300_000_000 + Double(step) * 73 * 60)
        let ago = QueryCalendar(now: now, zone: zone).instant(before: Query.TimeSpan(1, unit))
        #expect(ago >= last, "\(unit) at \(now)")
        last = ago
      }
    }
  }

  @Test(arguments: [-Double.infinity, -1e300, -62_135_596_800, 253_402_300_799, 1e300, .infinity, .nan])
  func noInstantIsTooFar(seconds: Double) throws {
    let far = Date(timeIntervalSince1970: seconds)
    var facts = Facts()
    facts.time = far
    for zone in RandomQueries.zones + [try #require(ZoneClock(named: "Pacific/Kiritimati"))] {
      for text in [
        "older:99999y", "newer:99999mo", "date:today", "date:0001..9999", "before:0001", "after:9999-12-31",
      ] {
        let query = try Query.parse(text, .strict).get()
        for now in [far, Date(timeIntervalSince1970: 0)] {
          _ = query.matches(facts, tokenizer: PlainTokenizer(), now: now, zone: zone)
          _ = query.nextChange(after: now, of: far, zone: zone)
        }
      }
    }
  }

  @Test(arguments: [
    ("older:2h", "2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z", "2026-11-21T13:00:00.001Z"),
    ("newer:1d", "2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z", "2026-11-22T11:00:00.001Z"),
    ("date:today", "2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z", "2026-11-22T00:00:00Z"),
    ("date:yesterday", "2026-11-22T12:00:00Z", "2026-11-21T11:00:00Z", "2026-11-23T00:00:00Z"),
    ("older:1mo newer:2mo", "2026-11-21T12:00:00Z", "2026-10-10T00:00:00Z", "2026-12-10T00:00:00.001Z"),
  ])
  func theNextChangeIsKnown(_ text: String, now: String, time: String, next: String) throws {
    let query = try Query.parse(text, .strict).get()
    #expect(query.changesWithTime)
    let change = try query.nextChange(after: date(now), of: date(time), zone: .gmt)
    #expect(change.map(ISOInstant.text) == next)
  }

  @Test(arguments: ["a", "before:2026", "date:2026-11-21", "is:unread", ""])
  func whatDoesNotDependOnTheClockNeverChanges(_ text: String) throws {
    let query = try Query.parse(text, .strict).get()
    #expect(!query.changesWithTime)
    #expect(
      try query.nextChange(after: date("2026-11-21T12:00:00Z"), of: date("2026-01-01T00:00:00Z"), zone: .gmt)
        == nil)
  }
}
