import Limits

// A hub on PostgreSQL.
extension Limits {
  /// Reads that wait for a connection. Each is a reader behind the newest item; what is new to nobody is answered from memory.
  static let hubReadsWaiting = 2000
  /// A host that isn't connected to in so long is out of reach.
  static let hubConnecting = Duration.seconds(3)
  /// Without any progress of an answer for so long, the server has failed. It ends statements itself after 5 s.
  static let hubDatabaseSilence = Duration.seconds(10)
  /// How soon a lost connection is made again: twice as late each time, up to the second.
  static let hubReconnecting = Duration.milliseconds(100)
  static let hubReconnectingLatest = Duration.seconds(5)
  /// How often other hubs' items are looked for where they are notified of, and where they can't be: behind a pooler.
  static let hubLooking = Duration.seconds(5)
  static let hubLookingBehindPooler = Duration.seconds(1)
  /// What `password_command` may print, and how long it may run.
  static let hubPasswordBytes = 4 << 10
  static let hubPasswordTime = Duration.seconds(10)
}
