import Basics

extension Limits {
  /// The interval at which the list of objects is read if PostgreSQL can't send notifications: behind a pooler, or
  /// without a free connection.
  static let databaseLooking = Duration.seconds(60)
  /// The wait before a lost listening connection is opened again.
  static let databaseListeningAgain = Duration.seconds(1)
  /// The time to connect to a PostgreSQL server, after which it counts as unreachable. The sum of this and
  /// `databaseSilence` is less than `placeSilence`, so that the reason is reported.
  static let databaseConnecting = Duration.seconds(15)
  /// The time without any progress of a response after which a PostgreSQL server has failed.
  static let databaseSilence = Duration.seconds(30)
}
