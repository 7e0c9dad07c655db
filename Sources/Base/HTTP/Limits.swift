import Basics

extension Limits {
  /// Redirects of one request; browsers follow at least as many.
  static let redirects = 10
  /// Bytes of the header of an answer, all its fields together; browsers stop at 256 KiB.
  static let headerBytes = 256 << 10
  /// Connections are closed when nothing was sent over any for so long: until then the next request saves a handshake.
  static let idleConnections = Duration.seconds(60)
  /// Bytes of a body that may wait for their reader: decompressing and storing are slower than a fast network.
  static let bodyAhead = 1 << 20
  /// What a piece of a body that waits costs besides its bytes.
  static let bodyPiece = 256
  /// Time for a second connection that finds out why the first one failed: enough for a server that answered just now.
  static let diagnosisTime = Duration.seconds(2)
  /// Bytes of one message of a stream: of a line, of an event's data, of a WebSocket's message or frame. ntfy's messages
  /// have 4 KB, Mastodon's notifications with their status some 10 KB.
  static let streamMessageBytes = 1 << 20
  /// A stream that says nothing for so long is taken as dead: ntfy and Gotify show every 45 s that they are there, Mastodon
  /// every 15 s.
  static let streamSilence = Duration.seconds(180)

  /// Content codings of one body (RFC 9110 section 8.4). Some servers apply two by mistake; each needs the memory of
  /// a window.
  static let contentCodings = 2
  /// Decompressed bytes that are always allowed.
  static let expansionFloor = 8 << 20
  /// Decompressed bytes per received byte beyond that. Feeds compress to a tenth, very uniform ones to a
  /// hundredth; decompression bombs to a thousandth or less.
  static let expansionFactor = 128
  /// The window of zstd as a power of two: 8 MiB, the maximum for a content coding (RFC 9659).
  static let zstdWindowLog: Int32 = 23
  /// Bytes that a decoder produces at a time: limits and cancellation are checked in between.
  static let decodedPiece = 64 << 10

  /// Bytes of a file of certificates: all authorities of a system are 200 KiB.
  static let certificateFileBytes = 4 << 20
}
