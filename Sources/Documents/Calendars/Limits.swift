package import Basics

// Limits of calendars. They count steps and never measure time, so that the same file has the same result on any
// machine.
extension Limits {
  /// The maximum number of properties of one event.
  static let calendarProperties = 1000
  /// The maximum number of alarms of one event.
  static let calendarAlarms = 50
  /// The maximum nesting of components: alarms are three levels deep.
  static let calendarDepth = 8
  /// The maximum number of bytes that are kept of one unfolded line. A longer one is usually an attached picture, which
  /// isn't used.
  static let calendarLineBytes = 64 << 10
  /// The maximum number of RDATE and EXDATE values of one event, and of overrides of one series.
  static let calendarDates = 5000
  /// The maximum number of steps to find the occurrences of one series. A step checks one day, or one time of day.
  package static let seriesSteps = 200_000
  /// The maximum number of occurrences of one series that one search finds.
  static let seriesOccurrences = 5000
  /// The maximum number of times that an alarm is repeated.
  static let alarmRepeats = 100
}
