// The hub: what publishers, readers and their networks may ask of it.
extension Limits {
  /// Bytes of one published item, and of a request with several.
  package static let hubItemBytes = 64 << 10
  package static let hubRequestBytes = 1 << 20
  /// Items of one request.
  package static let hubRequestItems = 100
  /// Bytes of a request's head: its line and its fields.
  package static let hubHeadBytes = 16 << 10
  /// Seconds to send a request's body, and until a connection without a request is closed.
  package static let hubRequestSeconds = 30
  package static let hubIdleSeconds = 60
  /// Items of a page: the most, and without `limit`.
  package static let hubPageItems = 1000
  package static let hubUsualPageItems = 100
  package static let hubPageBytes = 4 << 20
  /// Seconds for which an empty page is held.
  package static let hubWaitSeconds = 300
  /// Readers for whom a page is held, unless the settings say another number.
  package static let hubWaiting = 20_000
  /// Connections besides those of waiting readers.
  package static let hubConnections = 2000
  /// The same where the system allows too few open files, and files that a hub has open besides connections.
  package static let hubLeastConnections = 100
  package static let hubOwnFiles = 200
  /// Requests that are stored in one transaction.
  package static let hubBatchRequests = 256
  /// The longest time for which a transaction waits for requests that may share it.
  package static let hubGathering = Duration.milliseconds(5)
  /// What waits to be stored; more is refused.
  package static let hubQueueItems = 2000
  package static let hubQueueBytes = 8 << 20
  /// Bytes of the value of Idempotency-Key.
  package static let hubIdempotencyKeyBytes = 200
  /// Seconds for which the answer to such a request is kept.
  package static let hubReceiptSeconds: Int64 = 96 * 3600
  /// Days for which it is kept who did what.
  package static let hubAuditDays: Int64 = 400
  /// Days from now to an end or a beginning that is given as a span: 100 years.
  package static let hubSpanDays = 36_500
  /// Days for which what is over is kept for its readers.
  package static let hubKeepDays = 36_500
  /// Requests a minute of one token, else of one address, unless the settings say other numbers; twice as many at once.
  package static let hubPublishPerMinute = 600
  package static let hubReadPerMinute = 600
  package static let hubFailedTokensPerMinute = 10
  /// Tokens and addresses whose requests are counted, and tokens that are remembered.
  package static let hubRemembered = 20_000
  /// Seconds for which a token is remembered.
  package static let hubTokenSeconds = 10.0
  /// Seconds that running requests have at the end.
  package static let hubEndSeconds = 10
  /// Bytes of the hub's settings.
  package static let hubSettingsBytes = 1 << 20
  /// Bytes of the title of a feed and of the name of a token.
  package static let hubNameBytes = 200
  /// Bytes of a delivery to a webhook, whose senders cap theirs at 25 MB; and bytes of all bodies that are being received.
  package static let hubHookBytes = 5 << 20
  package static let hubBodiesBytes = 64 << 20
  /// Items of a delivery; of more alerts only the count is said.
  package static let hubHookItems = 500
  /// Bytes of an item's texts that a delivery gives: a line, an address, the body. Escaped, they fit into an item.
  package static let hubHookLineBytes = 500
  package static let hubHookAddressBytes = 4000
  package static let hubHookBodyBytes = 8000
  package static let hubHookTags = 10
  /// Signatures of a delivery that are compared.
  package static let hubHookSignatures = 10
  /// Seconds by which the time of a signature may differ from ours.
  package static let hubHookSeconds = 300.0
  /// Fields of a form.
  package static let hubFormFields = 100
  /// Webhooks of the settings, and seconds for a program that prints a secret.
  package static let hubHooks = 1000
  package static let hubSecretSeconds = 10
  package static let hubSecretBytes = 64 << 10
  /// Bytes of a file with the hub's own certificate, or with its key.
  package static let hubTLSFileBytes = 1 << 20
  /// Bytes that are still read of a body whose request is already answered, and seconds for them; then it is cut.
  package static let hubRestBytes = 1 << 20
  package static let hubRestSeconds: Int64 = 5
  /// Bytes of a document, of all documents together, and of the path of one.
  package static let hubDocumentBytes = 2 << 20
  package static let hubDocumentsBytes = 256 << 20
  package static let hubDocumentPathBytes = 500
  /// Problems of a document that an answer names.
  package static let hubDocumentProblems = 100
  /// How often reddot sends an item before it gives up, and the longest pause between two that a hub may ask for.
  package static let hubPublishAttempts = 3
  package static let hubPublishPause = Duration.seconds(10)
  /// Newest items of a feed in Atom and JSON Feed.
  package static let hubFeedEntries = 100
  /// Bytes of an object of a machine that synchronises, of all objects of a person, and objects of a page.
  package static let hubObjectBytes = placeObjectBytes
  package static let hubPersonBytes = 1 << 30
  package static let hubPageObjects = 1000
}

// A hub on PostgreSQL.
extension Limits {
  /// Connections that read, unless the settings say another number, and the most.
  package static let hubReadConnections = 4
  package static let hubMostReadConnections = 64
  /// Reads that wait for one of them. Each is a reader behind the newest item; what is new to nobody is answered from memory.
  package static let hubReadsWaiting = 2000
  /// A host that isn't connected to in so long is out of reach.
  package static let hubConnecting = Duration.seconds(3)
  /// Without any progress of an answer for so long, the server has failed. It ends statements itself after 5 s.
  package static let hubDatabaseSilence = Duration.seconds(10)
  /// How soon a lost connection is made again: twice as late each time, up to the second.
  package static let hubReconnecting = Duration.milliseconds(100)
  package static let hubReconnectingLatest = Duration.seconds(5)
  /// How often other hubs' items are looked for where they are notified of, and where they can't be: behind a pooler.
  package static let hubLooking = Duration.seconds(5)
  package static let hubLookingBehindPooler = Duration.seconds(1)
  /// Seconds for which readers have answers from memory while the store is away.
  package static let hubMemorySeconds = 10
  /// What `password_command` may print, and how long it may run.
  package static let hubPasswordBytes = 4 << 10
  package static let hubPasswordTime = Duration.seconds(10)
  /// Rows and bytes that are copied in one statement.
  package static let hubCopyRows = 500
  package static let hubCopyBytes = 4 << 20
}
