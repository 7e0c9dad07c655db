import Basics

extension Limits {
  /// The maximum number of messages that a command or a file gets at the same time; a whole list may have a million.
  static let givenMessages = 1000
  /// The number of bytes of text after which a command or a file gets no further message, since all messages are in
  /// memory together.
  static let givenMessageBytes = 64 << 20
  /// The time limit for a command that a message is passed to, which may use a server, or compute.
  static let pipeTime = Duration.seconds(300)
  /// The maximum number of bytes that a command to which a message is passed may print; the last line is shown.
  static let pipeOutputBytes = 16 << 20
  /// The time from the first unsent act to its sending to the user's other machines, in seconds, if the sync location
  /// is a folder.
  static let secondsUntilActsAreSent = 2.0
  /// The time from one sending of acts to the next, in seconds, if the sync location is a folder: each makes a file
  /// there, which other programs copy.
  static let secondsBetweenSending = 30.0
  /// `secondsUntilActsAreSent` for a sync location that is not a folder.
  static let secondsUntilActsAreSentAtOnce = 0.3
  /// `secondsBetweenSending` for a sync location that is not a folder.
  static let secondsBetweenSendingAtOnce = 2.0
  /// The time after which the other machines are sent the fact that the user has seen a source, in seconds, if nothing
  /// else is sent.
  static let secondsUntilSeenIsSent = 60.0
  /// The time for which the end of the inbox waits until the last acts are sent, in seconds.
  static let secondsToSendAtEnd = 1.0
  /// The time after which the inbox reports unsent acts, in seconds.
  static let secondsUntilUnsentIsSaid = 3600.0
  /// The maximum number of bytes of a picture as half blocks: 500 columns and 200 rows of two colours each, 40 bytes
  /// per cell.
  static let pictureOutputBytes = 4 << 20
  /// The time to decode and draw a picture. Its limit of 2 s of processor time may take ten times as long on a busy
  /// machine.
  static let pictureTime = Duration.seconds(20)
  /// The maximum number of bytes of a picture: those of a large photograph.
  static let pictureBytes = 16 << 20
  /// The maximum number of pixels of a picture that is decoded: 24 million is a large photograph.
  static let picturePixels = 24_000_000
  /// The number of pictures whose bytes are kept to be drawn again after a resize: those of a message, and of a
  /// banner's view.
  static let pictures = 30
  /// The maximum number of bytes of all pictures that are kept to be drawn again.
  static let keptPictureBytes = 64 << 20
  /// The maximum number of pixels of a picture that a terminal is sent: 512 thousand, more than the cells of a large
  /// window need.
  static let graphicPixels = 1 << 19
  /// The maximum number of pixels of one side of a picture that a terminal is sent.
  static let graphicSide = 4096
  /// The maximum number of bytes of a program's output with a picture in pixels: 4 bytes per pixel in Base64, in
  /// pieces.
  static let graphicAnswerBytes = 4 << 20
  /// The maximum number of pixels of a picture as sixel, which has to fill its cells: 2 million are a large window with
  /// large letters.
  static let sixelPixels = 2 << 20
  /// The maximum number of bytes of a picture as sixel, which is written again whenever its rows are.
  static let sixelBytes = 1 << 20
  /// The maximum number of segments of a JPEG before its size; files with a large profile or preview have some
  /// hundreds.
  static let pictureSegments = 4000
  // The demo's server, which any program on this machine can reach.
  /// The maximum number of bytes of a request's line and fields; those of a poll have a few hundred.
  static let requestHeadBytes = 64 << 10
  /// The maximum number of bytes of a request's body, which is read and dropped: no route of the demo needs one.
  static let requestBodyBytes = 64 << 10
  /// The maximum number of simultaneous connections; for one more, the oldest one without a request is closed.
  static let demoConnections = 64
  /// The maximum number of bytes that are read and dropped after the last response of a connection. If it were closed
  /// while some arrive, the client would lose the response.
  static let droppedBytes = 1 << 20
}
