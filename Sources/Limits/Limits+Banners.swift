// Banners: their views, scripts and pictures come from a publisher.
extension Limits {
  // MARK: Views

  /// Bytes of a view's page: far more than a few rows of a terminal need.
  package static let viewBytes = 1 << 20
  /// Stored copies of views, besides those of control files; the newest are kept.
  package static let storedDocuments = 100
  /// Presses that wait while a script runs; nobody makes more.
  package static let viewEvents = 32
  /// Acts of the user on a view whose scripts have not run yet; nobody makes more.
  package static let earlyActs = 32
  /// How often views may display each other without a press.
  package static let viewDisplays = 10

  // MARK: Scripts

  /// Milliseconds of processor time for one event. More is treated as an endless loop.
  package static let scriptMilliseconds = 200
  /// Wall time for one event. Far longer than the processor time, since the start of the process and a busy machine
  /// must not end a working script; it only ends a process that hangs.
  package static let scriptTime = Duration.seconds(20)
  /// Bytes of the engine's memory; scripts of views need some kilobytes.
  package static let scriptMemoryBytes = 32 << 20
  /// Bytes for requests and answers as JSON and as values, besides the engine's memory.
  package static let scriptMessageBytes = 96 << 20
  /// Bytes of one answer of a script's process.
  package static let scriptAnswerBytes = 16 << 20
  /// Calls that a script may make in one event.
  package static let scriptCalls = 1000
  /// Bytes of a text or of HTML that a script sets: as many as a view's page may have.
  package static let scriptTextBytes = viewBytes
  /// Characters of the text of a script's error.
  package static let scriptErrorCharacters = 500

  // MARK: Flags

  /// Flags that a banner may set; each is stored.
  package static let flagsOfABanner = 200
  /// Bytes of a flag's name.
  package static let flagNameBytes = 200

  // MARK: Pictures

  /// Bytes of a picture: those of a large photograph.
  package static let pictureBytes = 16 << 20
  /// Pixels of a picture that is decoded: 24 million is a large photograph.
  package static let picturePixels = 24_000_000
  /// Pixels of one side, so that the product does not overflow.
  package static let pictureSide = 100_000
  /// Pictures whose bytes are kept to be drawn again after a resize: those of a message, and of a banner's view.
  package static let pictures = 30
  /// Bytes of all of them.
  package static let keptPictureBytes = 64 << 20
  /// Pictures of a message's text that are drawn; for more the alternative text is shown.
  package static let messagePictures = 20
  /// Pictures of a message's text that are fetched or drawn at the same time, each from another server.
  package static let picturesAtOnce = 2
  /// Pixels of a picture that a terminal is sent: 512 thousand, more than the cells of a large window need.
  package static let graphicPixels = 1 << 19
  /// Pixels of one side of it.
  package static let graphicSide = 4096
  /// Bytes of a program's answer with such a picture: 4 bytes a pixel in Base64, in pieces.
  package static let graphicAnswerBytes = 4 << 20
  /// Pixels of a picture as sixel, which has to fill its cells: 2 million are a large window with large letters.
  package static let sixelPixels = 2 << 20
  /// Bytes of a picture as sixel, which is written again whenever its rows are.
  package static let sixelBytes = 1 << 20
  /// Columns of a picture in pixels: kitty has 297 marks to number them.
  package static let graphicColumns = 256
  /// Segments of a JPEG before its size; files with a large profile or preview have some hundreds.
  package static let pictureSegments = 4000
  /// Pictures of one view; for more the alternative text is shown.
  package static let viewPictures = 8
}
