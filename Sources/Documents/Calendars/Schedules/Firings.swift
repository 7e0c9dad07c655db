package import Basics
package import Foundation

/// The instants at which a recurrence fires in a zone.
///
/// Each instant is computed from the first one, the anchor, instead of from the previous one. So there is no
/// drift, and a start long ago costs no time.
package struct Firings: Sendable {
  /// One instant, and its index counted from the start.
  package struct Firing: Hashable, Sendable {
    package var index: Int
    package var instant: Date
  }

  package let clock: ZoneClock

  private let recurrence: Recurrence
  /// The wall time of the first firing, from which the others are computed.
  private let anchor: WallTime
  /// The first firing in seconds since 1970.
  private let anchorSeconds: Int
  /// The day of the month on which a monthly recurrence fires; the first month may be too short for it.
  private let anchorDay: Int
  /// The days of each step on which the recurrence fires, counted from the anchor's day: 0, and those of the
  /// other weekdays if there are several.
  private let offsets: [Int]
  /// The wall time from which the recurrence no longer fires, or `nil` if there is none.
  private let limit: WallTime?

  /// Creates the firings of a recurrence.
  ///
  /// - Parameter reference: the time from which a start without a date is searched.
  package init(_ recurrence: Recurrence, zone: ZoneClock, reference: Date) {
    clock = zone
    self.recurrence = recurrence
    anchor = Self.anchor(recurrence.start, clock, reference: reference)
    anchorSeconds = clock.seconds(of: anchor)
    if case .dayOfMonth(let day, _) = recurrence.start {
      anchorDay = day
    } else {
      anchorDay = anchor.date.day
    }
    if case .weekdays(let days, _) = recurrence.start, case .days(let size) = recurrence.step, size % 7 == 0 {
      let first = anchor.weekday
      offsets = days.map { ($0 - first + 7) % 7 }.sorted()
    } else {
      offsets = [0]
    }
    switch recurrence.end {
    case .never, .count: limit = nil
    case .through(let date): limit = WallTime(dayNumber: date.dayNumber + 1, second: 0)
    case .before(let months, let days):
      var first = anchor.date
      first.day = anchorDay
      limit = WallTime(dayNumber: first.adding(months: months).dayNumber + days, second: anchor.second)
    }
  }

  /// Returns the first firing after an instant, or `nil` if there is none before the year 10,000.
  package func next(after instant: Date) -> Firing? {
    next(afterSeconds: Int(instant.timeIntervalSince1970.rounded(.down)))
  }

  /// Returns the first firing at or after an instant.
  package func next(from instant: Date) -> Firing? {
    next(afterSeconds: Int(instant.timeIntervalSince1970.rounded(.up)) - 1)
  }

  /// Returns the last firing at or before an instant, which is the latest one if several were missed.
  package func last(through instant: Date) -> Firing? {
    let target = Int(instant.timeIntervalSince1970.rounded(.down))
    var low = lowerEstimate(target)
    var found: Firing?
    while let seconds = seconds(at: low), seconds <= target {
      found = Firing(index: low, instant: Date(timeIntervalSince1970: TimeInterval(seconds)))
      low += 1
    }
    return found ?? lastOfEnded(target)
  }

  /// Returns the last firing at or before an instant, if the recurrence ended before the index that
  /// `lowerEstimate` returns. It is found by binary search.
  private func lastOfEnded(_ target: Int) -> Firing? {
    var low = 0
    var high = lowerEstimate(target)
    guard seconds(at: 0).map({ $0 <= target }) == true else { return nil }
    while low < high {
      let middle = low + (high - low + 1) / 2
      if let seconds = seconds(at: middle), seconds <= target { low = middle } else { high = middle - 1 }
    }
    return seconds(at: low).map {
      Firing(index: low, instant: Date(timeIntervalSince1970: TimeInterval($0)))
    }
  }

  /// Returns the first firing after an instant in seconds since 1970.
  private func next(afterSeconds target: Int) -> Firing? {
    var index = lowerEstimate(target)
    while let seconds = seconds(at: index) {
      if seconds > target {
        return Firing(index: index, instant: Date(timeIntervalSince1970: TimeInterval(seconds)))
      }
      index += 1
    }
    return nil
  }

  /// Returns an index whose firing is at or shortly before an instant, or 0.
  ///
  /// - Parameter target: the instant in seconds since 1970.
  private func lowerEstimate(_ target: Int) -> Int {
    let steps: Int
    switch recurrence.step {
    case .once: return 0
    case .seconds(let size): steps = (target - anchorSeconds).dividedDown(by: size)
    case .days(let size):
      let days = clock.wall(atSeconds: target).dayNumber - anchor.dayNumber
      steps = (days.dividedDown(by: size) - 1) * offsets.count
    case .months(let size):
      let date = clock.wall(atSeconds: target).date
      let first = anchor.date
      steps = ((date.year - first.year) * 12 + date.month - first.month).dividedDown(by: size) - 1
    }
    return Swift.max(0, steps)
  }

  /// Returns the firing with an index, in seconds since 1970, or `nil` after the end.
  private func seconds(at index: Int) -> Int? {
    if case .count(let count) = recurrence.end, index >= count { return nil }
    let wall: WallTime
    let seconds: Int
    switch recurrence.step {
    case .once:
      guard index == 0 else { return nil }
      (wall, seconds) = (anchor, anchorSeconds)
    case .seconds(let size):
      let (product, overflow) = index.multipliedReportingOverflow(by: size)
      guard !overflow, product < Self.endOfTime else { return nil }
      seconds = anchorSeconds + product
      // The wall time is needed only if there is a limit.
      wall = limit == nil ? anchor : clock.wall(atSeconds: seconds)
    case .days(let size):
      let (step, place) = index.quotientAndRemainder(dividingBy: offsets.count)
      let (product, overflow) = step.multipliedReportingOverflow(by: size)
      guard !overflow, product < Self.endOfTime / 86400 else { return nil }
      wall = WallTime(dayNumber: anchor.dayNumber + product + offsets[place], second: anchor.second)
      seconds = clock.seconds(of: wall)
    case .months(let size):
      let (product, overflow) = index.multipliedReportingOverflow(by: size)
      guard !overflow, product < 12 * 10_000 else { return nil }
      var first = anchor.date
      first.day = anchorDay
      wall = WallTime(dayNumber: first.adding(months: product).dayNumber, second: anchor.second)
      seconds = clock.seconds(of: wall)
    }
    guard seconds < Self.endOfTime else { return nil }
    if let limit, wall >= limit { return nil }
    return seconds
  }

  /// 10000-01-01T00:00:00Z in seconds since 1970: the years of ISO 8601 have four digits.
  private static let endOfTime = 253_402_300_800

  /// Returns the wall time of the first firing.
  private static func anchor(_ start: Recurrence.Start, _ clock: ZoneClock, reference: Date) -> WallTime {
    let earliest = Int(reference.timeIntervalSince1970.rounded(.up))
    let today = clock.wall(atSeconds: earliest)
    func first(_ candidates: some Sequence<WallTime>) -> WallTime {
      var last = today
      for candidate in candidates {
        last = candidate
        if clock.seconds(of: candidate) >= earliest { break }
      }
      return last
    }
    switch start {
    case .at(let wall): return wall
    case .timeOfDay(let second):
      return first((-1...2).lazy.map { WallTime(dayNumber: today.dayNumber + $0, second: second) })
    case .weekdays(let weekdays, let second):
      let days = (-7...14).lazy.map { WallTime(dayNumber: today.dayNumber + $0, second: second) }
      return first(days.filter { weekdays.contains($0.weekday) })
    case .dayOfMonth(let day, let second):
      var month = today.date
      month.day = day
      return first(
        (-1...2).lazy.map { WallTime(dayNumber: month.adding(months: $0).dayNumber, second: second) })
    }
  }
}

extension Firings: Sequence {
  /// Returns all firings from the first one, lazily.
  package func makeIterator() -> AnyIterator<Firing> {
    var last = anchorSeconds - 1
    return AnyIterator {
      guard let firing = next(afterSeconds: last) else { return nil }
      last = Int(firing.instant.timeIntervalSince1970)
      return firing
    }
  }
}
