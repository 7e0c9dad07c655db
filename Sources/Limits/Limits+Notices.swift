// Notices of messages.
extension Limits {
  /// Messages that one notice names, and that are looked at to make notices: after a long time away there may be
  /// thousands, and the rest waits for the next digest.
  package static let messagesOfANotice = 1000
  /// Seconds after which what no channel could show gets no notice any more.
  package static let longestNoticeWaitSeconds = 3.0 * 86_400
  /// Seconds from a round's first message to its notices: the rest of the round is shown together with it.
  package static let noticeDelay = Duration.seconds(2)
  /// Messages that get a notice each; more become one notice for each source.
  package static let singleNotices = 3
  /// Notices of one channel within a minute; what goes beyond becomes one digest.
  package static let noticesPerMinute = 3
  /// Characters of a notice's title and of its text: desktops show less.
  package static let noticeTitleCharacters = 120
  package static let noticeBodyCharacters = 400
  /// Bytes of both in an escape code: kitty takes 2,048 of each.
  package static let noticeTitleBytes = 480
  package static let noticeBodyBytes = 1600
  /// Characters of a notice's id in an escape code; ours are `reddot-1` and the like.
  package static let noticeIDCharacters = 64
  /// Sources that a digest names.
  package static let sourcesOfADigest = 4
  /// Time for `notify_command`.
  package static let noticeCommandTime = Duration.seconds(10)
  /// Bytes that `notify_command` may print; they are not used.
  package static let noticeCommandOutputBytes = 64 << 10
  /// Messages that one line for `notify_command` holds.
  package static let messagesOfACommandLine = 20
  /// Bytes of a D-Bus message that are read, and levels of its values: the pictures of other programs' notices are the
  /// longest. Of a longer one only the beginning is read.
  package static let busMessageBytes = 4 << 20
  /// Pixels of a side of a notice's picture as it is kept: 12 columns and 6 rows, what daemons show of a person's face.
  package static let noticePictureSide = 96
  /// Characters of an address that holds a picture: that of a notice needs at most 50 thousand, were it noise.
  package static let pictureAddressBytes = 64 << 10
  /// Bytes of the longest message that D-Bus allows.
  package static let busLongestMessageBytes = 128 << 20
  package static let busDepth = 16
  /// Values of one message: a notification and its answer have some dozens.
  package static let busValues = 20_000
  /// Bytes of messages that came while the answer to a call was waited for, and the number of them.
  package static let busWaitingBytes = 4 << 20
  package static let busWaitingMessages = 1000
  /// Time for an answer of the session bus itself, which has nothing to wait for.
  package static let busTime = Duration.seconds(2)
  /// Time for an answer of the notification daemon, which may have to be started first.
  package static let daemonTime = Duration.seconds(10)
  /// Bytes of the text of another program's notice, and the number of its buttons.
  package static let caughtBodyBytes = 16 << 10
  package static let caughtButtons = 8
  /// Notices of other programs whose answer hasn't come: what is beyond is stored without its id.
  package static let caughtCalls = 2000
  /// How long the answer to another program's notice is waited for.
  package static let caughtCallTime = Duration.seconds(5)
  /// Notices of other programs that are stored in one transaction.
  package static let caughtBatch = 200
  /// Until the session bus is connected to again: after a failure, at first and at most.
  package static let busRetry = Duration.seconds(1)...Duration.seconds(60)
  /// How long `org.freedesktop.Notifications` must be free until it is owned: a daemon may be starting again.
  package static let freeNameTime = Duration.seconds(5)
  /// How long a round of polls waits for its notices.
  package static let longestNoticeWait = Duration.seconds(5)
  /// Entries of `[[quiet]]`.
  package static let quietEntries = 64
}
