package import Basics

extension Limits {
  /// Time until a pipe or a device that is read like a file must have come to its end.
  static let fileTime = Duration.seconds(10)
  /// Programs that run at the same time; more have to wait. A round of polls may need a token for each source.
  package static let programsAtOnce = 4
  /// From SIGTERM to SIGKILL. After a quit the terminal must be restored within 500 ms in all.
  package static let programGrace = Duration.milliseconds(300)
  /// Seconds that the end of this process waits for the process ids of programs that are just being started.
  static let startingTime = 1.0
  /// Bytes of a program's standard error that are kept: its first or its last line is shown.
  static let programComplaintBytes = 1024
  /// From the end of a program that ran apart to the end of its standard error, which its child processes may keep open.
  static let programComplaintTime = Duration.seconds(5)
  /// How often an edit of a file is retried because another program has written it meanwhile.
  static let fileEditAttempts = 20
  /// Waits of 10 ms each for another reddot process that changes files in the same directory, which takes a few
  /// milliseconds.
  static let fileLockWaits = 1000
  /// Symbolic links from one path to its file, as the Linux kernel allows (path_resolution(7)).
  static let symbolicLinks = 40
}
