// Services that read feeds for their user: Miniflux, FreshRSS.
extension Limits {
  /// Entries of one page of a backlog; Miniflux answers no more.
  package static let backlogPage = 1000
  /// Pages of it that one poll reads: a backlog may have 100,000 entries.
  package static let backlogParts = 500
  /// Seconds from a poll that had to leave some of a backlog to the next one.
  package static let backlogPauseSeconds = 1.0
  /// Seconds until a poll of a Google Reader API reads the starred ids again where the unread ones have not changed.
  package static let starredSeconds = 3600.0
  /// Ids in one page of a Google Reader API; Miniflux answers no more.
  package static let googleReaderIDs = 10_000
  /// Items whose bodies or marks are one request: FreshRSS reads at most 1 MiB of a form.
  package static let googleReaderBatch = 250
  /// Ids of one list that are remembered while it is read; a list that goes on behind them isn't read whole.
  package static let googleReaderMost = 500_000
  /// Items of which one part says that they are unread.
  package static let googleReaderMarks = 10_000
}
