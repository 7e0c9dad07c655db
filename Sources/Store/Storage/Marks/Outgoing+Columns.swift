import Basics
import Foundation
import GRDB
import Messages

// Converts between the columns of `outgoing` and the acts that they represent.
extension Outgoing {
  /// The SQL condition on `outgoing` that the act still has to be sent by this machine.
  static let waits = "carried IS NULL AND device = \(Writers.here)"

  /// The SQL condition on `outgoing o` that no act on its message is set aside, which means moved behind all others
  /// after failures.
  static let isNotAside = """
    message_id NOT IN (SELECT a.message_id FROM outgoing a WHERE a.source_id = o.source_id AND a.carried IS NULL
      AND a.device = \(Writers.here) AND a.id < 0)
    """

  /// The prefix of a field that contains the name of a pressed button.
  static let actionPrefix = "act "
  /// The prefix of a field whose act the service has received. The message has another state here by now,
  /// which the service does not accept.
  static let keptPrefix = "kept "

  static func mark(_ field: String, _ value: Int64?) -> OutgoingMark? {
    switch field {
    case "read": .read(value == 1)
    case "starred": .starred(value == 1)
    case "done": .done(value == 1)
    case "snoozed": .snoozed(until: value.map(Date.init(milliseconds:)))
    case _ where field.hasPrefix(actionPrefix): .named(String(field.dropFirst(actionPrefix.count)))
    // A later version stored this field.
    case _: nil
    }
  }
}

extension OutgoingMark {
  /// The name in `outgoing.field`, or `nil` for a button.
  var column: String? {
    switch self {
    case .read: "read"
    case .starred: "starred"
    case .done: "done"
    case .snoozed: "snoozed"
    case .named: nil
    }
  }
}
