import Limits

extension Limits {
  // MARK: The hub

  /// Bytes of a request's head: its line and its fields.
  static let hubHeadBytes = 16 << 10
  /// Seconds to send a request's body, and until a connection without a request is closed.
  static let hubRequestSeconds = 30
  static let hubIdleSeconds = 60
  /// Items of a page: the most, and without `limit`.
  static let hubPageItems = 1000
  static let hubUsualPageItems = 100
  /// Seconds for which an empty page is held.
  static let hubWaitSeconds = 300
  /// Bytes of the value of Idempotency-Key.
  static let hubIdempotencyKeyBytes = 200
  /// Requests a minute of one token, else of one address, unless the settings say other numbers; twice as many at once.
  static let hubPublishPerMinute = 600
  static let hubReadPerMinute = 600
  static let hubFailedTokensPerMinute = 10
  /// Tokens and addresses whose requests are counted, and tokens that are remembered.
  static let hubRemembered = 20_000
  /// Seconds for which a token is remembered.
  static let hubTokenSeconds = 10.0
  /// Seconds that running requests have at the end.
  static let hubEndSeconds = 10
  /// Bytes of all bodies that are being received.
  static let hubBodiesBytes = 64 << 20
  /// Bytes of a file with the hub's own certificate, or with its key.
  static let hubTLSFileBytes = 1 << 20
  /// Bytes that are still read of a body whose request is already answered, and seconds for them; then it is cut.
  static let hubRestBytes = 1 << 20
  static let hubRestSeconds: Int64 = 5
  /// Bytes of a document.
  static let hubDocumentBytes = 2 << 20
  /// Newest items of a feed in Atom and JSON Feed.
  static let hubFeedEntries = 100
  /// Bytes of an object of a machine that synchronises.
  static let hubObjectBytes = placeObjectBytes
  /// Objects of a page.
  static let hubPageObjects = 1000

  // MARK: A hub on PostgreSQL

  /// Seconds for which readers have answers from memory while the store is away.
  static let hubMemorySeconds = 10
}
