import Basics

extension Limits {
  /// The maximum number of reminders in a list.
  static let listedReminders = 10_000
  /// The maximum number of bytes of a file that is read on the first start to find sources to offer, and of
  /// the output of a program that is run to set up an offered source.
  static let offerFileBytes = 1 << 20
  /// The time limit for a program that is run to set up an offered source.
  static let offerTime = Duration.seconds(10)
}
