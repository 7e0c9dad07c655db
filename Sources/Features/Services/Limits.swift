import Basics

extension Limits {
  // MARK: Requests

  /// The time for which the server of a native feed is requested to hold a response: many proxies end a request that is
  /// silent for 60 s.
  static let nativeWait = Duration.seconds(50)
  /// The number of polls until the whole list of a service is read again, to learn what was done elsewhere; the other
  /// polls need only new elements.
  static let pollsUntilWhole = 5
  /// The seconds until the list is read again, however few polls there were.
  static let wholeListSeconds = 600.0
  /// The seconds until a list is read again that contains everything that ever existed.
  static let longListSeconds = 6 * 3600.0
  /// The pages that the first poll reads of a service that keeps its messages for years.
  static let firstPages = 5
  /// The seconds by which a list is read beyond the newest known element, since servers insert some late.
  static let listOverlap = 120.0
  /// The applications of a service whose names are remembered.
  static let applicationNames = 1000
  /// The requests with an act of the user that a service gets without a pause between them, if it requires pauses.
  static let writesAtOnce = 10
  /// The seconds to wait if GitHub's secondary limit is reached without a given time.
  static let secondaryLimitSeconds = 60.0
  /// The seconds of an ntfy server's messages that are read again: it delivers delayed ones up to ten seconds late.
  static let ntfyOverlap = 60
  /// Characters of an ntfy server's version.
  static let ntfyVersionCharacters = 32
  /// The items requested in one page.
  static let nativeItemsPerPage = 1000

  // MARK: Programs that reddot starts

  /// The lines of the standard error of a source's program that one poll adds to the log.
  static let loggedComplaints = 10

  // MARK: Services that read feeds for their user

  /// The entries of one page of a backlog; Miniflux returns no more.
  static let backlogPage = 1000
  /// The pages of a backlog that one poll reads: a backlog may have 100,000 entries.
  static let backlogParts = 500
  /// The seconds from a poll that had to leave a part of a backlog to the next one.
  static let backlogPauseSeconds = 1.0
  /// The seconds until a poll of a Google Reader API reads the starred ids again if the unread ones have not changed.
  static let starredSeconds = 3600.0
  /// The ids in one page of a Google Reader API; Miniflux returns no more.
  static let googleReaderIDs = 10_000
  /// The items whose bodies or marks are sent in one request: FreshRSS reads at most 1 MiB of a form.
  static let googleReaderBatch = 250
  /// The ids of one list that are remembered while it is read; a longer list isn't read whole.
  static let googleReaderMost = 500_000
  /// The items that one part reports as unread.
  static let googleReaderMarks = 10_000

  // MARK: The hub

  /// The number of times that reddot sends an item before it gives up, and the longest pause between two that a hub may
  /// request.
  static let hubPublishAttempts = 3
  static let hubPublishPause = Duration.seconds(10)

  // MARK: Features

  /// The bytes of the data of features: it is stored with each, and passed to a program as an argument, which Linux
  /// limits to 128 KiB.
  static let featureDataBytes = 64 << 10

  // MARK: Single services

  /// The seconds after its start in which an Alertmanager may not have received its alerts again: by default Prometheus
  /// sends them each minute.
  static let alertmanagerStart = 300.0
  /// The alerts that are remembered individually between two polls; with more, each poll requests the start time of the
  /// server.
  static let knownAlerts = 1000
  /// The seconds without new notifications after which a Mastodon server is queried for the user's read position
  /// elsewhere.
  static let markerSeconds = 1800.0
  /// The notifications of Mastodon that are remembered between two polls, to see which were removed.
  static let recentNotifications = 200
  /// The checks of Healthchecks for which one poll requests the time of their change; the next poll requests the rest.
  /// The hosted service accepts 100 requests per minute.
  static let flipsPerPoll = 90
  /// The late or failed checks that are remembered between two polls.
  static let rememberedChecks = 1000
  /// The ids of a Nextcloud that are remembered between two polls; it lists 25.
  static let knownNotifications = 500
  /// The seconds from the end of an issue or a pull request of GitHub to the last event that belongs to the end, since
  /// threads are updated later. An event after that still has to be read.
  static let closingSeconds = 60.0
  /// The releases whose notes one poll of GitHub fetches, each with a separate request.
  static let releaseNotes = 5
  /// The pages of 60 notifications that one poll of a Discourse fetches, which accepts 20 requests per minute.
  static let discoursePages = 10
}
