package import Basics

extension Limits {
  /// The time within which the failure of a program for links means that the link was not shown. Later, it is a browser
  /// that exited.
  static let linkFailureTime = Duration.seconds(5)
  /// The maximum number of bytes of the log before a new one begins. The previous one is kept, so that both have at
  /// most twice as many.
  package static let logBytes = 1 << 20
  /// The maximum number of characters in one line of the log: enough for a sentence, but a publisher's text cannot
  /// quickly fill the log.
  static let logLineCharacters = 4000
  static let paneNameCharacters = 80
  /// The maximum number of bytes of tmux's output: a line for each attached terminal.
  package static let paneAnswerBytes = 64 << 10
  package static let paneTime = Duration.seconds(2)

  // MARK: A hub as a place

  /// The time for which a hub is asked to delay its response, in seconds: proxies close connections that are silent for
  /// a minute.
  static let hubPlaceWait = 50
  /// The pause before the next request if a hub has responded too early that nothing is new.
  static let hubPlaceRest = Duration.milliseconds(500)
  /// The maximum number of bytes of a page of a hub's list of objects.
  static let hubPlacePageBytes = 1 << 20

  // MARK: Sync

  /// The maximum number of bytes of own changes in one object; a single change may have more.
  static let sentObjectBytes = 4 << 20
  /// The number of small own objects above which they are joined into one, so that a location has few.
  static let smallObjects = 32
  static let smallObjectBytes = 256 << 10
  /// The time for which a poll waits for the location, and a command for its change, in seconds.
  static let secondsBeforePoll = 30.0
  static let secondsAfterAct = 5.0
  /// The time until a location that announced no changes is checked again, in seconds.
  static let secondsOfWatching = 600
  /// The time before a failed location is tried again, in seconds, after the first failure and at most.
  static let firstSyncBackoff: Int64 = 5
  static let longestSyncBackoff: Int64 = 900
}
