package import Basics

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
  static let paneNameCharacters = 80
  /// Bytes that tmux may answer: a line for each terminal that is attached.
  package static let paneAnswerBytes = 64 << 10
  package static let paneTime = Duration.seconds(2)
  /// How long a round of polls waits for its notices.
  static let longestNoticeWait = Duration.seconds(5)
}
