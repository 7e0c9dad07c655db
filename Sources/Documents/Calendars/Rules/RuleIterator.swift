import Basics

/// Iterates over the wall times of a rule within a span, in order and without duplicates.
///
/// It goes from period to period (years for a yearly rule), and checks each day of a period. Without COUNT it begins
/// near the span; with COUNT it counts from the start.
struct RuleIterator {
  private let rule: RecurrenceRule
  private let days: RuleDays
  private let start: WallTime
  /// The earliest time to return.
  private let from: WallTime
  private let last: WallTime
  private let steps: ExpansionBudget
  /// The times of a day in seconds since midnight, in order. For a rule by hours or minutes: the times within an hour
  /// or minute.
  private let times: [Int]
  /// The number of the next period, counted from the one that contains the start.
  private var period: Int
  /// The times of the current period, in order.
  private var found: [WallTime] = []
  /// The position of the next time in `found`.
  private var place = 0
  /// The number of times that the rule has had so far, to compare with COUNT.
  private var counted = 0
  private var isOver = false

  /// Creates an iterator over the times of a rule from `from` to `through`.
  ///
  /// - Parameters:
  ///   - until: the last time of the rule according to its UNTIL, as a wall time in the zone of the start.
  ///   - through: the last requested time.
  init(
    _ rule: RecurrenceRule, start: WallTime, until: WallTime?, from: WallTime, through: WallTime,
    steps: ExpansionBudget
  ) {
    self.rule = rule
    self.start = start
    self.from = max(from, start)
    self.steps = steps
    days = RuleDays(rule, start: start)
    last = min(until ?? Self.end, through, Self.end)
    times = Self.times(rule, start, steps)
    period = 0
    if rule.count == nil || rule.isPlain, from > start {
      period = number(of: from)
      if let count = rule.count {
        // Months without a 31st are skipped.
        if rule.frequency >= .monthly, start.date.day > 28 {
          period = 0
        } else {
          counted = min(period, count)
        }
      }
    }
  }

  /// The last time that the calendar supports.
  private static let end = WallTime(year: 9999, month: 12, day: 30, hour: 23, minute: 59)

  /// Returns the next time, or `nil` at the end of the rule or the span, or if the steps are used up.
  mutating func next() -> WallTime? {
    while !isOver {
      while place < found.count {
        let wall = found[place]
        place += 1
        guard wall >= start else { continue }
        if wall > last || rule.count.map({ counted >= $0 }) ?? false {
          isOver = true
          return nil
        }
        counted += 1
        if wall >= from { return wall }
      }
      fill()
    }
    return nil
  }

  /// Computes the times of the next period.
  private mutating func fill() {
    found.removeAll(keepingCapacity: true)
    place = 0
    guard steps.spend(), !(rule.count.map { counted >= $0 } ?? false) else {
      isOver = true
      return
    }
    if rule.frequency < .daily { return fillShort() }
    let range = range(of: period)
    guard WallTime(dayNumber: range.lowerBound, second: 0) <= last else {
      isOver = true
      return
    }
    period += 1
    let looked = daysToLookAt(in: range)
    guard steps.spend(looked.count) else {
      isOver = true
      return
    }
    let (chosen, times) = (looked.filter(days.contains), times)
    append(chosen.count * times.count) {
      WallTime(dayNumber: chosen[$0 / times.count], second: times[$0 % times.count])
    }
  }

  /// Returns the days of a period that the rule may match. For a yearly rule with months, these are only the
  /// days of the months, since birthdays are frequent.
  private func daysToLookAt(in range: Range<Int>) -> [Int] {
    guard rule.frequency == .yearly, !days.months.isEmpty else { return Array(range) }
    let year = CivilDate(dayNumber: range.lowerBound).year
    return days.months.flatMap { month in
      let first = CivilDate(year: year, month: month, day: 1).dayNumber
      return first..<first + CivilDate.length(ofMonth: month, year: year)
    }
  }

