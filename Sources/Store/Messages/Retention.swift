/// The messages of a source that are kept. Unread, starred and snoozed messages are always kept.
package struct Retention: Hashable, Sendable {
  /// The maximum age since a message's arrival, or `nil` for no limit.
  package var age: Duration?
  /// The maximum number of messages, newest first as in the list, or `nil` for no limit.
  package var count: Int?

  package init(age: Duration? = nil, count: Int? = nil) {
    self.age = age
    self.count = count
  }

  package static let everything = Retention()
}
