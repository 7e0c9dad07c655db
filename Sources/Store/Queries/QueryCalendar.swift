import Basics
import Foundation

/// Converts dates and time spans of a query to instants, by the reader's clock.
struct QueryCalendar {
  let now: Date
  private let clock: ZoneClock

  /// The days that every zone can convert: 2 January of the year 1 to 30 December 9999.
  private static let days =
    CivilDate(year: 1, month: 1, day: 2).dayNumber...CivilDate(year: 9999, month: 12, day: 30).dayNumber
  private static let instants = Double(days.lowerBound) * 86_400...Double(days.upperBound) * 86_400

  init(now: Date, zone: ZoneClock) {
    let seconds = now.timeIntervalSince1970
    let known = seconds.isNaN ? 0 : min(max(seconds, Self.instants.lowerBound), Self.instants.upperBound)
    self.now = Date(timeIntervalSince1970: known)
    clock = zone
  }

  // MARK: - Days

  /// Returns the first instant of a day. A day may have 23 or 25 hours, and may not begin at midnight.
  func start(ofDay day: Int) -> Date {
    let day = min(max(day, Self.days.lowerBound), Self.days.upperBound)
    return Date(timeIntervalSince1970: Double(clock.seconds(of: WallTime(dayNumber: day, second: 0))))
  }

  /// Returns the last day that has begun by an instant. If clocks are put back across midnight, the new day
  /// continues, and the previous one does not return.
  func day(of instant: Date) -> Int {
    let day = clock.wall(at: instant).dayNumber
    if instant >= start(ofDay: day + 1) { return day + 1 }
    return instant < start(ofDay: day) ? day - 1 : day
  }

  // MARK: - Dates

  func start(of point: Query.DatePoint) -> Date {
    switch point {
    case .year(let year): start(ofDay: CivilDate(year: year, month: 1, day: 1).dayNumber)
    case .month(let year, let month): start(ofDay: CivilDate(year: year, month: month, day: 1).dayNumber)
    case .day(let date): start(ofDay: date.dayNumber)
    case .minute(let date, let minute): instant(date.dayNumber, minute)
    case .today: start(ofDay: day(of: now))
    case .yesterday: start(ofDay: day(of: now) - 1)
    }
  }

  /// Returns the first instant after a date, which is a year, a month, a day or a minute.
  func end(of point: Query.DatePoint) -> Date {
    switch point {
    case .year(let year): start(ofDay: CivilDate(year: year + 1, month: 1, day: 1).dayNumber)
    case .month(let year, let month):
      start(ofDay: CivilDate(year: year, month: month, day: 1).adding(months: 1).dayNumber)
    case .day(let date): start(ofDay: date.dayNumber + 1)
    case .minute(let date, let minute): instant(date.dayNumber, minute).addingTimeInterval(60)
    case .today: start(ofDay: day(of: now) + 1)
    case .yesterday: start(ofDay: day(of: now))
    }
  }

  private func instant(_ day: Int, _ minute: Int) -> Date {
    let day = min(max(day, Self.days.lowerBound), Self.days.upperBound)
    let wall = WallTime(dayNumber: day, second: minute * 60)
    return Date(timeIntervalSince1970: Double(clock.seconds(of: wall)))
  }

  // MARK: - Time spans

  /// Returns the instant that is a time span before now. It never goes back while time advances, so that a message that
  /// was too old does not become newer again.
  func instant(before span: Query.TimeSpan) -> Date {
    switch span.unit {
    case .minutes: now.addingTimeInterval(-60 * Double(span.count))
    case .hours: now.addingTimeInterval(-3600 * Double(span.count))
    case .days: instant(daysBefore: span.count)
    case .weeks: instant(daysBefore: span.count * 7)
    case .months: instant(monthsBefore: span.count)
    case .years: instant(monthsBefore: span.count * 12)
    }
  }

