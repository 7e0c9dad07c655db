import Basics

// Notices of messages.
extension Limits {
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
}
