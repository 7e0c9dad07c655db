import Basics

extension Limits {
  // MARK: Requests

  /// The time for which the server of a native feed is requested to hold a response until there is something new. It is
  /// less than 60 s, after which many proxies end a silent request.
  static let nativeWait = Duration.seconds(50)
  /// The number of polls until the whole list of a service is read again, to learn what was done elsewhere; the other
  /// polls need only new elements.
  static let pollsUntilWhole = 5
  /// The number of seconds until the whole list of a service is read again, regardless of the number of polls.
  static let wholeListSeconds = 600.0
  /// The number of seconds until a list is read again as a whole if it contains everything that ever existed.
  static let longListSeconds = 6 * 3600.0
  /// The number of pages that the first poll reads from a service that keeps its messages for years.
  static let firstPages = 5
  /// The number of seconds by which a list is read beyond the newest known element, since servers insert some elements
  /// late.
  static let listOverlap = 120.0
  /// The number of applications of a service whose names are stored.
  static let applicationNames = 1000
  /// The number of changes by the user that are sent to a service without a pause between the requests, if the service
  /// requires pauses.
  static let writesAtOnce = 10
  /// The number of seconds to wait if GitHub reports that its secondary rate limit is reached, but not until when.
  static let secondaryLimitSeconds = 60.0
  /// The number of seconds by which the messages of an ntfy server are read again, since it delivers delayed messages
  /// up to ten seconds late.
  static let ntfyOverlap = 60
  /// The maximum number of characters of an ntfy server's version.
  static let ntfyVersionCharacters = 32
  /// The number of items that are requested in one page of a native feed.
  static let nativeItemsPerPage = 1000

  // MARK: Programs that reddot starts

  /// The number of lines of a source's program's standard error that one poll adds to the log.
  static let loggedComplaints = 10

  // MARK: Services that read feeds for their user

  /// The number of entries in one page of the unread entries that a first poll reads; Miniflux returns no more.
  static let backlogPage = 1000
  /// The number of pages of unread entries that one poll reads, since a user may have 100,000 of them.
  static let backlogParts = 500
  /// The number of seconds until the next poll if a poll had to leave some of the unread entries.
  static let backlogPauseSeconds = 1.0
  /// The number of seconds until a poll of a Google Reader API reads the starred ids again if the unread ids have not
  /// changed.
  static let starredSeconds = 3600.0
  /// The number of ids in one page of a Google Reader API; Miniflux returns no more.
  static let googleReaderIDs = 10_000
  /// The number of items whose bodies are fetched, or whose states are sent, in one request: FreshRSS reads at most 1
  /// MiB of a form.
  static let googleReaderBatch = 250
  /// The number of ids of one list that are kept while it is read; the rest of a longer list isn't read.
  static let googleReaderMost = 500_000
  /// The maximum number of items that one part of a poll reports as unread.
  static let googleReaderMarks = 10_000

  // MARK: The hub

  /// The number of times that an item is sent to a hub before publishing fails.
  static let hubPublishAttempts = 3
  /// The longest pause before a repetition that a hub may request; after a longer one, publishing fails.
  static let hubPublishPause = Duration.seconds(10)

  // MARK: Features

  /// The maximum number of bytes of a feature notification's data. The data is stored with each feature, and passed to
  /// a program as an argument, which Linux limits to 128 KiB.
  static let featureDataBytes = 64 << 10

  // MARK: Single services

  /// The number of seconds after the start of an Alertmanager in which its list may still lack alerts: by default
  /// Prometheus sends them each minute.
  static let alertmanagerStart = 300.0
  /// The maximum number of an Alertmanager's alerts that are remembered from one poll to the next. If there
  /// are more, no poll can tell whether an alert is missing. Then each poll requests the server's start time,
  /// since missing alerts are resolved only if the server has run long enough to know all alerts.
  static let knownAlerts = 1000
  /// The number of seconds without new notifications after which a Mastodon server is queried for the position up to
  /// which the user has read elsewhere.
  static let markerSeconds = 1800.0
  /// The number of Mastodon notifications that are stored between two polls, to find out which ones were removed.
  static let recentNotifications = 200
  /// The number of checks of Healthchecks for which one poll requests the time of their last change; the next poll
  /// requests the rest. The hosted service accepts 100 requests per minute.
  static let flipsPerPoll = 90
  /// The number of late or failed checks that are stored between two polls.
  static let rememberedChecks = 1000
  /// The number of Nextcloud notification ids that are stored between two polls; the server lists 25 notifications.
  static let knownNotifications = 500
  /// The number of seconds after the end of a GitHub issue or pull request in which an event still belongs to its end,
  /// since threads are updated later. A later event still has to be read.
  static let closingSeconds = 60.0
  /// The number of releases whose notes one poll of GitHub fetches, each with a separate request.
  static let releaseNotes = 5
  /// The number of pages of 60 notifications that one poll of a Discourse server fetches; the server accepts 20
  /// requests per minute.
  static let discoursePages = 10
}
