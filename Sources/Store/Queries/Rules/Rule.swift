package import Messages

/// What a rule does with a message that it matches.
package enum RuleAction: Hashable, Sendable {
  case read, unread, star, dismiss
  /// Off the lists, with the rule's name.
  case hide
  case tag(String)
  case untag(String)
  case priority(Priority)
  /// Until the time that these words mean when the message arrives, such as `tomorrow 9`.
  case snooze(String)
  case notify
  /// Told at once, in quiet hours too.
  case urgent
  /// Not told.
  case silent
  /// Its program gets the message.
  case run
}

/// One `[[rule]]`.
package struct Rule: Hashable, Sendable {
  /// Unique among the rules.
  package var name: String
  package var condition: Query
  package var actions: [RuleAction]
  /// No later rule sees a message that it matched.
  package var stops: Bool

  package init(name: String, condition: Query, actions: [RuleAction], stops: Bool = false) {
    self.name = name
    self.condition = condition
    self.actions = actions
    self.stops = stops
  }
}

extension Rule {
  /// All that it says, in one way: equal texts are equal rules.
  package var text: String {
    let actions = actions.map(\.text).joined(separator: ", ")
    return "\(condition) → \(actions)" + (stops ? " → stop" : "")
  }
}
