package import Basics
package import Foundation

/// Parses the times that users type for a reminder or a snooze: `2h30m`, `in two hours`, `this evening`, `tomorrow 9`,
/// `fri 5pm`, `weekend`, `2 months`, `24 dec`, `2026-12-24 18:00`.
package enum SnoozeTime {
  /// The morning, in seconds since midnight. It is also the default if the user types only a day.
  package static let morning = 8 * 3600
  /// The evening, in seconds since midnight.
  package static let evening = 18 * 3600

  /// The maximum duration from now, in seconds: ten years.
  private static let longest: TimeInterval = 10 * 366 * 86400
  /// Words that are ignored.
  private static let fillers: Set<String> = [
    "in", "on", "the", "for", "and", "from", "now", "of", "o'clock",
  ]

  /// Parses an instant, which is always later than `now`, or returns `nil` if the text isn't a time.
  package static func parse(_ text: String, now: Date, zone: ZoneClock) -> Date? {
    let words = words(of: text)
    guard !words.isEmpty, words.count <= 12 else { return nil }
    let clock = zone
    let today = clock.wall(at: now)
    if let elapsed = elapsed(words) {
      // Days are those of the calendar: the wall time is kept when clocks change.
      let day = today.date.adding(months: elapsed.months).dayNumber + elapsed.days
      let later = WallTime(dayNumber: day, second: today.second)
      let whole = TimeInterval(clock.seconds(of: later) - clock.seconds(of: today))
      return now.addingTimeInterval((day == today.dayNumber ? 0 : whole) + elapsed.seconds)
    }
    guard let moment = Moment(words, today: today.date) else { return nil }
    let time = moment.time ?? morning
    /// Returns a later time in the current part of the day, since its usual time has passed: in an hour, but
    /// at the latest a minute before `end`. Returns `nil` if that has passed too.
    func laterToday(before end: Int) -> Date? {
      let soon = now.addingTimeInterval(3600)
      let limit = Date(
        timeIntervalSince1970: TimeInterval(
          clock.seconds(of: WallTime(dayNumber: today.dayNumber, second: end - 60))))
      return limit > now ? min(soon, limit) : nil
    }

    func instant(_ day: Int) -> Date {
      Date(timeIntervalSince1970: TimeInterval(clock.seconds(of: WallTime(dayNumber: day, second: time))))
    }
    /// Returns `time` on the first of these days on which that is in the future, or `nil` if there is none.
    func next(_ days: Int...) -> Date? { days.lazy.map(instant).first { $0 > now } }

    switch moment.day {
    case nil: return next(today.dayNumber, today.dayNumber + 1)
    case .thisPart(let end):
      return next(today.dayNumber) ?? (moment.isTimeGiven ? nil : laterToday(before: end))
    case .thisWeekend:
      let saturday = today.dayNumber + (6 - today.weekday)
      return next(saturday, saturday + 1) ?? (moment.isTimeGiven ? nil : laterToday(before: 86_400))
    case .after(let days): return next(today.dayNumber + days)
    case .weekday(let weekday):
      // Today's weekday means the same day next week if the time has passed.
      let day = today.dayNumber + (weekday - today.weekday + 7) % 7
      return next(day, day + 7)
    case .date(let date): return next(date.dayNumber)
    case .dayOfYear(let month, let day):
      let years = [today.date.year, today.date.year + 1]
      return years.lazy.compactMap { CivilDate(checking: $0, month, day) }.compactMap { next($0.dayNumber) }
        .first
    }
  }

  /// Returns the words in lower case, with numbers separated from letters after them, and without filler words.
  static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    for part in text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      var rest = part
      while !rest.isEmpty {
        let number = rest.prefix { $0.isASCII && ($0.isNumber || ":.-".contains($0)) }
        let word = number.isEmpty ? rest.prefix { !($0.isASCII && $0.isNumber) } : number
        words.append(word)
        rest = rest[word.endIndex...]
      }
    }
    return words.filter { !fillers.contains(String($0)) }
  }

  // MARK: - A duration from now

  /// Parses a duration like `2h30m`, `90 min`, `two hours`, `half an hour`, `1.5 days`, `week`, `2 months`.
  private static func elapsed(
    _ words: [Substring]
  ) -> (months: Int, days: Int, seconds: TimeInterval)? {
    var rest = words[...]
    var sum: TimeInterval = 0
    var days: TimeInterval = 0
    var months: Double = 0
    while !rest.isEmpty {
      var count: Double?
      while let word = rest.first, let number = quantity(word) {
        // This allows "half an hour", but not "2 3 hours".
        guard count == nil || number == 1 && word.first == "a" else { return nil }
        count = (count ?? 1) * number
        rest = rest.dropFirst()
      }
      guard let word = rest.popFirst(), let unit = SpanUnit(written: word) else { return nil }
      // A unit alone means one unit: `hour` is allowed, but not `2h m`.
      guard count != nil || words.count == 1 else { return nil }
      let number = count ?? 1
      switch unit {
      case .minutes: sum += number * 60
      case .hours: sum += number * 3600
      case .days, .weeks:
        let whole = unit == .days ? number : number * 7
        if whole == whole.rounded() { days += whole } else { sum += whole * 86_400 }
      case .months, .years:
        let whole = unit == .months ? number : number * 12
        // Half a month is not a valid span.
        guard whole == whole.rounded() else { return nil }
        months += whole
      }
    }
    let all = (months * 30.5 + days) * 86_400 + sum
    return all > 0 && all <= longest ? (Int(months), Int(days), sum) : nil
  }

  /// The words for the numbers from 1.
  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// Returns the number that a word means, for example 0.5 for "half".
  private static func quantity(_ word: Substring) -> Double? {
    switch word {
    case "a", "an": return 1
    case "half": return 0.5
    case "fifteen": return 15
    case "twenty": return 20
    case "thirty": return 30
    case _: break
    }
    if let index = numbers.firstIndex(of: String(word)) { return Double(index + 1) }
    guard word.allSatisfy({ $0.isNumber || $0 == "." }), let count = Double(word), count.isFinite else {
      return nil
    }
    return count
  }

  // MARK: - A day, a time of day, or both in either order

  /// A day as it was typed.
  private enum Day {
    /// The day this many days from today.
    case after(Int)
    /// Today, in the part of the day that ends at `end`, in seconds since midnight.
    case thisPart(end: Int)
    case thisWeekend
    /// A weekday, from 1 for Monday to 7 for Sunday.
    case weekday(Int)
    case date(CivilDate)
    /// A month, from 1 to 12, and its day, without a year.
    case dayOfYear(Int, Int)
  }

  /// A day and a time of day as they were typed; at least one of them is set.
  private struct Moment {
    var day: Day?
    /// The time in seconds since midnight.
    var time: Int?
    /// Whether the time was typed, instead of following from a part of the day.
    var isTimeGiven = false

    /// Parses all words. Returns `nil` if a word has no meaning or a part occurs twice.
    init?(_ words: [Substring], today: CivilDate) {
      var rest = words[...]
      // A number alone is an hour only next to a day or after "at".
      var hour: Int?
      var isAfterAt = false
      var partTime: Int?
      while !rest.isEmpty {
        if rest.first == "at" {
          isAfterAt = true
          rest = rest.dropFirst()
        } else if day == nil, let part = SnoozeTime.part(rest) {
          day = part.day
          partTime = part.time
          rest = rest.dropFirst(rest.first == "this" ? 2 : 1)
        } else if rest.first == "this" {
          rest = rest.dropFirst()
        } else if day == nil, let found = SnoozeTime.day(&rest, today) {
          day = found
        } else if time == nil, hour == nil, let found = SnoozeTime.time(&rest) {
          time = found
        } else if time == nil, hour == nil, let word = rest.first,
          let found = SnoozeTime.number(word, in: 0...23)
        {
          hour = found
          rest = rest.dropFirst()
        } else {
          return nil
        }
      }
      if let hour {
        guard day != nil || isAfterAt else { return nil }
        // "Tonight at 9" does not mean the morning.
        time = (partTime == SnoozeTime.evening && hour < 12 ? hour + 12 : hour) * 3600
      }
      isTimeGiven = time != nil
      time = time ?? partTime
      if day == nil && time == nil { return nil }
    }
  }

  /// Parses `tonight`, `this evening`, `this weekend` and the like, which mean the rest of today or the coming weekend.
  private static func part(_ words: ArraySlice<Substring>) -> (day: Day, time: Int?)? {
    let isThis = words.first == "this"
    switch isThis ? words.dropFirst().first : words.first {
    case "tonight" where !isThis: return (.thisPart(end: 86_400), evening)
    case "evening" where isThis: return (.thisPart(end: 86_400), evening)
    case "afternoon" where isThis: return (.thisPart(end: evening), 14 * 3600)
    case "morning" where isThis: return (.thisPart(end: 12 * 3600), morning)
    case "weekend" where isThis: return (.thisWeekend, nil)
    case _: return nil
    }
  }

  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]

  /// Parses and removes the words for a day at the front. Returns `nil` if there are none.
  private static func day(_ words: inout ArraySlice<Substring>, _ today: CivilDate) -> Day? {
    var rest = words
    let isNext = rest.first == "next"
    if isNext { rest = rest.dropFirst() }
    guard let word = rest.popFirst() else { return nil }
    var found: Day?
    switch word {
    case "today" where !isNext: found = .after(0)
    case "tomorrow" where !isNext: found = .after(1)
    case "weekend": found = .weekday(6)
    case "week" where isNext: found = .weekday(1)
    case "month" where isNext:
      found = .date(CivilDate(year: today.year, month: today.month, day: 1).adding(months: 1))
    case _:
      if let weekday = place(of: word, in: weekdays) {
        found = .weekday(weekday)
      } else if isNext {
        return nil
      } else if let date = CivilDate(written: word) {
        found = .date(date)
      } else if let (day, month) = dayAndMonth(word) {
        found = .dayOfYear(month, day)
      } else if let month = place(of: word, in: months), let next = rest.first,
        let day = number(next, in: 1...31)
      {
        rest = rest.dropFirst()
        found = .dayOfYear(month, day)
      } else if let day = number(word, in: 1...31), let next = rest.first,
        let month = place(of: next, in: months)
      {
        rest = rest.dropFirst()
        found = .dayOfYear(month, day)
      }
    }
    if found != nil { words = rest }
    return found
  }

  /// Parses and removes the words for a time of day at the front. Returns its seconds since midnight, or `nil` if there
  /// are none.
  static func time(_ words: inout ArraySlice<Substring>) -> Int? {
    guard let word = words.first else { return nil }
    switch word {
    case "morning": return take(1, of: &words, morning)
    case "noon": return take(1, of: &words, 12 * 3600)
    // Midnight is the end of the day.
    case "midnight": return take(1, of: &words, 86_400)
    case "afternoon": return take(1, of: &words, 14 * 3600)
    case "evening", "tonight": return take(1, of: &words, evening)
    case _: break
    }
    let parts = word.split(onBytes: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let hour = number(parts[0], in: 0...23) else { return nil }
    var minute = 0
    if parts.count == 2 {
      guard parts[1].count == 2, let said = number(parts[1], in: 0...59) else { return nil }
      minute = said
    }
    switch words.dropFirst().first {
    case "am", "pm":
      guard (1...12).contains(hour) else { return nil }
      let half = words[words.startIndex + 1] == "pm" ? 12 : 0
      return take(2, of: &words, (hour % 12 + half) * 3600 + minute * 60)
    case _:
      return parts.count == 2 ? take(1, of: &words, hour * 3600 + minute * 60) : nil
    }
  }

  /// Removes `count` words from the front, and returns `time`.
  private static func take(_ count: Int, of words: inout ArraySlice<Substring>, _ time: Int) -> Int {
    words = words.dropFirst(count)
    return time
  }

  /// Returns the position, from 1, of the name that the word means: the word is the whole name or at least
  /// its first three letters.
  static func place(of word: Substring, in names: [String]) -> Int? {
    guard word.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  /// Parses a number of one or two digits that is in the range.
  static func number(_ word: Substring, in range: ClosedRange<Int>) -> Int? {
    guard (1...2).contains(word.count), word.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(word),
      range.contains(number)
    else { return nil }
    return number
  }

  /// Parses a date without a year: `24.12.`.
  private static func dayAndMonth(_ word: Substring) -> (day: Int, month: Int)? {
    let parts = word.split(onBytes: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].isEmpty, let day = number(parts[0], in: 1...31),
      let month = number(parts[1], in: 1...12)
    else { return nil }
    return (day, month)
  }
}

extension CivilDate {
  /// Creates a date, or returns `nil` if the calendar has no such day.
  fileprivate init?(checking year: Int, _ month: Int, _ day: Int) {
    self.init(year: year, month: month, day: day)
    if !isInCalendar { return nil }
  }
}
