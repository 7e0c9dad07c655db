import Basics

extension Limits {
  /// A program for links that fails within this time has not shown the link; later it is a browser that ended.
  static let linkFailureTime = Duration.seconds(5)
  /// How often an edit of a file is retried because another program has written it meanwhile.
  static let fileEditAttempts = 20
  /// Waits of 10 ms each for another reddot process that changes files in the same directory, which takes a few
  /// milliseconds.
  static let fileLockWaits = 1000
  /// Symbolic links from one path to its file, as the Linux kernel allows (path_resolution(7)).
  static let symbolicLinks = 40
  /// Bytes of the log before a new one begins. The previous one is kept, so that both have at most twice as many.
  static let logBytes = 1 << 20
  /// Characters of one line of the log: enough for a sentence, but a publisher's text cannot fill the log at once.
  static let logLineCharacters = 4000
}
