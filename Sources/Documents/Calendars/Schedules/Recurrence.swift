package import Basics

/// A recurrence in wall time, without a zone or an instant.
package struct Recurrence: Hashable, Sendable {
  /// The rule for the first firing. A start without a date is searched from a reference time.
  package enum Start: Hashable, Sendable {
    case at(WallTime)
    /// The first of these weekdays (1 for Monday to 7 for Sunday; never empty) at or after the reference time, with the
    /// time of day in seconds since midnight.
    ///
    /// If the step is in whole weeks, the recurrence fires on each of the weekdays in every step. If the
    /// recurrence fires once, it fires only on the first of them.
    case weekdays(Set<Int>, second: Int)
    /// The first day with this number in its month (1 to 31, or the last day of a shorter month) at or after
    /// the reference time.
    case dayOfMonth(Int, second: Int)
    /// The first occurrence of this time of day at or after the reference time.
    case timeOfDay(second: Int)
  }

  /// The step from one firing to the next.
  package enum Step: Hashable, Sendable {
    case once
    /// Elapsed time: seconds, minutes and hours do not depend on the zone.
    case seconds(Int)
    /// Days and weeks, which keep the wall time.
    case days(Int)
    /// Months, quarters and years, which keep the wall time and the day; in a short month it fires on the last day.
    case months(Int)
  }

  /// The end of the recurrence.
  package enum End: Hashable, Sendable {
    case never
    /// The total number of firings.
    case count(Int)
    /// The last day on which it may fire.
    case through(CivilDate)
    /// The time that is this many months and days after the first firing, in wall time. It is excluded.
    case before(months: Int, days: Int)
  }

  package var start: Start
  package var step: Step
  package var end: End

  package init(start: Start, step: Step, end: End = .never) {
    self.start = start
    self.step = step
    self.end = end
  }
}
