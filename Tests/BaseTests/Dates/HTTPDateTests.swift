import Basics
import Foundation
import Testing

struct HTTPDateTests {
  /// 1994-11-06T08:49:37Z, the date of RFC 9110.
  private static let date = Date(timeIntervalSince1970: 784_111_777)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "sun, 6 nov 1994 08:49:37 gmt",
  ])
  func theThreeSpellingsOfADateAreRead(text: String) {
    #expect(HTTPDate.parse(text, now: Self.date) == Self.date)
  }

  @Test(arguments: [
    "", "never", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 0 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov -1 08:49:37 GMT", "١٢, ٠٦ Nov ١٩٩٤ 08:49:37 GMT", ", , , , , , ,",
  ])
  func otherTextsAreNotDates(text: String) {
    #expect(HTTPDate.parse(text, now: Self.date) == nil)
  }

  @Test(arguments: [("26", 2026), ("76", 2076), ("77", 1977), ("94", 1994), ("00", 2000)])
  func aYearOfTwoDigitsIsAtMostFiftyAhead(digits: String, year: Int) {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    let date = HTTPDate.parse("Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now)
    #expect(date.map { WallTime($0, in: .gmt).date.year } == year)
  }

  @Test(arguments: [
    (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-5, "Thu, 01 Jan 1970 00:00:00 GMT"), (1e30, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (1_772_323_200, "Sun, 01 Mar 2026 00:00:00 GMT"),
  ])
  func aDateIsWritten(seconds: Double, text: String) {
    #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
  }
}
