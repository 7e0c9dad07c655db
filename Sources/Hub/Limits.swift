import Basics

// Limits on requests of publishers and readers, and on their networks.
extension Limits {
  /// The days from now to an end or a beginning that is given as a span: 100 years.
  static let hubSpanDays = 36_500
  /// The items of a delivery. If there are more alerts, the item contains only their number.
  static let hubHookItems = 500
  /// The bytes of a line, a URL and the body that a delivery adds to an item. Escaped, they fit into an item.
  static let hubHookLineBytes = 500
  static let hubHookAddressBytes = 4000
  static let hubHookBodyBytes = 8000
  static let hubHookTags = 10
  /// The signatures of a delivery that are compared.
  static let hubHookSignatures = 10
  /// The seconds by which the time of a signature may differ from ours.
  static let hubHookSeconds = 300.0
  /// The minimum number of bytes of a webhook's secret.
  package static let hubHookSecretBytes = 16
  static let hubFormFields = 100
  static let hubDocumentPathBytes = 500
  /// The problems of a document that a response lists.
  static let hubDocumentProblems = 100

  /// The requests that are stored in one transaction.
  static let hubBatchRequests = 256
  /// The longest time for which a transaction waits for requests that may share it.
  static let hubGathering = Duration.milliseconds(5)
  /// The items that may wait to be stored; more are refused.
  static let hubQueueItems = 2000
  /// The rows of each kind that a sweep changes at a time.
  package static let hubSweepRows = 5000
  /// The ids that are left out after a backup was restored.
  package static let hubRestoredIDs: Int64 = 1_000_000
  /// The rows and bytes that are copied in one statement.
  static let hubCopyRows = 500
  static let hubCopyBytes = 4 << 20

  // MARK: The hub

  /// The bytes of a request's head: its line and its fields.
  static let hubHeadBytes = 16 << 10
  /// The seconds to send a request's body, and until a connection without a request is closed.
  static let hubRequestSeconds = 30
  static let hubIdleSeconds = 60
  /// The items of a page: the maximum, and the number without `limit`.
  static let hubPageItems = 1000
  static let hubUsualPageItems = 100
  /// The seconds for which an empty page is held.
  static let hubWaitSeconds = 300
  /// The bytes of the value of Idempotency-Key.
  static let hubIdempotencyKeyBytes = 200
  /// The requests per minute of one token, or of one address without a token, unless the settings specify other
  /// numbers; twice as many at the same time.
  static let hubPublishPerMinute = 600
  static let hubReadPerMinute = 600
  static let hubFailedTokensPerMinute = 10
  /// The tokens and addresses whose requests are counted, and the tokens that are cached.
  static let hubRemembered = 20_000
  /// The seconds for which a token is cached.
  static let hubTokenSeconds = 10.0
  /// The seconds that running requests have at the end.
  static let hubEndSeconds = 10
  /// The bytes of all bodies that are being received.
  static let hubBodiesBytes = 64 << 20
  /// The bytes of a file with the hub's own certificate, or with its key.
  static let hubTLSFileBytes = 1 << 20
  /// The bytes that are still read of a body whose request already has a response, and the seconds for them; then the
  /// connection is closed.
  static let hubRestBytes = 1 << 20
  static let hubRestSeconds: Int64 = 5
  static let hubDocumentBytes = 2 << 20
  /// The newest items of a feed in Atom and JSON Feed.
  static let hubFeedEntries = 100
  /// The bytes of an object of a machine that synchronises.
  static let hubObjectBytes = placeObjectBytes
  static let hubPageObjects = 1000

  // MARK: A hub on PostgreSQL

  /// The seconds for which readers get responses from memory while the store is unavailable.
  static let hubMemorySeconds = 10

  /// The reads that may wait for a connection. Each is from a reader that lacks the newest item; the others are served
  /// from memory.
  static let hubReadsWaiting = 2000
  /// The time to connect to a host, after which it counts as unreachable.
  static let hubConnecting = Duration.seconds(3)
  /// The time without any progress of a response after which the server has failed. It ends statements itself after 5
  /// s.
  static let hubDatabaseSilence = Duration.seconds(10)
  /// The wait before a lost connection is opened again, doubled each time, up to the second value.
  static let hubReconnecting = Duration.milliseconds(100)
  static let hubReconnectingLatest = Duration.seconds(5)
  /// The interval at which other hubs' items are read if PostgreSQL notifies of them, and if it can't, behind a pooler.
  static let hubLooking = Duration.seconds(5)
  static let hubLookingBehindPooler = Duration.seconds(1)
  /// The bytes that `password_command` may print, and the time that it may run.
  static let hubPasswordBytes = 4 << 10
  static let hubPasswordTime = Duration.seconds(10)
  /// The days for which the audit is kept.
  static let hubAuditDays: Int64 = 400
  /// The bytes of all documents together.
  package static let hubDocumentsBytes = 256 << 20
  /// The bytes of a page of items.
  package static let hubPageBytes = 4 << 20
  /// The bytes of all objects of one user.
  static let hubPersonBytes = 1 << 30
  /// The seconds for which the response to a request with Idempotency-Key is kept.
  static let hubReceiptSeconds: Int64 = 96 * 3600
}
