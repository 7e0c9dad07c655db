package import Basics

extension Limits {
  /// Messages that get a notice each; more become one notice for each source.
  static let singleNotices = 3
  /// Time for an answer of the session bus itself, which has nothing to wait for.
  static let busTime = Duration.seconds(2)
  /// Seconds from a round's first message to its notices: the rest of the round is shown together with it.
  static let noticeDelay = Duration.seconds(2)
  /// Notices of one channel within a minute; what goes beyond becomes one digest.
  static let noticesPerMinute = 3
  /// Bytes of a D-Bus message that are read, and levels of its values: the pictures of other programs' notices are the
  /// longest. Of a longer one only the beginning is read.
  static let busMessageBytes = 4 << 20
  /// Pixels of a side of a notice's picture as it is kept: 12 columns and 6 rows, what daemons show of a person's face.
  static let noticePictureSide = 96
  /// Bytes of the longest message that D-Bus allows.
  static let busLongestMessageBytes = 128 << 20
  static let busDepth = 16
  /// Values of one message: a notification and its answer have some dozens.
  static let busValues = 20_000
  /// Bytes of messages that came while the answer to a call was waited for, and the number of them.
  static let busWaitingBytes = 4 << 20
  static let busWaitingMessages = 1000
  /// Time for an answer of the notification daemon, which may have to be started first.
  static let daemonTime = Duration.seconds(10)
  /// Bytes of the text of another program's notice, and the number of its buttons.
  static let caughtBodyBytes = 16 << 10
  static let caughtButtons = 8
  /// Notices of other programs whose answer hasn't come: what is beyond is stored without its id.
  static let caughtCalls = 2000
  /// How long the answer to another program's notice is waited for.
  static let caughtCallTime = Duration.seconds(5)
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
  /// How long a round of polls waits for its notices.
  static let longestNoticeWait = Duration.seconds(5)

  // MARK: Programs that reddot starts

  /// Time for one run of a rule's program.
  static let ruleProgramTime = Duration.seconds(10)
  /// Bytes that a `feature_command` may print; they are ignored.
  package static let featureOutputBytes = 1 << 20

  // MARK: Hooks

  /// Notices of other programs that are stored in one transaction.
  static let caughtBatch = 200
  /// The time until the session bus is connected to again: after a failure, at first and at most.
  static let busRetry = Duration.seconds(1)...Duration.seconds(60)
  /// The time for which `org.freedesktop.Notifications` must be free until it is owned: a daemon may be starting again.
  static let freeNameTime = Duration.seconds(5)
}