  private func instant(daysBefore count: Int) -> Date {
    let today = day(of: now)
    return instant(today - count, after: now.timeIntervalSince(start(ofDay: today)))
  }

  /// Returns the instant that is `count` months ago. If that month lacks today's day, for example the 31st,
  /// it is the end of the month.
  private func instant(monthsBefore count: Int) -> Date {
    let today = day(of: now)
    let date = CivilDate(dayNumber: today)
    let earlier = date.adding(months: -count)
    if earlier.day < date.day { return start(ofDay: earlier.dayNumber + 1) }
    return instant(earlier.dayNumber, after: now.timeIntervalSince(start(ofDay: today)))
  }

  /// Returns the instant that is `seconds` after the start of a day, but not after the end of that day, which
  /// may be shorter than today.
  private func instant(_ day: Int, after seconds: TimeInterval) -> Date {
    min(start(ofDay: day).addingTimeInterval(seconds), start(ofDay: day + 1))
  }

  /// Returns the first millisecond at which a message of this time is older than the span, or `nil` if that is too far
  /// away.
  func end(of span: Query.TimeSpan, from time: Date) -> Date? {
    let daysOfUnit: Double =
      switch span.unit {
      case .minutes: 1 / 1440
      case .hours: 1 / 24
      case .days: 1
      case .weeks: 7
      case .months: 31
      case .years: 366
      }
    let seconds = time.timeIntervalSince1970
    let latest = seconds + (Double(span.count) * daysOfUnit + 3) * 86_400
    guard Self.instants.contains(seconds), Self.instants.contains(latest) else { return nil }
    switch span.unit {
    case .minutes: return Self.firstMillisecond(after: time.addingTimeInterval(60 * Double(span.count)))
    case .hours: return Self.firstMillisecond(after: time.addingTimeInterval(3600 * Double(span.count)))
    case .days: return end(from: time, onDay: day(of: time) + span.count) { $0 - span.count }
    case .weeks: return end(from: time, onDay: day(of: time) + span.count * 7) { $0 - span.count * 7 }
    case .months: return end(from: time, months: span.count)
    case .years: return end(from: time, months: span.count * 12)
    }
  }

  private func end(from time: Date, months: Int) -> Date {
    let guess = CivilDate(dayNumber: day(of: time)).adding(months: months).dayNumber
    return end(from: time, onDay: guess - 1) { day in
      let date = CivilDate(dayNumber: day)
      let earlier = date.adding(months: -months)
      return earlier.day < date.day ? nil : earlier.dayNumber
    } passed: { day in
      CivilDate(dayNumber: day).adding(months: -months).dayNumber + 1
    }
  }

  /// Returns the first millisecond of `now` at which `instant(before:)` is later than `time`. It examines one
  /// day after the other, beginning with `first`.
  ///
  /// - Parameters:
  ///   - first: the first day that can contain the result.
  ///   - earlier: returns the day that lies the time span before a day, or `nil` if the month before lacks
  ///     that day; the span then leads to the start of the day `passed`.
  private func end(
    from time: Date, onDay first: Int, earlier: (Int) -> Int?, passed: (Int) -> Int = { $0 }
  ) -> Date {
    var day = first
    while true {
      let begin = start(ofDay: day)
      if let before = earlier(day) {
        // A time of day that the earlier, shorter day does not have counts as its end.
        if time < start(ofDay: before + 1) {
          let wait = time.timeIntervalSince(start(ofDay: before))
          let moment = wait < 0 ? begin : Self.firstMillisecond(after: begin.addingTimeInterval(wait))
          if moment < start(ofDay: day + 1) { return moment }
        }
      } else if time < start(ofDay: passed(day)) {
        return begin
      }
      day += 1
    }
  }

  /// Returns the first whole millisecond after an instant.
  private static func firstMillisecond(after instant: Date) -> Date {
    Date(timeIntervalSince1970: ((instant.timeIntervalSince1970 * 1000).rounded(.down) + 1) / 1000)
  }
}
