package import Basics

/// When something recurs, in wall time: without a zone or an instant.
package struct Recurrence: Hashable, Sendable {
  /// The first firing.
  package enum Start: Hashable, Sendable {
    case at(WallTime)
    /// The first of these weekdays (1 Monday to 7 Sunday; never empty) at or after the reference; seconds since
    /// midnight. Of several, each fires in every step, which is of whole weeks, or the first of them fires once.
    case weekdays(Set<Int>, second: Int)
    /// The first such day of a month (1 to 31, a short month's last) at or after the reference.
    case dayOfMonth(Int, second: Int)
    /// The first such time of day at or after the reference.
    case timeOfDay(second: Int)
  }

  /// From one firing to the next.
  package enum Step: Hashable, Sendable {
    case once
    /// Elapsed time: seconds, minutes and hours do not depend on the zone.
    case seconds(Int)
    /// Days and weeks keep the wall time.
    case days(Int)
    /// Months, quarters and years keep the wall time and the day; a short month fires on its last day.
    case months(Int)
  }

  package enum End: Hashable, Sendable {
    case never
    /// The total number of firings.
    case count(Int)
    /// The last day on which it may fire.
    case through(CivilDate)
    /// Before the first firing plus this many months and days in wall time.
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