  /// Computes the times of the next period of a rule by hours, minutes or seconds.
  private mutating func fillShort() {
    let unit = unit * rule.interval
    let base = start.secondsAtUTC - start.secondsAtUTC % self.unit
    let (offset, isTooLarge) = period.multipliedReportingOverflow(by: unit)
    guard !isTooLarge, offset < 400_000_000_000, WallTime(seconds: base + offset) <= last else {
      isOver = true
      return
    }
    let wall = WallTime(seconds: base + offset)
    /// Skips to the first period that begins at this time or later.
    func skip(to seconds: Int) { period = max(period + 1, (seconds - base + unit - 1) / unit) }
    if !days.contains(wall.dayNumber) {
      skip(to: (wall.dayNumber + 1) * 86_400)
    } else if !rule.hours.isEmpty, !rule.hours.contains(wall.hour) {
      skip(to: wall.dayNumber * 86_400 + (wall.hour + 1) * 3600)
    } else if rule.frequency <= .minutely, !rule.minutes.isEmpty,
      !rule.minutes.contains(wall.second / 60 % 60)
    {
      skip(to: wall.dayNumber * 86_400 + (wall.second / 60 + 1) * 60)
    } else {
      period += 1
      if rule.frequency == .secondly, !rule.seconds.isEmpty, !rule.seconds.contains(wall.second % 60) {
        return
      }
      append(times.count) { [times] in WallTime(dayNumber: wall.dayNumber, second: wall.second + times[$0]) }
    }
  }

  /// Sets `found` to the times of a period, or to those that BYSETPOS selects.
  ///
  /// - Parameters:
  ///   - count: the number of times in the period.
  ///   - time: returns the time with a number, counted from 0.
  private mutating func append(_ count: Int, _ time: (Int) -> WallTime) {
    guard steps.spend(rule.positions.isEmpty ? count : rule.positions.count) else {
      isOver = true
      return
    }
    guard !rule.positions.isEmpty else {
      found = (0..<count).map(time)
      return
    }
    let places = rule.positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { (0..<count).contains($0) }
    found = Set(places).sorted().map(time)
  }

  // MARK: Periods

  /// The length of the periods of an hourly, minutely or secondly rule, in seconds.
  private var unit: Int {
    switch rule.frequency {
    case .hourly: 3600
    case .minutely: 60
    case .secondly, .daily, .weekly, .monthly, .yearly: 1
    }
  }

  /// Returns the days of a period, in days since 1970-01-01.
  private func range(of period: Int) -> Range<Int> {
    let (offset, isTooLarge) = period.multipliedReportingOverflow(by: rule.interval)
    guard !isTooLarge, offset < 4_000_000 else { return Self.end.dayNumber + 1..<Self.end.dayNumber + 1 }
    let date = start.date
    switch rule.frequency {
    case .yearly:
      return CivilDate(year: date.year + offset, month: 1, day: 1)
        .dayNumber..<CivilDate(year: date.year + offset + 1, month: 1, day: 1).dayNumber
    case .monthly:
      let first = CivilDate(year: date.year, month: date.month, day: 1).adding(months: offset)
      return first.dayNumber..<first.adding(months: 1).dayNumber
    case .weekly:
      let first = RuleDays.weekStart(start.dayNumber, rule.weekStart) + offset * 7
      return first..<first + 7
    case .daily, .hourly, .minutely, .secondly:
      return start.dayNumber + offset..<start.dayNumber + offset + 1
    }
  }

  /// Returns the number of the last period that begins at or before a wall time.
  private func number(of wall: WallTime) -> Int {
    let (a, b) = (start.date, wall.date)
    let periods =
      switch rule.frequency {
      case .yearly: b.year - a.year
      case .monthly: (b.year - a.year) * 12 + b.month - a.month
      case .weekly: (wall.dayNumber - RuleDays.weekStart(start.dayNumber, rule.weekStart)) / 7
      case .daily: wall.dayNumber - start.dayNumber
      case .hourly, .minutely, .secondly: (wall.secondsAtUTC - start.secondsAtUTC) / unit
      }
    return periods / rule.interval
  }

  /// Returns the value of `times` for a rule.
  private static func times(_ rule: RecurrenceRule, _ start: WallTime, _ steps: ExpansionBudget) -> [Int] {
    let isShort = rule.frequency < .daily
    func parts(_ given: [Int], _ own: Int, from frequency: RecurrenceRule.Frequency) -> [Int] {
      rule.frequency <= frequency ? [0] : given.isEmpty ? [own] : given
    }
    let hours = isShort ? [0] : parts(rule.hours, start.hour, from: .hourly)
    let minutes = parts(rule.minutes, start.second / 60 % 60, from: .minutely)
    let seconds = parts(rule.seconds, start.second % 60, from: .secondly)
    guard steps.spend(hours.count * minutes.count * seconds.count) else { return [] }
    return hours.flatMap { hour in
      minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
    }
  }
}
