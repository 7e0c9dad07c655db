import Basics

extension Limits {
  /// Time until a pipe or a device that is read like a file must have come to its end.
  static let fileTime = Duration.seconds(10)
}
