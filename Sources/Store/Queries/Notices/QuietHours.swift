package import Basics
package import Foundation

/// A time of day: `22:00`.
package struct ClockTime: Hashable, Comparable, Sendable {
  /// The minutes since midnight, from 0 to 1439.
  package let minutes: Int

  /// - Parameter minutes: the minutes; a value outside the day becomes the nearest one inside.
  package init(minutes: Int) { self.minutes = min(1439, max(0, minutes)) }

  /// Parses `7:00` or `07:00`, from 0:00 to 23:59, or returns `nil`.
  package init?(_ text: String) {
    let parts = text.split(onBytes: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    self.init(minutes: hour * 60 + minute)
  }

  /// The time as `22:00`.
  package var text: String { WallTime(dayNumber: 0, second: minutes * 60).clock }

  package static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }
}

/// Hours in which only urgent or allowed messages cause notifications: one `[[quiet]]`.
///
/// They are wall times. Hours across midnight belong to the day on which they begin; the same time twice means a whole
/// day.
package struct QuietHours: Hashable, Sendable {
  /// The days, from 1 for Monday to 7 for Sunday.
  package var days: Set<Int>
  /// The start, which is included.
  package var from: ClockTime
  /// The end, which is excluded.
  package var to: ClockTime
  /// The messages that still cause notifications.
  package var allow: Query?

  package init(days: Set<Int> = Set(1...7), from: ClockTime, to: ClockTime, allow: Query? = nil) {
    self.days = days
    self.from = from
    self.to = to
    self.allow = allow
  }

  /// Returns the next start of the hours, or `nil` if they have no days.
  func start(after instant: Date, in zone: ZoneClock) -> Date? {
    let clock = zone
    let today = clock.wall(at: instant).dayNumber
    return (today...today + 7).lazy.filter { days.contains(WallTime(dayNumber: $0, second: 0).weekday) }
      .map { day in
        let wall = WallTime(dayNumber: day, second: from.minutes * 60)
        return Date(timeIntervalSince1970: Double(clock.seconds(of: wall)))
      }
      .first { $0 > instant }
  }

  /// Returns the quiet hours that contain an instant, or `nil` if there are none.
  package func interval(around instant: Date, in zone: ZoneClock) -> DateInterval? {
    let clock = zone
    let today = clock.wall(at: instant).dayNumber
    func moment(_ day: Int, _ time: ClockTime) -> Date {
      Date(
        timeIntervalSince1970: Double(
          clock.seconds(of: WallTime(dayNumber: day, second: time.minutes * 60))))
    }
    for day in [today - 1, today] where days.contains(WallTime(dayNumber: day, second: 0).weekday) {
      let (start, end) = (moment(day, from), moment(from < to ? day : day + 1, to))
      // When clocks are put forward, the interval may be empty.
      if start <= instant, instant < end { return DateInterval(start: start, end: end) }
    }
    return nil
  }
}

/// All quiet hours of the settings, and the quiet time that the user started.
package struct Quiet: Hashable, Sendable {
  package var hours: [QuietHours]
  /// The quiet time that the user started with `reddot quiet` or `Q`; it may have ended.
  package var asked: DateInterval?

  package init(hours: [QuietHours] = [], asked: DateInterval? = nil) {
    self.hours = hours
    self.asked = asked
  }

  /// The quiet state at an instant.
  package enum State: Hashable, Sendable {
    case off
    /// - until: the end, or `nil` if it never ends; directly following quiet times are included.
    /// - allow: the messages that still cause notifications, for each of the current quiet times.
    case on(until: Date?, allow: [Query?])
  }

  package func state(at instant: Date, in zone: ZoneClock) -> State {
    var allow: [Query?] = holding(at: instant, in: zone).map(\.allow)
    if isAsked(at: instant) { allow.append(nil) }
    guard !allow.isEmpty else { return .off }
    var end = instant
    // Each step ends one entry. Entries of all days can follow each other forever.
    for _ in 0..<(8 * (hours.count + 1)) {
      let ends =
        hours.compactMap { $0.interval(around: end, in: zone)?.end }
        + (isAsked(at: end) ? [asked?.end].compactMap(\.self) : [])
      guard let next = ends.max() else { return .on(until: end, allow: allow) }
      end = next
    }
    return .on(until: nil, allow: allow)
  }

  /// Returns the time of the next change of `state` through time alone.
  package func nextChange(after instant: Date, in zone: ZoneClock) -> Date? {
    if case .on(let until, _) = state(at: instant, in: zone) { return until }
    return hours.compactMap { $0.start(after: instant, in: zone) }.min()
  }

  package func isQuiet(at instant: Date, in zone: ZoneClock) -> Bool {
    isAsked(at: instant) || hours.contains { $0.interval(around: instant, in: zone) != nil }
  }

  /// Returns the quiet hours that contain an instant.
  private func holding(at instant: Date, in zone: ZoneClock) -> [QuietHours] {
    hours.filter { $0.interval(around: instant, in: zone) != nil }
  }

  /// Whether the quiet time that the user started contains an instant.
  private func isAsked(at instant: Date) -> Bool {
    asked.map { $0.start <= instant && instant < $0.end } ?? false
  }
}
