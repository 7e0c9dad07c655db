package import Basics

extension Limits {
  /// The time within which a pipe or a device that is read like a file must end.
  static let fileTime = Duration.seconds(10)
  /// The maximum number of programs that run at the same time; further ones wait. A poll of all sources may start a
  /// program for each source's token.
  package static let programsAtOnce = 4
  /// The time from SIGTERM to SIGKILL. After a quit the terminal must be restored within 500 ms in all.
  package static let programGrace = Duration.milliseconds(300)
  /// The maximum number of seconds for which `ProgramRunner.killAll` waits for programs that are just being
  /// started. It can kill a program only when the process id is known.
  static let startingTime = 1.0
  /// The maximum number of bytes of a program's standard error that are kept, since only its first or last line is
  /// shown.
  static let programComplaintBytes = 1024
  /// The time from the end of an independent program to the end of its standard error, which its child processes may
  /// keep open.
  static let programComplaintTime = Duration.seconds(5)
  /// The number of retries of an edit if another program writes the file meanwhile.
  static let fileEditAttempts = 20
  /// The number of waits, of 10 ms each, for another reddot process that changes files in the same directory. A change
  /// takes a few milliseconds.
  static let fileLockWaits = 1000
  /// The maximum number of symbolic links from one path to its file, as in the Linux kernel (path_resolution(7)).
  static let symbolicLinks = 40
}
