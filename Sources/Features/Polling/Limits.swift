import Basics

extension Limits {
  // MARK: Requests

  /// The number of changes by the user that are sent to a service without a progress line. More of them take some
  /// seconds, because each may need one request.
  static let actsWithoutWord = 10
  /// The number of seconds until a closed push channel is opened again. It is doubled after each failure, up to
  /// `longestStreamBackoff`.
  static let firstStreamBackoff = 5.0
  static let longestStreamBackoff = 900.0
  /// The pause before the server of a native feed gets the next request that it holds. Messages that are published in
  /// the meantime are in one response.
  static let nativeWaitPause = Duration.milliseconds(250)
  /// The time for which a push channel must be open to count as working. After a shorter time, it is opened again with
  /// a longer wait.
  static let steadyStream = Duration.seconds(10)
  /// The number of reports of a push channel within a second above which polls wait for the grace period.
  static let streamNewsAtOnce = 20
  /// The number of seconds that a command waits for services to accept the user's changes; the rest is sent later.
  static let secondsToSendActs = 5

  // MARK: Schedule files

  /// The number of seconds for which the state of a schedule's entry is kept after the entry is missing or
  /// broken. Within this week, the user notices a typo.
  static let missingScheduleEntrySeconds = 604_800.0
  /// The number of missing or broken entries of a schedule file whose state is kept, since a program may
  /// write a file of new entries every minute.
  static let missingScheduleEntries = 1000

  // MARK: Programs that reddot starts

  /// The number of failures of `feature_command` that are reported individually after one poll run.
  static let featureFailures = 10

  // MARK: Calendars

  /// The maximum number of bytes of a calendar: of one response, or of all files of a folder together. Ten years of a
  /// busy person take about 10 MB.
  static let calendarBytes = 32 << 20
  /// The maximum number of files of a folder that are read.
  static let calendarFiles = 20_000
  /// The number of seconds after an alarm's time in which it is still shown if its event was added to the calendar
  /// after that time.
  static let lateAlarmSeconds = 86_400
  /// The number of seconds after which an empty file or folder counts as empty: while it is copied or replaced, it is
  /// empty for a moment.
  static let emptiedSeconds = 30.0
  /// The number of days in the future in which the next alarm is searched for, more than a year because of birthdays.
  static let alarmHorizonDays = 400
  /// The number of alarms with messages that are stored for each calendar, so that changes of their events are noticed.
  static let rememberedAlarms = 100

  // MARK: Articles

  /// The maximum number of bytes of a web page that is fetched for its article. Pages of news sites have up to 5 MB,
  /// most of it scripts.
  static let articlePageBytes = 8 << 20
}
