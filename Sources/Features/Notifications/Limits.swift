package import Basics
import Foundation

extension Limits {
  /// The maximum number of messages that get a separate notification; more messages become one notification per source.
  static let singleNotices = 3
  /// The time for a response of the session bus itself, which has nothing to wait for.
  static let busTime = Duration.seconds(2)
  /// The time from the first message of a poll run to its notifications, so that they include the run's later
  /// messages too.
  static let noticeDelay = Duration.seconds(2)
  /// The maximum number of notifications of one channel within a minute; further ones become one summary.
  static let noticesPerMinute = 3
  /// The maximum number of bytes of a D-Bus message that are read. Only the beginning of a longer message is read. The
  /// longest messages have the pictures of other programs' notifications.
  static let busMessageBytes = 4 << 20
  /// The side of a notification's stored picture, in pixels: 12 columns and 6 rows, the size in which daemons show a
  /// user's face.
  static let noticePictureSide = 96
  /// The maximum number of bytes of a message that D-Bus allows.
  static let busLongestMessageBytes = 128 << 20
  /// The maximum depth of nested values in a D-Bus message.
  static let busDepth = 16
  /// The maximum number of values in one message. A notification and its response have some dozens.
  static let busValues = 20_000
  /// The maximum number of bytes, and the maximum number of messages, that are kept while a call waits for its
  /// response.
  static let busWaitingBytes = 4 << 20
  static let busWaitingMessages = 1000
  /// The time for a response of the notification daemon, which may have to be started first.
  static let daemonTime = Duration.seconds(10)
  /// The maximum number of bytes of the text of another program's notification, and the maximum number of its buttons.
  static let caughtBodyBytes = 16 << 10
  static let caughtButtons = 8
  /// The maximum number of other programs' notifications that wait for a response. Further ones are stored without
  /// their id.
  static let caughtCalls = 2000
  /// The time to wait for the daemon's response to another program's notification.
  static let caughtCallTime = Duration.seconds(5)
  /// The maximum number of characters of a notification's title and of its text; desktops show fewer.
  static let noticeTitleCharacters = 120
  static let noticeBodyCharacters = 400
  /// The maximum number of sources that the text of a summary names.
  static let sourcesOfADigest = 4
  /// The time for one run of `notify_command`.
  static let noticeCommandTime = Duration.seconds(10)
  /// The maximum number of bytes that `notify_command` may print; its output is ignored.
  static let noticeCommandOutputBytes = 64 << 10
  /// The maximum number of messages on one line for `notify_command`.
  static let messagesOfACommandLine = 20
  /// The maximum time for which a poll run waits for its notifications.
  static let longestNoticeWait = Duration.seconds(5)

  // MARK: The phone

  /// The time for one request to the phone's server.
  static let phoneRequestTime = Duration.seconds(20)
  /// The maximum number of bytes of one response of the phone's server, which lists the buttons that were
  /// pressed in the last twelve hours.
  static let phoneResponseBytes = 1 << 20
  /// The time until the next attempt after a failure, in seconds: after the first failure, and the maximum.
  static let firstPhoneBackoff: TimeInterval = 30
  static let longestPhoneBackoff: TimeInterval = 3600
  /// The time until the next attempt, in seconds, if the server refused a message because of its content. All other
  /// messages wait as long.
  static let refusedPhoneWait: TimeInterval = 300
  /// The maximum time for which a server can delay notifications, in seconds.
  static let longestPhoneWait: TimeInterval = 6 * 3600
  /// The number of buttons that the phone shows.
  static let phoneButtons = 3
  /// The maximum number of bytes of the text that a button sends.
  static let phonePressBytes = 300
  /// The maximum number of attempts to read the pressed buttons, each of which waits until another process
  /// has ended its round for the phone.
  static let phoneLockTries = 5
  /// The delay of the button Later, in seconds.
  static let laterSeconds: TimeInterval = 3600

  // MARK: Programs that reddot starts

  /// The time for one run of a rule's program.
  static let ruleProgramTime = Duration.seconds(10)
  /// The maximum number of bytes that a `feature_command` may print; its output is ignored.
  package static let featureOutputBytes = 1 << 20

  // MARK: Other programs' notifications

  /// The maximum number of other programs' notifications that are stored in one transaction.
  static let caughtBatch = 200
  /// The time until the session bus is connected to again after a failure: the first and the maximum.
  static let busRetry = Duration.seconds(1)...Duration.seconds(60)
  /// The time for which `org.freedesktop.Notifications` must be free until this process owns it: a daemon may be
  /// restarting.
  static let freeNameTime = Duration.seconds(5)
}
