// Limits of calendars. Steps are counted and never timed: the same file has the same result on any machine.
extension Limits {
  /// Bytes of a calendar: an address's answer, or all files of a folder together. Ten years of a busy person have about
  /// 10 MB.
  package static let calendarBytes = 32 << 20
  /// Files of a folder that are read.
  package static let calendarFiles = 20_000
  /// Events and to-dos of one calendar.
  package static let calendarItems = 50_000
  /// Properties of one event, and alarms of one event.
  package static let calendarProperties = 1000
  package static let calendarAlarms = 50
  /// Components inside one another: alarms are three levels deep.
  package static let calendarDepth = 8
  /// Bytes that are kept of one line, unfolded; what is longer is mostly an attached picture, which isn't used.
  package static let calendarLineBytes = 64 << 10
  /// RDATE and EXDATE values of one event, and overrides of one series.
  package static let calendarDates = 5000
  /// Steps to find the occurrences of one series: a step looks at one day, or at one time of day.
  package static let seriesSteps = 200_000
  /// The same for all series of a calendar together.
  package static let calendarSteps = 5_000_000
  /// Occurrences of one series that are found in one look.
  package static let seriesOccurrences = 5000
  /// Days in front of, or after, an event that its alarm may be; larger ones are mistakes.
  package static let alarmDays = 400
  /// Seconds for which an alarm is made up for, of an event that came into its calendar after the alarm's moment.
  package static let lateAlarmSeconds = 86_400
  /// How often an alarm may be repeated.
  package static let alarmRepeats = 100
  /// Days ahead in which the next alarm is looked for: birthdays come each year.
  package static let alarmHorizonDays = 400
  /// Problems of one calendar that are reported.
  package static let calendarProblems = 100
  /// Messages of alarms that are remembered, so that changes of their events are seen.
  package static let rememberedAlarms = 100
  /// Days that `reddot agenda` lists at most.
  package static let agendaDays = 400
}
