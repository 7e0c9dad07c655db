import Basics

extension Limits {
  /// The interval at which the list is read where PostgreSQL can't notify: behind a pooler, or without a free connection.
  static let databaseLooking = Duration.seconds(60)
  /// The wait before a connection that was lost while it listened is opened again.
  static let databaseListeningAgain = Duration.seconds(1)
  /// A server of PostgreSQL that isn't connected to in so long is out of reach. With `databaseSilence` it is
  /// less than `placeSilence`, so that the reason is reported.
  static let databaseConnecting = Duration.seconds(15)
  /// Without any progress of an answer for so long, a server of PostgreSQL has failed.
  static let databaseSilence = Duration.seconds(30)
}
