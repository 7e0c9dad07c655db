import Basics
package import Calendars
package import Formats

extension Recurrence {
  /// Creates the recurrence of an entry of a schedule file.
  package init(_ schedule: WallSchedule) {
    let start: Start =
      switch schedule.start {
      case .day(let day, let time):
        .at(WallTime(year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute))
      case .weekdays(let weekdays, let time): .weekdays(weekdays, second: time.second)
      case .dayOfMonth(let day, let time): .dayOfMonth(day, second: time.second)
      case .time(let time): .timeOfDay(second: time.second)
      }
    let end: End =
      switch schedule.end {
      case .never: .never
      case .count(let count): .count(count)
      case .through(let day): .through(day)
      case .before(let interval):
        switch interval.unit {
        case .month: .before(months: interval.count, days: 0)
        case .quarter: .before(months: interval.count * 3, days: 0)
        case .year: .before(months: interval.count * 12, days: 0)
        case .week: .before(months: 0, days: interval.count * 7)
        case .second, .minute, .hour, .day: .before(months: 0, days: interval.count)
        }
      }
    self.init(start: start, step: schedule.interval.map(Step.init) ?? .once, end: end)
  }
}

extension Recurrence.Step {
  init(_ interval: WallSchedule.Interval) {
    self =
      switch interval.unit {
      case .second: .seconds(interval.count)
      case .minute: .seconds(interval.count * 60)
      case .hour: .seconds(interval.count * 3600)
      case .day: .days(interval.count)
      case .week: .days(interval.count * 7)
      case .month: .months(interval.count)
      case .quarter: .months(interval.count * 3)
      case .year: .months(interval.count * 12)
      }
  }
}

extension WallSchedule.Time {
  /// The time of day, in seconds since midnight.
  fileprivate var second: Int { hour * 3600 + minute * 60 }
}
