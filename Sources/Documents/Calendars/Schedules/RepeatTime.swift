/// A recurring time as users type it: `day 9:45`, `weekday 9:45`, `mon, thu 5pm`, `month 31 10:00`, `2 weeks`.
package struct RepeatTime: Hashable, Sendable {
  /// The days on which the time recurs.
  package enum Days: Hashable, Sendable {
    /// Weekdays, from 1 for Monday to 7 for Sunday; never empty.
    case weekdays(Set<Int>)
    /// A day of the month, from 1 to 31; in a shorter month its last day.
    case dayOfMonth(Int)
    /// The number of days between two times, for example 7 for weekly.
    case every(days: Int)
  }

  package var days: Days
  /// The time of day in seconds since midnight. If none is typed, it is the morning, as for snoozing.
  package var second: Int

  package init(_ days: Days, second: Int) {
    self.days = days
    self.second = second
  }

  /// Parses a recurring time. Returns `nil` if the text is not one, or contains a part twice.
  package init?(_ text: String) {
    var rest = SnoozeTime.words(of: text)[...]
    guard rest.count <= 16 else { return nil }
    var weekdays: Set<Int> = []
    var days: Days?
    var time: Int?
    var hour: Int?
    while let word = rest.first {
      if ["every", "each", "at"].contains(word) {
        rest = rest.dropFirst()
      } else if days == nil, let found = Self.weekdays(word) {
        weekdays.formUnion(found)
        rest = rest.dropFirst()
      } else if days == nil, weekdays.isEmpty, let found = Self.days(&rest) {
        days = found
      } else if time == nil, hour == nil, let found = SnoozeTime.time(&rest) {
        time = found
      } else if time == nil, hour == nil, let found = SnoozeTime.number(word, in: 0...23) {
        hour = found
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    guard let days = days ?? (weekdays.isEmpty ? nil : .weekdays(weekdays)) else { return nil }
    self.init(days, second: time ?? hour.map { $0 * 3600 } ?? SnoozeTime.morning)
  }

  /// Returns the weekdays that a word means, from 1 for Monday to 7 for Sunday.
  private static func weekdays(_ word: Substring) -> Set<Int>? {
    switch word {
    case "weekday", "weekdays", "workday", "workdays": return [1, 2, 3, 4, 5]
    case "weekend", "weekends": return [6, 7]
    case _:
      let name = word.last == "s" ? word.dropLast() : word
      let day =
        SnoozeTime.place(of: word, in: SnoozeTime.weekdays)
        ?? SnoozeTime.place(of: name, in: SnoozeTime.weekdays)
      return day.map { [$0] }
    }
  }

  /// Parses and removes the words for days at the front. Returns `nil` if there are none.
  private static func days(_ words: inout ArraySlice<Substring>) -> Days? {
    var rest = words
    guard let word = rest.popFirst() else { return nil }
    var found: Days?
    switch word {
    case "day", "daily": found = .every(days: 1)
    case "week", "weekly": found = .every(days: 7)
    case "month", "monthly":
      if let day = rest.first.flatMap({ SnoozeTime.number($0, in: 1...31) }) {
        rest = rest.dropFirst()
        if let suffix = rest.first, ["st", "nd", "rd", "th"].contains(suffix) { rest = rest.dropFirst() }
        found = .dayOfMonth(day)
      }
    case _:
      guard let count = SnoozeTime.number(word, in: 1...99) else { return nil }
      switch rest.popFirst() {
      case "day"?, "days"?: found = .every(days: count)
      case "week"?, "weeks"?: found = .every(days: 7 * count)
      case _: return nil
      }
    }
    if found != nil { words = rest }
    return found
  }

  /// The time as the user can type it again.
  package var text: String {
    let clock = "\(second / 3600):" + String("0\(second / 60 % 60)".suffix(2))
    switch days {
    case .every(1): return "day \(clock)"
    case .every(let days):
      return days % 7 == 0
        ? (days == 7 ? "week \(clock)" : "\(days / 7) weeks \(clock)") : "\(days) days \(clock)"
    case .dayOfMonth(let day): return "month \(day) \(clock)"
    case .weekdays([1, 2, 3, 4, 5]): return "weekday \(clock)"
    case .weekdays([6, 7]): return "weekend \(clock)"
    case .weekdays(let days):
      return days.sorted().map { SnoozeTime.weekdays[$0 - 1].prefix(3) }.joined(separator: ", ") + " \(clock)"
    }
  }
}
