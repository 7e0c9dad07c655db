import Limits

// Notices of messages.
extension Limits {
  /// Characters of a notice's title and of its text: desktops show less.
  static let noticeTitleCharacters = 120
  static let noticeBodyCharacters = 400
  /// Sources that a digest names.
  static let sourcesOfADigest = 4
  /// Time for `notify_command`.
  static let noticeCommandTime = Duration.seconds(10)
  /// Bytes that `notify_command` may print; they are not used.
  static let noticeCommandOutputBytes = 64 << 10
  /// Messages that one line for `notify_command` holds.
  static let messagesOfACommandLine = 20
  /// Notices of other programs that are stored in one transaction.
  static let caughtBatch = 200
  /// Until the session bus is connected to again: after a failure, at first and at most.
  static let busRetry = Duration.seconds(1)...Duration.seconds(60)
  /// How long `org.freedesktop.Notifications` must be free until it is owned: a daemon may be starting again.
  static let freeNameTime = Duration.seconds(5)
  /// How long a round of polls waits for its notices.
  static let longestNoticeWait = Duration.seconds(5)
}
