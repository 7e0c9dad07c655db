import Basics

// Limits on requests of publishers and readers, and on their networks.
extension Limits {
  /// The maximum number of days of a time span from now: 100 years.
  static let hubSpanDays = 36_500
  /// The maximum number of items of a webhook's delivery. Further alerts become one item with their number; a longer
  /// list for templates is rejected.
  static let hubHookItems = 500
  /// The maximum numbers of bytes of a line, a URL and the body that a delivery adds to an item, and the maximum number
  /// of its tags. Even escaped, all of them fit into an item.
  static let hubHookLineBytes = 500
  static let hubHookAddressBytes = 4000
  static let hubHookBodyBytes = 8000
  static let hubHookTags = 10
  /// The maximum number of signatures of a delivery that are compared.
  static let hubHookSignatures = 10
  /// The seconds by which the time of a signature may differ from ours.
  static let hubHookSeconds = 300.0
  /// The minimum number of bytes of a webhook's secret.
  package static let hubHookSecretBytes = 16
  static let hubFormFields = 100
  static let hubDocumentPathBytes = 500
  /// The maximum number of problems of a document that a response lists.
  static let hubDocumentProblems = 100

  /// The maximum number of requests that are stored in one transaction.
  static let hubBatchRequests = 256
  /// The longest time for which a transaction waits for requests that may share it.
  static let hubGathering = Duration.milliseconds(5)
  /// The maximum number of items that wait to be stored; more are refused.
  static let hubQueueItems = 2000
  /// The maximum number of rows of each kind that a sweep changes at a time.
  package static let hubSweepRows = 5000
  /// The number of ids that are skipped after a backup was restored.
  package static let hubRestoredIDs: Int64 = 1_000_000
  /// The maximum numbers of rows and bytes that are copied in one statement.
  static let hubCopyRows = 500
  static let hubCopyBytes = 4 << 20

  // MARK: The hub

  /// The maximum number of bytes of a request's head: its line and its fields.
  static let hubHeadBytes = 16 << 10
  /// The seconds to send a request's body, and until a connection without a request is closed.
  static let hubRequestSeconds = 30
  static let hubIdleSeconds = 60
  /// The number of items of a page: the maximum, and the number without `limit`.
  static let hubPageItems = 1000
  static let hubUsualPageItems = 100
  /// The maximum number of seconds for which the response with an empty page is held until there are new items.
  static let hubWaitSeconds = 300
  /// The maximum number of bytes of the value of Idempotency-Key.
  static let hubIdempotencyKeyBytes = 200
  /// The maximum number of requests per minute of one token, or of one address without a token, unless the settings
  /// specify other numbers. Twice as many are allowed at the same time.
  static let hubPublishPerMinute = 600
  static let hubReadPerMinute = 600
  static let hubFailedTokensPerMinute = 10
  /// The maximum number of tokens and addresses whose requests are counted, and that of cached tokens.
  static let hubRemembered = 20_000
  /// The seconds for which a token is cached.
  static let hubTokenSeconds = 10.0
  /// The seconds that running requests have to finish when the hub stops.
  static let hubEndSeconds = 10
  /// The maximum number of bytes of all bodies that are being received.
  static let hubBodiesBytes = 64 << 20
  /// The maximum number of bytes of a file with the hub's own certificate, or with its key.
  static let hubTLSFileBytes = 1 << 20
  /// The maximum number of bytes that are still read of a body whose request already has a response, and the seconds
  /// for them; then the connection is closed.
  static let hubRestBytes = 1 << 20
  static let hubRestSeconds: Int64 = 5
  static let hubDocumentBytes = 2 << 20
  /// The maximum number of items of a feed in Atom and JSON Feed, the newest ones.
  static let hubFeedEntries = 100
  /// The maximum number of bytes of an object of a machine that synchronises, and the number of objects that one
  /// response lists.
  static let hubObjectBytes = placeObjectBytes
  static let hubPageObjects = 1000

  // MARK: A hub on PostgreSQL

  /// The seconds for which readers get responses from memory while the store is unavailable.
  static let hubMemorySeconds = 10

  /// The maximum number of reads that wait for a connection. Each is from a reader that lacks the newest item; other
  /// readers are served from memory.
  static let hubReadsWaiting = 2000
  /// The time to connect to a host, after which it counts as unreachable.
  static let hubConnecting = Duration.seconds(3)
  /// The time without any progress of a response after which the server has failed. It ends statements itself after 5
  /// s.
  static let hubDatabaseSilence = Duration.seconds(10)
  /// The wait before a lost connection is opened again, doubled each time, up to the second value.
  static let hubReconnecting = Duration.milliseconds(100)
  static let hubReconnectingLatest = Duration.seconds(5)
  /// The intervals at which other hubs' items are read: the first if PostgreSQL sends notifications of them, the second
  /// behind a pooler, where it can't.
  static let hubLooking = Duration.seconds(5)
  static let hubLookingBehindPooler = Duration.seconds(1)
  /// The maximum number of bytes that `password_command` may print, and the time that it may run.
  static let hubPasswordBytes = 4 << 10
  static let hubPasswordTime = Duration.seconds(10)
  /// The days for which the audit is kept.
  static let hubAuditDays: Int64 = 400
  /// The maximum number of bytes of all documents together.
  package static let hubDocumentsBytes = 256 << 20
  /// The maximum number of bytes of a page of items.
  package static let hubPageBytes = 4 << 20
  /// The maximum number of bytes of all objects of one user.
  static let hubPersonBytes = 1 << 30
  /// The seconds for which the response to a request with Idempotency-Key is kept.
  static let hubReceiptSeconds: Int64 = 96 * 3600
}
