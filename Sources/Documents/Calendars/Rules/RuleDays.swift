import Basics

/// The days that match the BY parts of a rule, whatever its interval.
struct RuleDays {
  /// The months in order; empty means all.
  let months: [Int]
  private let weeks: [Int]
  private let yearDays: [Int]
  private let monthDays: [Int]
  private let weekdays: [RecurrenceRule.Weekday]
  private let weekStart: Int
  /// Whether an ordinal counts within the month; otherwise it counts within the year.
  private let countsInMonth: Bool

  /// Creates the days of a rule.
  ///
  /// - Parameter start: completes a rule without days: for example, a yearly rule then uses the day of the start.
  init(_ rule: RecurrenceRule, start: WallTime) {
    let hasDays =
      !rule.weeks.isEmpty || !rule.yearDays.isEmpty || !rule.monthDays.isEmpty || !rule.weekdays.isEmpty
    let date = start.date
    var months = rule.months
    var monthDays = rule.monthDays
    var weekdays = rule.weekdays
    if !hasDays {
      switch rule.frequency {
      case .yearly:
        if months.isEmpty { months = [date.month] }
        monthDays = [date.day]
      case .monthly: monthDays = [date.day]
      case .weekly: weekdays = [.init(day: start.weekday, ordinal: 0)]
      case .daily, .hourly, .minutely, .secondly: break
      }
    }
    self.months = months
    self.monthDays = monthDays
    self.weekdays = weekdays
    weeks = rule.weeks
    yearDays = rule.yearDays
    weekStart = rule.weekStart
    countsInMonth = rule.frequency == .monthly || !rule.months.isEmpty
  }

  /// Whether the rule matches a day, which is given in days since 1970-01-01.
  func contains(_ day: Int) -> Bool {
    let date = CivilDate(dayNumber: day)
    if !months.isEmpty, !months.contains(date.month) { return false }
    if !monthDays.isEmpty {
      let length = CivilDate.length(ofMonth: date.month, year: date.year)
      guard monthDays.contains(where: { $0 == date.day || $0 == date.day - length - 1 }) else { return false }
    }
    if !weekdays.isEmpty, !weekdays.contains(where: { isOn($0, day, date) }) { return false }
    if !yearDays.isEmpty {
      let first = CivilDate(year: date.year, month: 1, day: 1).dayNumber
      let length = CivilDate(year: date.year + 1, month: 1, day: 1).dayNumber - first
      let number = day - first + 1
      guard yearDays.contains(where: { $0 == number || $0 == number - length - 1 }) else { return false }
    }
    if !weeks.isEmpty {
      let week = week(of: day, date.year)
      guard weeks.contains(where: { $0 == week.number || $0 == week.number - week.count - 1 }) else {
        return false
      }
    }
    return true
  }

  /// Whether a day is the wanted weekday, and has the wanted ordinal in its month or year.
  private func isOn(_ wanted: RecurrenceRule.Weekday, _ day: Int, _ date: CivilDate) -> Bool {
    guard WallTime(dayNumber: day, second: 0).weekday == wanted.day else { return false }
    guard wanted.ordinal != 0 else { return true }
    let first = CivilDate(year: date.year, month: countsInMonth ? date.month : 1, day: 1).dayNumber
    let end =
      countsInMonth
      ? first + CivilDate.length(ofMonth: date.month, year: date.year)
      : CivilDate(year: date.year + 1, month: 1, day: 1).dayNumber
    return wanted.ordinal > 0
      ? (day - first) / 7 + 1 == wanted.ordinal : -((end - 1 - day) / 7 + 1) == wanted.ordinal
  }

  /// Returns the number of a day's week, and the number of weeks in the year of that week.
  ///
  /// The weeks are those of ISO 8601, except that they may start on another day: the first week of a year has at least
  /// four of its days.
  private func week(of day: Int, _ year: Int) -> (number: Int, count: Int) {
    var year = year
    if day < firstWeek(year) { year -= 1 } else if day >= firstWeek(year + 1) { year += 1 }
    let first = firstWeek(year)
    return ((day - first) / 7 + 1, (firstWeek(year + 1) - first) / 7)
  }

  /// Returns the first day of a year's first week, in days since 1970-01-01.
  private func firstWeek(_ year: Int) -> Int {
    let fourth = CivilDate(year: year, month: 1, day: 4).dayNumber
    return Self.weekStart(fourth, weekStart)
  }

  /// Returns the first day of the week that contains a day.
  ///
  /// - Parameter weekStart: the first day of weeks, from 1 for Monday to 7 for Sunday.
  static func weekStart(_ day: Int, _ weekStart: Int) -> Int {
    day - (WallTime(dayNumber: day, second: 0).weekday - weekStart + 7) % 7
  }
}
