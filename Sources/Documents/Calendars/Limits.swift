package import Basics

// Limits of calendars. Steps are counted and never timed: the same file has the same result on any machine.
extension Limits {
  /// Properties of one event, and alarms of one event.
  static let calendarProperties = 1000
  static let calendarAlarms = 50
  /// Components inside one another: alarms are three levels deep.
  static let calendarDepth = 8
  /// Bytes that are kept of one line, unfolded; what is longer is mostly an attached picture, which isn't used.
  static let calendarLineBytes = 64 << 10
  /// RDATE and EXDATE values of one event, and overrides of one series.
  static let calendarDates = 5000
  /// Steps to find the occurrences of one series: a step looks at one day, or at one time of day.
  package static let seriesSteps = 200_000
  /// Occurrences of one series that are found in one look.
  static let seriesOccurrences = 5000
  /// How often an alarm may be repeated.
  static let alarmRepeats = 100
}
