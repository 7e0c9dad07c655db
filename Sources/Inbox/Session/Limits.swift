import Basics

extension Limits {
  /// Messages that a command or a file gets at once; a whole list may have a million.
  static let givenMessages = 1000
  /// Bytes of their text after which no further message is added: all are in memory together.
  static let givenMessageBytes = 64 << 20
  /// Time for a command that a message is passed to: it may use a server, or compute.
  static let pipeTime = Duration.seconds(300)
  /// Bytes that such a command may print; its last line is shown.
  static let pipeOutputBytes = 16 << 20
  /// Seconds from the last act to sending, and from one sending to the next: each makes a file in a folder, which other
  /// programs carry.
  static let secondsUntilActsAreSent = 2.0
  static let secondsBetweenSending = 30.0
  /// Seconds to both where a connection to the sync location is open.
  static let secondsUntilActsAreSentAtOnce = 0.3
  static let secondsBetweenSendingAtOnce = 2.0
  /// Seconds until looks at sources are sent if nothing else is.
  static let secondsUntilSeenIsSent = 60.0
  /// Seconds that the end of the inbox waits for sending.
  static let secondsToSendAtEnd = 1.0
  /// Seconds after which the inbox says that acts aren't sent.
  static let secondsUntilUnsentIsSaid = 3600.0
  /// A picture as half blocks: 500 columns and 200 rows of two colours each, 40 bytes a cell.
  static let pictureOutputBytes = 4 << 20
  /// Time to decode and draw a picture. Its limit of 2 s of processor time may take ten times as long on a
  /// busy machine.
  static let pictureTime = Duration.seconds(20)
  /// Bytes of a picture: those of a large photograph.
  static let pictureBytes = 16 << 20
  /// Pixels of a picture that is decoded: 24 million is a large photograph.
  static let picturePixels = 24_000_000
  /// Pictures whose bytes are kept to be drawn again after a resize: those of a message, and of a banner's view.
  static let pictures = 30
  /// Bytes of all of them.
  static let keptPictureBytes = 64 << 20
  /// Pixels of a picture that a terminal is sent: 512 thousand, more than the cells of a large window need.
  static let graphicPixels = 1 << 19
  /// Pixels of one side of it.
  static let graphicSide = 4096
  /// Bytes of a program's answer with such a picture: 4 bytes a pixel in Base64, in pieces.
  static let graphicAnswerBytes = 4 << 20
  /// Pixels of a picture as sixel, which has to fill its cells: 2 million are a large window with large letters.
  static let sixelPixels = 2 << 20
  /// Bytes of a picture as sixel, which is written again whenever its rows are.
  static let sixelBytes = 1 << 20
  /// Segments of a JPEG before its size; files with a large profile or preview have some hundreds.
  static let pictureSegments = 4000
  // The demo's server, which any program on this machine can reach.
  /// Bytes of a request's line and fields; those of a poll have a few hundred.
  static let requestHeadBytes = 64 << 10
  /// Bytes of a request's body, which is read and dropped: no route of the demo needs one.
  static let requestBodyBytes = 64 << 10
  /// Connections at the same time; for one more, the oldest one without a request is closed.
  static let demoConnections = 64
  /// Bytes that are read and dropped after the last response of a connection: if it were closed while some arrive, the
  /// client would lose the response.
  static let droppedBytes = 1 << 20
}
