import Limits

extension Limits {
  /// Messages that a command or a file gets at once; a mark of a whole list may mean a million.
  static let givenMessages = 1000
  /// Bytes of their texts after which no further message is added: all are held in memory together.
  static let givenMessageBytes = 64 << 20
  /// Time for a command that a message is passed to: it may use a server, or compute.
  static let pipeTime = Duration.seconds(300)
  /// Bytes that such a command may print; its last line is shown.
  static let pipeOutputBytes = 16 << 20

  /// Seconds from the last act to sending, and from one sending to the next: each makes a file in a folder, which other
  /// programs carry.
  static let secondsUntilActsAreSent = 2.0
  static let secondsBetweenSending = 30.0
  /// The same where a connection to the place is open.
  static let secondsUntilActsAreSentAtOnce = 0.3
  static let secondsBetweenSendingAtOnce = 2.0
  /// For dots that go off alone.
  static let secondsUntilSeenIsSent = 60.0
  /// Seconds that the end of the inbox waits for sending.
  static let secondsToSendAtEnd = 1.0
  /// Seconds after which the inbox says that acts aren't sent.
  static let secondsUntilUnsentIsSaid = 3600.0
}
