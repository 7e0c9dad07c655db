import Basics

extension Limits {
  // MARK: Requests

  /// Acts that a service is sent without a line that says so: with one request each they take some seconds.
  static let actsWithoutWord = 10
  /// Seconds until a push channel that ended is opened again; doubled while it cannot be.
  static let firstStreamBackoff = 5.0
  static let longestStreamBackoff = 900.0
  /// Pause between news and the next request that the server of a native feed holds: what is published meanwhile comes in
  /// one response.
  static let nativeWaitPause = Duration.milliseconds(250)
  /// A push channel that was open for less than this did not really work: opening it again waits longer.
  static let steadyStream = Duration.seconds(10)
  /// News of a push channel within a second above which it floods: then it leads to one poll in the grace.
  static let streamNewsAtOnce = 20
  /// Seconds that a command waits for services to take what it did; the rest is sent later.
  static let secondsToSendActs = 5

  // MARK: Schedule files

  /// Seconds for which a missing or broken entry is remembered: within a week a typo is noticed.
  static let missingScheduleEntrySeconds = 604_800.0
  /// How many such entries a source remembers: a program may write a file of new entries every minute.
  static let missingScheduleEntries = 1000

  // MARK: Programs that reddot starts

  /// Failures of `feature_command` that have a separate line after one round.
  static let featureFailures = 10

  // MARK: Calendars

  /// Bytes of a calendar: an address's answer, or all files of a folder together. Ten years of a busy person have about
  /// 10 MB.
  static let calendarBytes = 32 << 20
  /// Files of a folder that are read.
  static let calendarFiles = 20_000
  /// Seconds for which an alarm is made up for, of an event that came into its calendar after the alarm's moment.
  static let lateAlarmSeconds = 86_400
  /// Seconds after which a calendar's file or folder that has become empty counts as empty if it still is: while it is copied
  /// or replaced, it is empty for a moment.
  static let emptiedSeconds = 30.0
  /// Days ahead in which the next alarm is looked for: birthdays come each year.
  static let alarmHorizonDays = 400
  /// Messages of alarms that are remembered, so that changes of their events are seen.
  static let rememberedAlarms = 100

  // MARK: Articles

  /// Bytes of a page that is fetched for its article. Pages of news sites have up to 5 MB, most of it scripts.
  static let articlePageBytes = 8 << 20
}
