// Services that read feeds for their user: Miniflux, FreshRSS.
extension Limits {
  /// Entries that one poll takes of a backlog, which may have 100,000: those of a large feed, so that a poll stays within
  /// its deadline.
  package static let backlogEntries = 10_000
  /// By the first poll of a source: the list is soon there, and the next entries are fetched while these are stored.
  package static let firstBacklogEntries = 2_500
  /// Entries of one page of it; Miniflux answers no more.
  package static let backlogPage = 1000
  /// Seconds from a poll that had to leave some of a backlog to the next one.
  package static let backlogPauseSeconds = 1.0
  /// Seconds until a poll of a Google Reader API reads the starred ids again where the unread ones have not changed.
  package static let starredSeconds = 3600.0
  /// Ids in one page of a Google Reader API; Miniflux answers no more.
  package static let googleReaderIDs = 10_000
  /// Items whose bodies or marks are one request: FreshRSS reads at most 1 MiB of a form.
  package static let googleReaderBatch = 250
  /// Items whose bodies one poll reads: 20 requests, which take a small FreshRSS some seconds each.
  package static let googleReaderItems = 5000
}
