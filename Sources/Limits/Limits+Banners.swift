// Banners: their views, scripts and pictures come from a publisher.
extension Limits {
  // MARK: Views

  /// Bytes of a view's page. A larger one is not made for a few rows of a terminal.
  package static let viewBytes = 1 << 20
  /// Copies of views that are kept besides those of control files: the newest.
  package static let storedDocuments = 100
  /// Presses that wait while a script runs; no person makes more.
  package static let viewEvents = 32
  /// What a reader may do to a view that shows no choice yet: nobody means more keys than that.
  package static let earlyActs = 32
  /// How often views may display each other before somebody presses something.
  package static let viewDisplays = 10

  // MARK: Scripts

  /// Milliseconds of processor time for one event. What takes longer cannot be told from a loop without end.
  package static let scriptMilliseconds = 200
  /// Wall time for one event. Far longer than the processor time, since the start of the process and a busy machine must
  /// not end an honest script; it only ends a process that does nothing.
  package static let scriptTime = Duration.seconds(20)
  /// Bytes that the engine may hold; what a view's script needs is counted in kilobytes.
  package static let scriptMemoryBytes = 32 << 20
  /// Bytes for requests and answers as JSON, in both their forms, besides what the engine has.
  package static let scriptMessageBytes = 96 << 20
  /// Bytes of one answer of a script's process.
  package static let scriptAnswerBytes = 16 << 20
  /// Calls that a script may make in one event.
  package static let scriptCalls = 1000
  /// Bytes of a text or of HTML that a script sets, as large as a view's page.
  package static let scriptTextBytes = viewBytes
  /// Characters of the text of a script's error.
  package static let scriptErrorCharacters = 500

  // MARK: Flags

  /// Flags that a banner may set; each is stored.
  package static let flagsOfABanner = 200
  /// Bytes of a flag's name.
  package static let flagNameBytes = 200

  // MARK: Pictures

  /// Bytes of a picture: as much as a large photograph has.
  package static let pictureBytes = 16 << 20
  /// Pixels beyond which nothing is decoded: 24 million is a large photograph.
  package static let picturePixels = 24_000_000
  /// Pixels of one side, so that both multiplied do not overflow.
  package static let pictureSide = 100_000
  /// Pictures whose bytes are kept, for a resize draws them anew.
  package static let pictures = 4
  /// Pictures of one view; more are told by their alternative texts.
  package static let viewPictures = 8
}
