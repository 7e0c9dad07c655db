import Testing

@testable import Basics

struct CivilDateTests {
  @Test(arguments: [-1_000_000, -1, 0, 1, 59, 60, 719_468, 20_000, 2_932_896])
  func aDayNumberConvertsBack(day: Int) {
    let date = CivilDate(dayNumber: day)
    #expect(date.dayNumber == day)
    #expect(date.isInCalendar)
  }

  @Test func daysCountLikeTheCalendar() {
    for days in stride(from: -200_000, through: 200_000, by: 37) {
      let date = CivilDate(dayNumber: days)
      #expect(date.dayNumber == days)
      #expect(date.isInCalendar)
    }
  }

  @Test(arguments: [
    (2024, 2, 29, true), (2023, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true),
    (2026, 4, 31, false),
    (2026, 13, 1, false), (2026, 0, 1, false), (2026, 1, 0, false), (2026, 12, 31, true),
  ])
  func theCalendarHasSomeDays(year: Int, month: Int, day: Int, isInCalendar: Bool) {
    #expect(CivilDate(year: year, month: month, day: day).isInCalendar == isInCalendar)
  }

  @Test func aDayThatRunsOverItsMonthIsOneOfTheNext() {
    let over = CivilDate(year: 2003, month: 6, day: 31)
    #expect(CivilDate(dayNumber: over.dayNumber) == CivilDate(year: 2003, month: 7, day: 1))
  }

  @Test(arguments: [
    (CivilDate(year: 2026, month: 11, day: 5), "2026-11-05"),
    (CivilDate(year: 33, month: 4, day: 3), "0033-04-03"),
    (CivilDate(year: 12_026, month: 1, day: 1), "12026-01-01"),
    (CivilDate(year: -1, month: 1, day: 1), "-0001-01-01"),
  ])
  func aDayIsWritten(date: CivilDate, text: String) { #expect(date.text == text) }
}
