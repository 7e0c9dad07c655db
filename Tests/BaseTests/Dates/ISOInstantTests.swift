import Basics
import Foundation
import Testing

struct ISOInstantTests {
  @Test(arguments: [
    ("2016-08-29T02:40:33+0530", 1_472_418_633, true), ("2016-08-29T02:40:33+05:30", 1_472_418_633, true),
    ("2016-08-28T21:10:33Z", 1_472_418_633, true), ("2016-08-28 21:10:33 +00", 1_472_418_633, true),
    ("2016-08-28t21:10:33.250z", 1_472_418_633.25, true), ("2016-08-28T21:10", 1_472_418_600, false),
    ("1970-01-01", 0, false), ("2024-02-29T00:00:00Z", 1_709_164_800, true),
    ("1969-12-31T23:59:59-00:00", -1, true),
    ("2016-12-31T23:59:60Z", 1_483_228_800, true), ("2000-03-01T00:00:00,5Z", 951_868_800.5, true),
    ("2026-11-20T09:00:00+05:30", 1_795_145_400, true), ("1600-02-29T00:00:00Z", -11_670_998_400, true),
    ("9999-12-31T23:59:59Z", 253_402_300_799, true),
  ])
  func instantsAreRead(text: String, seconds: Double, hasOffset: Bool) throws {
    let reading = try #require(ISOInstant.read(text))
    #expect(abs(reading.date.timeIntervalSince1970 - seconds) < 1e-6)
    #expect(reading.hasOffset == hasOffset)
  }

  @Test(arguments: [
    "", "2016", "2016-8-29T02:40:33Z", "2023-02-29T00:00:00Z", "2016-08-29T24:00:00Z", "2016-08-29T02:60:00Z",
    "2016-08-29T02:40:33+5", "2016-08-29T02:40:33+05:3", "2016-08-29T02:40:33+24:00", "2016-08-29T02:40:33Zx",
    "2016-13-01", "2016-00-10", "2016-01-00", "20160829T024033Z", "2016-08-29T02:40:33.Z", "tomorrow",
    "2026-02-30T09:00:00Z", "26-11-20T09:00:00Z", "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
  ])
  func anythingElseIsNot(text: String) { #expect(ISOInstant.read(text) == nil) }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_472_418_633, "2016-08-28T21:10:33Z"), (-1, "1969-12-31T23:59:59Z"),
    (1_472_418_633.25, "2016-08-28T21:10:33.250Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (4_107_542_400, "2100-03-01T00:00:00Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
  ])
  func instantsAreWritten(seconds: Double, text: String) {
    #expect(ISOInstant.text(Date(timeIntervalSince1970: seconds)) == text)
    #expect(ISOInstant.parse(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    (Double.infinity, "9999-12-31T23:59:59.999Z"), (-.infinity, "0000-01-01T00:00:00Z"),
    (253_402_300_800, "9999-12-31T23:59:59.999Z"), (.nan, "1970-01-01T00:00:00Z"),
  ])
  func whatFourDigitsCannotWriteIsTheNearestThatTheyCan(seconds: Double, text: String) {
    #expect(ISOInstant.text(Date(timeIntervalSince1970: seconds)) == text)
  }
}
