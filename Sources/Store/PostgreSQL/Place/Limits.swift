import Limits

extension Limits {
  /// How often the list is looked at where PostgreSQL can't notify: behind a pooler, or where there are no more connections.
  static let databaseLooking = Duration.seconds(60)
  /// How soon a connection that was lost while it listened is made again.
  static let databaseListeningAgain = Duration.seconds(1)
}
