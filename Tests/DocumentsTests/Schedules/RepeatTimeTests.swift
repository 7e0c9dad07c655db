import Testing

@testable import Calendars

struct RepeatTimeTests {
  @Test(arguments: [
    ("day 9:45", "day 9:45"), ("daily at 9", "day 9:00"), ("every day", "day 8:00"),
    ("weekday 9:45", "weekday 9:45"),
    ("weekdays 5pm", "weekday 17:00"), ("mon, tue, wed, thu and fri 7:05", "weekday 7:05"),
    ("weekend noon", "weekend 12:00"), ("Mon, Thu 5pm", "mon, thu 17:00"), ("Mondays", "mon 8:00"),
    ("9:00 on sunday", "sun 9:00"), ("month 31 10:00", "month 31 10:00"), ("month 1st at 9", "month 1 9:00"),
    ("2 days 9", "2 days 9:00"), ("2 weeks 9:00", "2 weeks 9:00"), ("14 days 0:00", "2 weeks 0:00"),
    ("week evening", "week 18:00"), ("weekend mon 9:00", "mon, sat, sun 9:00"),
  ])
  func aRepeatedTimeIsReadAndWritten(text: String, written: String) throws {
    let repetition = try #require(RepeatTime(text))
    #expect(repetition.text == written)
    #expect(RepeatTime(written) == repetition)
  }

  @Test(arguments: [
    "", "9:45", "at 9", "weekday 9:45 10:45", "weekday 24:00", "month", "month 32", "0 days", "2 months",
    "hour",
    "day weekday", "day 2 weeks", "someday", "weekday 9 45", "mon 9:00 x", "tomorrow 9", "2026-12-24",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
  ])
  func whatIsNotOneIsNil(text: String) {
    #expect(RepeatTime(text) == nil)
  }
}
