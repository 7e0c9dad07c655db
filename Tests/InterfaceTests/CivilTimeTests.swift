import Foundation
import Screen
import Testing
import Translations

@testable import Interface

struct CivilTimeTests {
  @Test(arguments: ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Berlin"])
  func itAgreesWithTheCalendar(zone name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      // From 1900 to 2150, where both count by the Gregorian calendar.
      let date = Date(
        timeIntervalSince1970: Double.random(in: -2.2e9...5.68e9, using: &random).rounded(.down))
      let expected = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
      let time = CivilTime(date, in: zone)
      #expect(time.year == expected.year && time.month == expected.month && time.day == expected.day)
      #expect(time.hour == expected.hour && time.minute == expected.minute && time.second == expected.second)
      // Foundation's weekday 1 is Sunday.
      #expect(time.weekday % 7 + 1 == expected.weekday)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func noDateIsTooFar(seconds: Double) {
    let time = CivilTime(Date(timeIntervalSince1970: seconds), in: Stage.utc)
    #expect((1...9999).contains(time.year))
  }

  @Test(arguments: [
    (0, "14:00"), (50399, "00:00"), (50401, "Thu"), (-1, "14:00"), (561_600, "Sat"), (604_800, "13 Nov"),
    (27_907_200, "1 Jan"), (27_993_600, "2025"), (-86400, "21 Nov"),
  ])
  func aListShowsTheTimeThatMatters(age: Int, shown: String) {
    let now = ModelStore.start
    let time = CivilTime(now - Double(age), in: Stage.utc)
    #expect(Words.english.listTime(time, today: CivilTime(now, in: Stage.utc)).text == shown)
  }

  @Test func theListsColumnFitsEveryDate() {
    let words = Words.english
    for day in stride(from: 0.0, to: 400, by: 1) {
      let time = CivilTime(ModelStore.start - day * 86400, in: Stage.utc)
      let shown = words.listTime(time, today: CivilTime(ModelStore.start, in: Stage.utc))
      #expect(shown.columns <= words.timeColumns)
    }
  }
}
