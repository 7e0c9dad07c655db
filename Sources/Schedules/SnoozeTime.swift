import Dates
package import Foundation

/// Times as people type them to be reminded: `2h`, `this evening`, `tomorrow`, `fri 9:00`, `2026-12-24 18:00`.
package enum SnoozeTime {
  /// Where no time of day is said, it is the morning.
  package static let morning = 8 * 3600
  package static let evening = 18 * 3600

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The instant that a text means, always later than now; nil where it means none.
  package static func parse(_ text: String, now: Date, zone: TimeZone) -> Date? {
    let words = text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," }).map(String.init)
      .filter { !["at", "in", "on", "this", "next"].contains($0) }
    guard !words.isEmpty, words.count <= 2 else { return nil }
    if let seconds = elapsed(words) { return now.addingTimeInterval(seconds) }

    let clock = ZoneClock(zone)
    let today = clock.wall(at: now)
    let timeWord = words.count == 2 ? words[1] : words[0]
    let time = timeOfDay(timeWord)
    if words.count == 2 && time == nil { return nil }

    func instant(_ day: Int, _ second: Int) -> Date {
      Date(timeIntervalSince1970: TimeInterval(clock.seconds(of: WallTime(dayNumber: day, second: second))))
    }
    /// The first of the days, in steps, on which the time lies ahead.
    func ahead(_ day: Int, _ second: Int, step: Int) -> Date {
      let first = instant(day, second)
      return first > now ? first : instant(day + step, second)
    }

    switch words[0] {
    case "tomorrow": return instant(today.dayNumber + 1, time ?? morning)
    case "today": return time.map { instant(today.dayNumber, $0) }.flatMap { $0 > now ? $0 : nil }
    case _: break
    }
    if let weekday = weekdays.firstIndex(where: { words[0].count >= 3 && $0.hasPrefix(words[0]) }) {
      // The day's own name means the same day a week on, once its time has passed.
      let distance = (weekday + 1 - today.weekday + 7) % 7
      return ahead(today.dayNumber + distance, time ?? morning, step: 7)
    }
    if let date = date(words[0]) {
      let moment = instant(date.dayNumber, time ?? morning)
      return moment > now ? moment : nil
    }
    guard words.count == 1, let time else { return nil }
    return ahead(today.dayNumber, time, step: 1)
  }

  /// `2h`, `90 min`, `1 week`.
  private static func elapsed(_ words: [String]) -> TimeInterval? {
    let joined = words.joined()
    let digits = joined.prefix { $0.isASCII && $0.isNumber }
    let factor: Double? =
      switch joined.dropFirst(digits.count) {
      case "m", "min", "mins", "minute", "minutes": 60
      case "h", "hour", "hours": 3600
      case "d", "day", "days": 86400
      case "w", "week", "weeks": 604_800
      case _: nil
      }
    if digits.isEmpty { return joined == "hour" ? 3600 : nil }
    guard let factor, let count = Double(digits), count > 0, count * factor <= 10 * 366 * 86400 else {
      return nil
    }
    return count * factor
  }

  private static func timeOfDay(_ word: String) -> Int? {
    switch word {
    case "morning": return morning
    case "noon": return 12 * 3600
    case "afternoon": return 14 * 3600
    case "evening", "tonight": return evening
    case _: break
    }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 2, (1...2).contains(parts[0].count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 3600 + minute * 60
  }

  private static func date(_ word: String) -> CivilDate? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1970...9999).contains(year)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.isInCalendar ? date : nil
  }
}
