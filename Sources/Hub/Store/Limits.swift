import Limits

extension Limits {
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
}
