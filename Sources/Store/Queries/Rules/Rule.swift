package import Messages

/// An action of a rule on a message that it matches.
package enum RuleAction: Hashable, Sendable {
  case read, unread, star, dismiss
  /// Hides the message from lists, and records the rule's name as the reason.
  case hide
  case tag(String)
  case untag(String)
  case priority(Priority)
  /// Snoozes the message until the time that these words mean on its arrival, for example `tomorrow 9`.
  case snooze(String)
  case notify
  /// Notifies immediately, even in quiet hours.
  case urgent
  /// Notifies, and repeats the notification after this number of minutes until the user does something with
  /// the message.
  case again(minutes: Int)
  /// Suppresses notifications.
  case silent
  /// Passes the message to the rule's program.
  case run

  /// Whether the action removes a message from lists, or marks it as read.
  var changesList: Bool {
    switch self {
    case .read, .dismiss, .hide, .snooze: true
    case .unread, .star, .tag, .untag, .priority, .notify, .urgent, .again, .silent, .run: false
    }
  }
}

/// One `[[rule]]`.
package struct Rule: Hashable, Sendable {
  /// The name, unique among the rules.
  package var name: String
  package var condition: Query
  package var actions: [RuleAction]
  /// Whether later rules are not applied to a message that this rule matched.
  package var stops: Bool

  package init(name: String, condition: Query, actions: [RuleAction], stops: Bool = false) {
    self.name = name
    self.condition = condition
    self.actions = actions
    self.stops = stops
  }
}

extension Rule {
  /// The whole rule in a normal form: equal strings mean equal rules.
  package var text: String {
    let actions = actions.map(\.text).joined(separator: ", ")
    return "\(condition) → \(actions)" + (stops ? " → stop" : "")
  }
}
