import Basics

// Limits on requests of publishers and readers, and on their networks.
extension Limits {
  /// Days from now to an end or a beginning that is given as a span: 100 years.
  static let hubSpanDays = 36_500
  /// Items of a delivery; for further alerts the item has only their number.
  static let hubHookItems = 500
  /// Bytes of a line, an address and the body that a delivery gives an item. Escaped, they fit into an item.
  static let hubHookLineBytes = 500
  static let hubHookAddressBytes = 4000
  static let hubHookBodyBytes = 8000
  static let hubHookTags = 10
  /// Signatures of a delivery that are compared.
  static let hubHookSignatures = 10
  /// Seconds by which the time of a signature may differ from ours.
  static let hubHookSeconds = 300.0
  /// Bytes of a webhook's secret, at least.
  package static let hubHookSecretBytes = 16
  static let hubFormFields = 100
  static let hubDocumentPathBytes = 500
  /// Problems of a document that an answer names.
  static let hubDocumentProblems = 100

  /// Requests that are stored in one transaction.
  static let hubBatchRequests = 256
  /// The longest time for which a transaction waits for requests that may share it.
  static let hubGathering = Duration.milliseconds(5)
  /// Items that wait to be stored; more are refused.
  static let hubQueueItems = 2000
  /// Rows of each kind that a sweep changes at a time.
  package static let hubSweepRows = 5000
  /// The ids that are left out after a backup was restored.
  package static let hubRestoredIDs: Int64 = 1_000_000
  /// Rows and bytes that are copied in one statement.
  static let hubCopyRows = 500
  static let hubCopyBytes = 4 << 20

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
  /// Requests a minute of one token, or of one address without a token, unless the settings have other numbers; twice as many at
  /// once.
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
  static let hubDocumentBytes = 2 << 20
  /// Newest items of a feed in Atom and JSON Feed.
  static let hubFeedEntries = 100
  /// Bytes of an object of a machine that synchronises.
  static let hubObjectBytes = placeObjectBytes
  static let hubPageObjects = 1000

  // MARK: A hub on PostgreSQL

  /// Seconds for which readers have answers from memory while the store is away.
  static let hubMemorySeconds = 10

  /// Reads that wait for a connection. Each is a reader behind the newest item; readers of the newest item are served from memory.
  static let hubReadsWaiting = 2000
  /// A host that isn't connected to in so long is out of reach.
  static let hubConnecting = Duration.seconds(3)
  /// Without any progress of an answer for so long, the server has failed. It ends statements itself after 5 s.
  static let hubDatabaseSilence = Duration.seconds(10)
  /// The wait before a lost connection is opened again, doubled each time, up to the second value.
  static let hubReconnecting = Duration.milliseconds(100)
  static let hubReconnectingLatest = Duration.seconds(5)
  /// The interval at which other hubs' items are read where PostgreSQL notifies of them, and where it can't: behind a pooler.
  static let hubLooking = Duration.seconds(5)
  static let hubLookingBehindPooler = Duration.seconds(1)
  /// Bytes that `password_command` may print, and the time that it may run.
  static let hubPasswordBytes = 4 << 10
  static let hubPasswordTime = Duration.seconds(10)
  /// Days for which it is kept who did what.
  static let hubAuditDays: Int64 = 400
  /// Bytes of all documents together.
  package static let hubDocumentsBytes = 256 << 20
  /// Bytes of a page of items.
  package static let hubPageBytes = 4 << 20
  /// Bytes of all objects of one user.
  static let hubPersonBytes = 1 << 30
  /// Seconds for which the response to a request with Idempotency-Key is kept.
  static let hubReceiptSeconds: Int64 = 96 * 3600
}
