import Basics

extension Limits {
  /// Records that wait to be stored.
  static let hookRecords = 20_000
  /// The number of records that are kept though they can't be stored.
  static let hookRecordsSetAside = 1000
  /// Characters of a shell's line in which its program is searched for.
  static let hookLineCharacters = 10_000
  /// Words of a command behind one that runs it.
  static let hookLineWords = 100
  /// Seconds after which nobody can say any more who looked at the pane then.
  static let hookFreshSeconds = 5.0
  /// Seconds after which a file that a hook began wasn't finished by it: one takes milliseconds.
  static let hookUnfinishedSeconds = 3600.0
  /// Notices of other programs that are stored in one transaction.
  static let caughtBatch = 200
  /// The time until the session bus is connected to again: after a failure, at first and at most.
  static let busRetry = Duration.seconds(1)...Duration.seconds(60)
  /// The time for which `org.freedesktop.Notifications` must be free until it is owned: a daemon may be starting again.
  static let freeNameTime = Duration.seconds(5)
}
