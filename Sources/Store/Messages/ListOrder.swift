/// The order of messages in a list. Messages with a higher rank are first in every order.
package enum ListOrder: String, Hashable, Sendable, CaseIterable {
  case newest, oldest
  /// One source after the other, in the order of the settings, each with its newest message first. Only the list of all
  /// messages has this order; others, and searches, begin with the newest.
  case source
  /// The most urgent first, with the newest message of each priority first. Searches, and lists of dismissed, snoozed
  /// or hidden messages, do not have this order.
  case priority
}
