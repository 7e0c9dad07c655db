// Limits of single services.
extension Limits {
  /// Seconds after its start in which an Alertmanager may not have got its alerts again: Prometheus sends them each minute
  /// unless it is told otherwise.
  package static let alertmanagerStart = 300.0
  /// Alerts that are remembered one by one between two polls; with more, each poll asks since when the server runs.
  package static let knownAlerts = 1000
  /// After how many seconds without news a Mastodon server is asked how far the person has read elsewhere.
  package static let markerSeconds = 1800.0
  /// Notifications of Mastodon that are remembered between two polls, to see which are gone.
  package static let recentNotifications = 200
  /// Checks of Healthchecks that one poll asks for the time of their change; the next poll asks for the rest. The hosted
  /// service takes 100 requests a minute.
  package static let flipsPerPoll = 90
  /// Checks that are late or down, and are remembered between two polls.
  package static let rememberedChecks = 1000
  /// Ids of a Nextcloud that are remembered between two polls; it lists 25.
  package static let knownNotifications = 500
  /// Releases whose notes one poll of GitHub fetches, each with a request of its own.
  package static let releaseNotes = 5
  /// Pages of 60 notifications that one poll of a Discourse fetches, which takes 20 requests a minute.
  package static let discoursePages = 10
}
