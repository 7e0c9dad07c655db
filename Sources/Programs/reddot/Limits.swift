import Basics

extension Limits {
  /// Bytes that a program's hook hands over; the rest is left out.
  static let hookBytes = 256 << 10
  /// From the restored terminal to the end of the process: for writes that wait for another process.
  static let windDownTime = Duration.seconds(2)
  /// Messages that a list counts beyond those that it prints.
  static let countedMessages = 10_000
  /// Time for standard input of a hook: whoever starts it waits for it.
  static let hookInputTime = Duration.milliseconds(50)
  /// Time for the line of a shell's hook, which runs in the background and closes its pipe.
  static let shellInputTime = Duration.seconds(5)

  // MARK: Hooks

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

  // MARK: Reports

  /// The last lines of a program's output in the message of `reddot run`.
  static let reportLines = 20
  /// Bytes that are enough for those lines, even if each is as long as a screen.
  static let reportBytes = 64 << 10
  /// Characters of a command in the title of that message.
  static let reportTitleCharacters = 200
}
