import Limits

extension Limits {
  /// Records that wait to be stored.
  static let hookRecords = 20_000
  /// The number of records that are kept though they can't be stored.
  static let hookRecordsSetAside = 1000
  /// Seconds after which nobody can say any more who looked at the pane then.
  static let hookFreshSeconds = 5.0
  /// Seconds after which a file that a hook began wasn't finished by it: one takes milliseconds.
  static let hookUnfinishedSeconds = 3600.0
  /// Characters of a pane's name.
  static let paneNameCharacters = 80
  /// Bytes that tmux may answer: a line for each terminal that is attached.
  static let paneAnswerBytes = 64 << 10
  static let paneTime = Duration.seconds(2)
}
