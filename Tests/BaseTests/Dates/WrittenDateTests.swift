import Foundation
import Testing

@testable import Basics

/// Spellings of dates, by form. Spellings that all forms share are in the tests of instants, calendars and feeds.
struct WrittenDateTests {
  private static let forms: [(DateForms, String)] = [
    (.instant, "instant"), (.calendar, "calendar"), (.delivery, "delivery"), (.http, "http"), (.feed, "feed"),
  ]

  @Test(arguments: [
    // Spaces and digits of other scripts
    ("Nov 28, 2026, 10:30\u{202F}PM", "2026-11-28T22:30:00Z"),
    ("28\u{A0}novembre\u{A0}2026 10:30", "2026-11-28T10:30:00Z"),
    ("\u{200E}28\u{200E}/\u{200E}11\u{200E}/\u{200E}2026 10:30", "2026-11-28T10:30:00Z"),
    ("٢٨/١١/٢٠٢٦", "2026-11-28T00:00:00Z"), ("२८-११-२०२६ १०:३०", "2026-11-28T10:30:00Z"),
    ("２０２６年１１月２８日　１０：３０", "2026-11-28T10:30:00Z"), ("2026–11–28T10:30Z", "2026-11-28T10:30:00Z"),
    ("28 Nov 2026 10:30 \u{2212}0500", "2026-11-28T15:30:00Z"),
    // Eras
    ("令和8年11月28日", "2026-11-28T00:00:00Z"), ("民國115年11月28日 10:30", "2026-11-28T10:30:00Z"),
    // Zones
    ("2026-11-28 10:00:00 Europe/Berlin", "2026-11-28T09:00:00Z"),
    ("2026-07-28T10:00:00[Europe/Berlin]", "2026-07-28T08:00:00Z"),
    ("2026-11-28T10:00:00+01:00[Europe/Paris]", "2026-11-28T09:00:00Z"),
    ("2026-11-28 10:00 (UTC+1)", "2026-11-28T09:00:00Z"), ("2026-11-28 10:00 (CET)", "2026-11-28T09:00:00Z"),
    ("2026-11-28 10:00 UTC +2", "2026-11-28T08:00:00Z"),
    ("Sat Nov 28 2026 10:00:00 GMT+0100 (Central European Standard Time)", "2026-11-28T09:00:00Z"),
    ("Sat Nov 28 10:00:00 Europe/Berlin 2026", "2026-11-28T09:00:00Z"),
    ("28 Nov 2026 10:00 EST - live", "2026-11-28T15:00:00Z"),
    ("28 Nov 2026 10:00 (three comments)", "2026-11-28T10:00:00Z"),
    ("2026-11-28 10:00:00.123 +0100 CET m=+0.001", "2026-11-28T09:00:00.123Z"),
    // Half a day
    ("28 Nov 2026 10:30 p.m. (EST)", "2026-11-29T03:30:00Z"),
    ("28/11/2026 10:30 μ.μ.", "2026-11-28T22:30:00Z"),
    ("28/11/2026 10:30 πμ", "2026-11-28T10:30:00Z"), ("2026年11月28日 晚上10:30", "2026-11-28T22:30:00Z"),
    ("2026-11-28 13:30 AM", "2026-11-28T13:30:00Z"),
    ("Nov 28, 2026 12:30 a.m. UTC+1", "2026-11-27T23:30:00Z"),
    ("2026년 11월 28일 오후 3시 30분", "2026-11-28T06:30:00Z"),
    // Hours with other marks
    ("28 novembre 2026 à 10h30", "2026-11-28T10:30:00Z"), ("10h30, 28 novembre 2026", "2026-11-28T10:30:00Z"),
    ("28. November 2026, 10.30 Uhr", "2026-11-28T10:30:00Z"), ("28.11.2026 10.30", "2026-11-28T10:30:00Z"),
    ("2026年11月28日10時30分", "2026-11-28T10:30:00Z"), ("28 nov. 2026 14 h", "2026-11-28T14:00:00Z"),
    ("Saturday, 28 November 2026 - 10:30 Uhr", "2026-11-28T10:30:00Z"),
    ("10.30 Uhr, 28. November 2026", "2026-11-28T00:00:00Z"),
    ("10.45 Uhr, 28. November 2026", "2026-11-28T00:00:00Z"),
    // The order of the parts
    ("2026 November 28, Saturday", "2026-11-28T00:00:00Z"), ("2026, 28 Nov", "2026-11-28T00:00:00Z"),
    ("Saturday the 28th of November, 2026", "2026-11-28T00:00:00Z"), ("28 Nov 99", "1999-11-28T00:00:00Z"),
    ("28 Nov 70", "1970-11-28T00:00:00Z"), ("28Nov2026", "2026-11-28T00:00:00Z"),
    ("Nov 28, 2026 3 comments", "2026-11-28T00:00:00Z"), ("Nov. 2026", "2026-11-01T00:00:00Z"),
    // Months
    ("28 noiembrie 2026", "2026-11-28T00:00:00Z"), ("28. července 2026", "2026-07-28T00:00:00Z"),
    ("28. června 2026", "2026-06-28T00:00:00Z"), ("28. lipnja 2026", "2026-06-28T00:00:00Z"),
    ("28. srpnja 2026", "2026-07-28T00:00:00Z"), ("28 lipca 2026", "2026-07-28T00:00:00Z"),
    ("28 ноември 2026", "2026-11-28T00:00:00Z"), ("28 Agustus 2026", "2026-08-28T00:00:00Z"),
    ("28 tháng 11, 2026", "2026-11-28T00:00:00Z"),
    // Unix time
    ("1795861800.25", "2026-11-28T10:30:00.250Z"), ("1795861800250", "2026-11-28T10:30:00.250Z"),
    ("202611281030", "2026-11-28T10:30:00Z"),
  ])
  func feedsHaveMoreSpellings(text: String, expected: String) {
    #expect(WrittenDate(text, .feed)?.instant.map { ISOInstant.text($0) } == expected)
  }

