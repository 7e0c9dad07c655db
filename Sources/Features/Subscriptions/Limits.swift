import Basics

extension Limits {
  /// Reminders that are listed at once.
  static let listedReminders = 10_000
}
