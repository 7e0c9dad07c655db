import Basics

extension Limits {
  // MARK: Requests

  /// How long the server of a native feed is asked to hold a request: many proxies end one that is silent for 60 s.
  static let nativeWait = Duration.seconds(50)
  /// Polls until the whole list of a service is read again, to see what was done elsewhere: the news alone would do
  /// for the others.
  static let pollsUntilWhole = 5
  /// Seconds until it is read again, however few polls there were.
  static let wholeListSeconds = 600.0
  /// The same where a list has all that there ever was.
  static let longListSeconds = 6 * 3600.0
  /// Pages that the first poll of a service reads that keeps its messages for years.
  static let firstPages = 5
  /// Seconds by which a list is read beyond the newest element that is known: servers enter some late.
  static let listOverlap = 120.0
  /// Applications of a service whose names are remembered.
  static let applicationNames = 1000
  /// Requests with an act of the user that a service gets without a pause between them, if it asks for pauses.
  static let writesAtOnce = 10
  /// Seconds to wait where GitHub's second limit is reached and it doesn't say how long.
  static let secondaryLimitSeconds = 60.0
  /// Seconds that are read again of an ntfy server's messages: it delivers delayed ones up to ten seconds late.
  static let ntfyOverlap = 60
  /// Items requested in one page.
  static let nativeItemsPerPage = 1000

  // MARK: Programs that reddot starts

  /// Lines of the standard error of a source's program that one poll adds to the log.
  static let loggedComplaints = 10

  // MARK: Services that read feeds for their user

  /// Entries of one page of a backlog; Miniflux answers no more.
  static let backlogPage = 1000
  /// Pages of it that one poll reads: a backlog may have 100,000 entries.
  static let backlogParts = 500
  /// Seconds from a poll that had to leave some of a backlog to the next one.
  static let backlogPauseSeconds = 1.0
  /// Seconds until a poll of a Google Reader API reads the starred ids again where the unread ones have not changed.
  static let starredSeconds = 3600.0
  /// Ids in one page of a Google Reader API; Miniflux answers no more.
  static let googleReaderIDs = 10_000
  /// Items whose bodies or marks are one request: FreshRSS reads at most 1 MiB of a form.
  static let googleReaderBatch = 250
  /// Ids of one list that are remembered while it is read; a list that goes on behind them isn't read whole.
  static let googleReaderMost = 500_000
  /// Items of which one part says that they are unread.
  static let googleReaderMarks = 10_000

  // MARK: The hub

  /// How often reddot sends an item before it gives up, and the longest pause between two that a hub may ask for.
  static let hubPublishAttempts = 3
  static let hubPublishPause = Duration.seconds(10)

  // MARK: Features

  /// Bytes of the data of features: it is stored with each, and passed to a program as an argument,
  /// which Linux limits to 128 KiB.
  static let featureDataBytes = 64 << 10

  // MARK: Single services

  /// Seconds after its start in which an Alertmanager may not have got its alerts again: Prometheus sends them each minute
  /// unless it is told otherwise.
  static let alertmanagerStart = 300.0
  /// Alerts that are remembered one by one between two polls; with more, each poll asks since when the server runs.
  static let knownAlerts = 1000
  /// After how many seconds without news a Mastodon server is asked how far the person has read elsewhere.
  static let markerSeconds = 1800.0
  /// Notifications of Mastodon that are remembered between two polls, to see which are gone.
  static let recentNotifications = 200
  /// Checks of Healthchecks that one poll asks for the time of their change; the next poll asks for the rest. The hosted
  /// service takes 100 requests a minute.
  static let flipsPerPoll = 90
  /// Checks that are late or down, and are remembered between two polls.
  static let rememberedChecks = 1000
  /// Ids of a Nextcloud that are remembered between two polls; it lists 25.
  static let knownNotifications = 500
  /// Releases whose notes one poll of GitHub fetches, each with a request of its own.
  static let releaseNotes = 5
  /// Pages of 60 notifications that one poll of a Discourse fetches, which takes 20 requests a minute.
  static let discoursePages = 10
}
