package import Foundation

/// A way to tell a person of a message.
package enum NoticeChannel: String, Hashable, Sendable, CaseIterable, Codable {
  /// By an escape code of the terminal that shows the inbox.
  case terminal
  /// By the desktop's notification service.
  case desktop
  /// By the terminal's bell.
  case bell
  /// By a program of the user.
  case command
}

/// Why a message is judged.
package enum Arrival: Hashable, Sendable {
  /// It came for the first time.
  case new
  /// It came with the first poll of its source: nobody is told, and no program is run.
  case firstPoll
  /// It came again with other content.
  case changed
  /// It is listed from now on, by its time or the end of a snooze.
  case appeared
  /// A moment that rules wait for has come, such as that of `older:7d`.
  case moment
}

/// What a message that arrived becomes, by the rules, and how the person is told of it.
///
/// What is nil or empty changes nothing.
package struct Verdict: Hashable, Sendable {
  /// The rules that matched, in their order.
  package var rules: [String] = []
  package var isRead: Bool?
  package var isStarred = false
  package var isDismissed = false
  /// The rule that hides it.
  package var hiddenBy: String?
  package var snoozedUntil: Date?
  /// All of its tags, where rules changed them.
  package var tags: [String]?
  package var priority: Priority?
  /// The rules whose program gets it.
  package var runs: [String] = []
  /// Whether rules say that the person is told of it; nil: they don't say.
  package var isTold: Bool?
  /// How the person is told of it; empty: not at all.
  package var channels: Set<NoticeChannel> = []
  /// Told even in quiet hours.
  package var isUrgent = false

  /// When it is to be judged again, though nothing else changes.
  package var nextMoment: Date?

  /// What could not be decided, since a regular expression would take too long: `rule ci noise`, `notify`.
  package var overBudget: [String] = []

  package init() {}
}
