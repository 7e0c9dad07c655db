import Basics

extension Limits {
  // MARK: Requests

  /// The number of acts that are sent to a service without a line about it: with one request for each, they take some
  /// seconds.
  static let actsWithoutWord = 10
  /// The seconds until a closed push channel is opened again; doubled as long as this fails.
  static let firstStreamBackoff = 5.0
  static let longestStreamBackoff = 900.0
  /// The pause between a change and the next request that the server of a native feed holds: messages that are
  /// published in the meantime come in one response.
  static let nativeWaitPause = Duration.milliseconds(250)
  /// A push channel that was open for less than this did not really work: it is opened again after a longer wait.
  static let steadyStream = Duration.seconds(10)
  /// The number of reports of a push channel within a second above which they cause only one poll in the grace period.
  static let streamNewsAtOnce = 20
  /// The seconds that a command waits for services to accept the user's acts; the rest is sent later.
  static let secondsToSendActs = 5

  // MARK: Schedule files

  /// The seconds for which a missing or broken entry is remembered: within a week the user notices a typo.
  static let missingScheduleEntrySeconds = 604_800.0
  /// The number of such entries that a source remembers: a program may write a file of new entries every minute.
  static let missingScheduleEntries = 1000

  // MARK: Programs that reddot starts

  /// The number of failures of `feature_command` that get a separate line after one round.
  static let featureFailures = 10

  // MARK: Calendars

  /// The bytes of a calendar: a response, or all files of a folder together. Ten years of a busy person take about 10
  /// MB.
  static let calendarBytes = 32 << 20
  /// The number of files of a folder that are read.
  static let calendarFiles = 20_000
  /// The seconds for which an alarm is shown late if its event came into the calendar after the alarm's time.
  static let lateAlarmSeconds = 86_400
  /// The seconds after which an empty file or folder counts as empty: while it is copied or replaced, it is empty for a
  /// moment.
  static let emptiedSeconds = 30.0
  /// The number of days in which the next alarm is looked for: birthdays come once a year.
  static let alarmHorizonDays = 400
  /// The number of messages of alarms that are remembered, so that changes of their events are noticed.
  static let rememberedAlarms = 100

  // MARK: Articles

  /// The bytes of a page that is fetched for its article. Pages of news sites have up to 5 MB, most of it scripts.
  static let articlePageBytes = 8 << 20
}
