package import Basics

extension Limits {
  /// A program for links that fails within this time has not shown the link; later it is a browser that ended.
  static let linkFailureTime = Duration.seconds(5)
  /// Bytes of the log before a new one begins. The previous one is kept, so that both have at most twice as many.
  package static let logBytes = 1 << 20
  /// Characters of one line of the log: enough for a sentence, but a publisher's text cannot fill the log at once.
  static let logLineCharacters = 4000
  static let paneNameCharacters = 80
  /// Bytes that tmux may answer: a line for each terminal that is attached.
  package static let paneAnswerBytes = 64 << 10
  package static let paneTime = Duration.seconds(2)

  // MARK: A hub as a place

  /// Seconds for which a hub is asked to hold a request back: proxies end what is silent for a minute.
  static let hubPlaceWait = 50
  /// The pause after a hub has answered too early that nothing is new, until the next request.
  static let hubPlaceRest = Duration.milliseconds(500)
  /// Bytes of a page of a hub's list of objects.
  static let hubPlacePageBytes = 1 << 20

  // MARK: Sync

  /// Bytes of own acts that one object is made of; one act may have more.
  static let sentObjectBytes = 4 << 20
  /// More own objects than this that are small are joined to one, so that a place has few.
  static let smallObjects = 32
  static let smallObjectBytes = 256 << 10
  /// Seconds that a poll waits for the place, and a command for its act.
  static let secondsBeforePoll = 30.0
  static let secondsAfterAct = 5.0
  /// Seconds until a place is checked again that did not announce any news.
  static let secondsOfWatching = 600
  /// Seconds before a place that failed is tried again, from the first failure to the last.
  static let firstSyncBackoff: Int64 = 5
  static let longestSyncBackoff: Int64 = 900
}