  @Test(arguments: [
    // Two readings, of which neither is likelier
    "2026112810", "28 Nov 10.30", "28 Nov 26 3 comments", "2 hours, 5 minutes and 30 seconds ago",
    "version 2.10.3", "3 days ago",
    // Other calendars
    "١٤٠٥/٠٩/٠٧", "๒๘/๑๑/๒๕๖๙", "令和元年5月1日",
    // No day
    "Nov 28", "Nov 26", "November 10:30", "November 2026 10:30", "KW 48 2026", "2026-Q4",
    "28 Nov 2026 10:00 -9999", "0 Nov 2026", "32/11/2026",
  ])
  func aTextThatMayMeanSeveralDatesIsNone(text: String) {
    #expect(WrittenDate(text, .feed) == nil)
  }

  @Test(arguments: [
    ("2026-11-28T10:30:00+01:00", ["instant", "calendar", "delivery", "http", "feed"]),
    ("2026-11-28", ["instant", "calendar", "delivery", "http", "feed"]),
    ("20261128T1030", ["calendar", "delivery", "feed"]),
    ("20261128T103000Z", ["calendar", "delivery", "feed"]),
    ("1795861800", ["delivery", "feed"]), ("1795861800000", ["delivery", "feed"]),
    ("2026-11-28 10:30:00 CET", ["delivery", "http", "feed"]),
    ("Sat, 28 Nov 2026 10:30:00 GMT", ["delivery", "http", "feed"]),
    ("2026/11/28 10:30", ["delivery", "http", "feed"]), ("2026", ["feed"]), ("2026-11", ["feed"]),
    ("2026-W48-6", ["feed"]), ("2026-332", ["feed"]), ("20261128103000", ["feed"]),
    ("٢٠٢٦-١١-٢٨", ["feed"]), ("2026-06-31", ["feed"]), ("2026-11-28T24:00:00Z", ["feed"]),
    ("2026-11-28T10:30:00+5", ["delivery", "http", "feed"]),
    ("2026-11-28T10:30:00+01:00x", ["delivery", "http", "feed"]),
    ("2026-13-01", []), ("2026-11-28T10:30:00+99:00", []), ("", []), ("-", []),
  ])
  func eachFormHasItsSpellings(text: String, expected: [String]) {
    #expect(Self.forms.filter { WrittenDate(text, $0.0) != nil }.map(\.1) == expected)
  }

  @Test func aTimeOfDayAndAnOffsetAreKnownOnlyIfTheyAreWritten() throws {
    let day = try #require(WrittenDate("20261128", .calendar))
    #expect(!day.hasClock && day.offset == nil && day.secondOfDay == 0)
    let local = try #require(WrittenDate("20261128T0000", .calendar))
    #expect(local.hasClock && local.offset == nil && local.secondOfDay == 0)
    let zoned = try #require(WrittenDate("2026-11-28T23:59:60-0130", .calendar))
    #expect(zoned.hasClock && zoned.offset == -5400 && zoned.secondOfDay == 86_399)
  }
}
