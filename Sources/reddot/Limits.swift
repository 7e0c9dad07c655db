import Limits

extension Limits {
  /// From the restored terminal to the end of the process: for writes that wait for another process.
  static let windDownTime = Duration.seconds(2)
  /// Time for standard input of a hook: whoever starts it waits for it.
  static let hookInputTime = Duration.milliseconds(50)
}
