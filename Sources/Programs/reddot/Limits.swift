import Basics

extension Limits {
  /// The maximum number of bytes of a program's input to its hook; the rest is left out.
  static let hookBytes = 256 << 10
  /// The maximum time from the restored terminal to the end of the process, for writes that wait for another process.
  static let windDownTime = Duration.seconds(2)
  /// The maximum number of messages that a list counts beyond those that it prints.
  static let countedMessages = 10_000
  /// The maximum time for standard input of a hook: the program that starts the hook waits for it.
  static let hookInputTime = Duration.milliseconds(50)
  /// The maximum time for standard input of a hook that waits for an answer anyway.
  static let answeredHookInputTime = Duration.seconds(1)
  /// The maximum time for the line from a shell's hook, which runs in the background and closes its pipe.
  static let shellInputTime = Duration.seconds(5)

  // MARK: Hooks

  /// The maximum number of records that wait to be stored.
  static let hookRecords = 20_000
  /// The maximum number of records that are kept though they can't be stored.
  static let hookRecordsSetAside = 1000
  /// The maximum number of characters of a shell's line in which its program is searched for.
  static let hookLineCharacters = 10_000
  /// The maximum number of words of a command that another program runs, for example after `sudo`.
  static let hookLineWords = 100
  /// The age of a record, in seconds, from which it is not known whether the user was looking at the pane.
  static let hookFreshSeconds = 5.0
  /// The maximum number of characters of a command or file that a title shows as a whole.
  static let requestTitleCharacters = 500
  /// The maximum number of jobs that titles distinguish.
  static let hookJobs = 200
  /// The time after the last event of a job for which the job is kept, in milliseconds (12 hours).
  static let hookJobMilliseconds: Int64 = 12 * 3_600_000
  /// The maximum number of bytes of the file of the jobs.
  static let hookJobsBytes = 1 << 20
  /// The time, in seconds (30 days), for which the lists show a waiting program, unless a later hook reports that it
  /// continues.
  static let hookWaitSeconds = 30 * 86_400.0
  /// The age, in seconds, from which an unfinished file of a hook counts as abandoned: writing a file takes
  /// milliseconds.
  static let hookUnfinishedSeconds = 3600.0

  // MARK: Questions

  /// The time that a question waits if its program sets no other time (1 day).
  static let questionTime = Duration.seconds(86_400)
  /// The longest time that a program can set for a question (30 days).
  static let longestQuestionTime = Duration.seconds(30 * 86_400)
  /// The time that an open inbox may need to connect to a process that asks.
  static let inboxConnectionTime = Duration.seconds(5)
  /// The longest sleep of a process that waits for an answer. Then it checks the clock again, since the clock
  /// may have been set.
  static let longestQuestionWait = Duration.seconds(6 * 3600)

  // MARK: Reports

  /// The number of last lines of a program's output in the message of `reddot run`.
  static let reportLines = 20
  /// The number of bytes that are enough for the last lines of a program's output, even if each is as long as a screen.
  static let reportBytes = 64 << 10
  /// The maximum number of characters of a command in the title of the message of `reddot run`.
  static let reportTitleCharacters = 200
}
