package import Foundation

/// A way to notify the user of a message.
package enum NoticeChannel: String, Hashable, Sendable, CaseIterable, Codable {
  /// An escape code of the terminal that shows the inbox.
  case terminal
  /// The desktop's notification service.
  case desktop
  /// The terminal's bell.
  case bell
  /// A program of the user.
  case command
  /// An ntfy server sends it to a phone.
  case phone
}

/// The reason why rules are applied to a message.
package enum Arrival: Hashable, Sendable {
  /// The message arrived for the first time.
  case new
  /// The message arrived with the first poll of its source. There is no notification, and no program is run.
  case firstPoll
  /// The message arrived again with other content.
  case changed
  /// The message is listed from now on, because of its time or the end of a snooze.
  case appeared
  /// A time that rules wait for has come, for example that of `older:7d`.
  case moment
}

/// The repetition of a notification until the user does something with its message.
package struct Repetition: Hashable, Sendable {
  /// The rule that requests the repetition.
  package var rule: String
  /// The time between two notifications.
  package var minutes: Int

  package init(rule: String, minutes: Int) { (self.rule, self.minutes) = (rule, minutes) }
}

/// The changes that rules make to an arrived message, and its notification.
///
/// Fields that are `nil` or empty change nothing.
package struct Verdict: Hashable, Sendable {
  /// The rules that matched, in their order.
  package var rules: [String] = []
  package var isRead: Bool?
  package var isStarred = false
  package var isDismissed = false
  /// The rule that hides it.
  package var hiddenBy: String?
  package var snoozedUntil: Date?
  /// All tags of the message, if rules changed them; otherwise `nil`.
  package var tags: [String]?
  package var priority: Priority?
  /// The rules whose program receives the message.
  package var runs: [String] = []
  /// Whether rules require (`true`) or suppress (`false`) a notification of the message, or `nil` if they do
  /// neither.
  package var isNotified: Bool?
  /// The channels of its notification; empty for none.
  package var channels: Set<NoticeChannel> = []
  /// Whether the user is notified even in quiet hours.
  package var isUrgent = false
  /// The repetition of its notification, or `nil` if there is none.
  package var again: Repetition?

  /// The time at which rules must be applied again, even if nothing else changes.
  package var nextMoment: Date?

  /// The rules and settings that could not be decided, since a regular expression would take too long: `rule
  /// ci noise`, `notify`.
  package var overBudget: [String] = []

  package init() {}
}
