/// How much of a source stays stored. Unread, starred and snoozed messages stay whatever it says.
package struct Retention: Hashable, Sendable {
  /// From the arrival of a message; nil keeps however old it is.
  package var age: Duration?
  /// The newest messages, as the list orders them; nil keeps however many there are.
  package var count: Int?

  package init(age: Duration? = nil, count: Int? = nil) {
    self.age = age
    self.count = count
  }

  package static let everything = Retention()
}
