package import Basics

extension Limits {
  /// Programs that run at the same time; more have to wait. A round of polls may need a token for each source.
  package static let programsAtOnce = 4
  /// From SIGTERM to SIGKILL. After a quit the terminal must be restored within 500 ms in all.
  static let programGrace = Duration.milliseconds(300)
  /// Seconds that the end of this process waits for the process ids of programs that are just being started.
  static let startingTime = 1.0
  /// Bytes of a program's standard error that are kept: its first or its last line is shown.
  static let programComplaintBytes = 1024
  /// From the end of a program that ran apart to the end of its standard error, which its child processes may keep open.
  static let programComplaintTime = Duration.seconds(5)
}
