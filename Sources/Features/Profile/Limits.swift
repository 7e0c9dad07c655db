package import Basics

extension Limits {
  /// The time after the start of a program for links within which its failure means that the link was not shown. A
  /// program that fails later is a browser that exited.
  static let linkFailureTime = Duration.seconds(5)
  /// The maximum number of bytes of the log before a new one begins. The previous one is kept, so that both have at
  /// most twice as many.
  package static let logBytes = 1 << 20
  /// The maximum number of characters in one line of the log: enough for a sentence, but a publisher's text cannot
  /// quickly fill the log.
  static let logLineCharacters = 4000
  /// The maximum number of characters of a pane's name.
  static let paneNameCharacters = 80
  /// The maximum number of bytes of tmux's output: a line for each attached terminal.
  package static let paneAnswerBytes = 64 << 10
  /// The maximum time for one command that queries or controls tmux, kitty or WezTerm.
  package static let paneTime = Duration.seconds(2)

  // MARK: A hub as a sync location

  /// The maximum time, in seconds, for which a hub is asked to delay its response until something changes: proxies
  /// close connections that are silent for a minute.
  static let hubPlaceWait = 50
  /// The pause before the next request if a hub has responded before `hubPlaceWait` has passed, although
  /// nothing is new.
  static let hubPlaceRest = Duration.milliseconds(500)
  /// The maximum number of bytes of a page of a hub's list of objects.
  static let hubPlacePageBytes = 1 << 20

  // MARK: Sync

  /// The maximum number of bytes of this machine's changes in one sync object; a single change may have more.
  static let sentObjectBytes = 4 << 20
  /// The number of this machine's small objects in a sync location above which they are joined into one, so that a
  /// location has few objects.
  static let smallObjects = 32
  /// The number of bytes below which an object counts as small.
  static let smallObjectBytes = 256 << 10
  /// The maximum time for which a poll waits for the sync location, in seconds.
  static let secondsBeforePoll = 30.0
  /// The maximum time for which a command waits until the sync location has its change, in seconds.
  static let secondsAfterAct = 5.0
  /// The time, in seconds, until a sync location is checked again if it has reported no change.
  static let secondsOfWatching = 600
  /// The time until the next sync after a failure, in seconds: after the first failure, and the maximum.
  static let firstSyncBackoff: Int64 = 5
  static let longestSyncBackoff: Int64 = 900
}
