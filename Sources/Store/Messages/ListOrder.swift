/// In which order the messages of a list stand. What stands above the rest does so in every order.
package enum ListOrder: String, Hashable, Sendable, CaseIterable {
  case newest, oldest
  /// One source after the other, as the settings have them, each with its newest message first. Only the list of all
  /// messages has this order; others, and searches, begin with the newest.
  case source
  /// The most urgent first, each priority with its newest message first. Searches, and what is put away, have no such
  /// order.
  case priority
}
