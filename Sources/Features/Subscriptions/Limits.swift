import Basics

extension Limits {
  /// The number of reminders that are listed at once.
  static let listedReminders = 10_000
  /// Bytes of a file that is read on the first start, and of a program's output then.
  static let offerFileBytes = 1 << 20
  /// Time for such a program.
  static let offerTime = Duration.seconds(10)
}
