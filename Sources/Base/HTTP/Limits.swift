import Basics

extension Limits {
  /// The maximum number of redirects of one request; browsers follow at least as many.
  static let redirects = 10
  /// The maximum number of bytes of a response's header, all fields together; browsers stop at 256 KiB.
  static let headerBytes = 256 << 10
  /// The time after which idle connections are closed. Until then the next request needs no handshake.
  static let idleConnections = Duration.seconds(60)
  /// The maximum number of received bytes of a body that wait to be read: decompressing and storing are slower than a
  /// fast network.
  static let bodyAhead = 1 << 20
  /// The number of bytes that a waiting piece of a body counts as, in addition to its own.
  static let bodyPiece = 256
  /// The time limit of a second connection that finds out why the first one failed. It is enough for a server that
  /// responded a moment ago.
  static let diagnosisTime = Duration.seconds(2)
  /// The maximum number of bytes of one message of a stream: of a line, of an event's data, of a WebSocket's message or
  /// frame. ntfy's messages have 4 KB, Mastodon's notifications with their status some 10 KB.
  static let streamMessageBytes = 1 << 20
  /// The time without any data after which a stream counts as dead. ntfy and Gotify send a keepalive every 45 s,
  /// Mastodon every 15 s.
  static let streamSilence = Duration.seconds(180)

  /// The maximum number of content codings of one body (RFC 9110 section 8.4). Some servers apply two by mistake; each
  /// needs the memory of a window.
  static let contentCodings = 2
  /// The number of decompressed bytes that are always allowed, however few were received.
  static let expansionFloor = 8 << 20
  /// The maximum number of decompressed bytes per received byte, beyond `expansionFloor`. Feeds compress to a tenth,
  /// very uniform ones to a hundredth; decompression bombs to a thousandth or less.
  static let expansionFactor = 128
  /// The window of zstd as a power of two: 8 MiB, the maximum for a content coding (RFC 9659).
  static let zstdWindowLog: Int32 = 23
  /// The maximum number of bytes that a decoder produces at a time; limits and cancellation are checked in between.
  static let decodedPiece = 64 << 10

  /// The maximum number of bytes of a certificate file; the certificates of all authorities of a system have 200 KiB.
  static let certificateFileBytes = 4 << 20
}
