import Basics

extension Limits {
  /// From the restored terminal to the end of the process: for writes that wait for another process.
  static let windDownTime = Duration.seconds(2)
  /// Messages that a list counts beyond those that it prints.
  static let countedMessages = 10_000
  /// Time for standard input of a hook: whoever starts it waits for it.
  static let hookInputTime = Duration.milliseconds(50)
  /// Time for the line of a shell's hook, which runs in the background and closes its pipe.
  static let shellInputTime = Duration.seconds(5)
}
