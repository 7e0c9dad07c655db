import Basics
import Foundation
import GRDB
import Messages

// The columns of `outgoing`, and the acts that they stand for.
extension Outgoing {
  /// Over `outgoing`: it is to be sent from here.
  static let waits = "carried IS NULL AND device = \(Writers.here)"

  /// Over `outgoing o`: no act of its message is set aside.
  static let isNotAside = """
    message_id NOT IN (SELECT a.message_id FROM outgoing a WHERE a.source_id = o.source_id AND a.carried IS NULL
      AND a.device = \(Writers.here) AND a.id < 0)
    """

  static let actionPrefix = "act "
  /// A field whose act the service has, while its message has another state here that the service does not take.
  static let keptPrefix = "kept "

  static func mark(_ field: String, _ value: Int64?) -> OutgoingMark? {
    switch field {
    case "read": .read(value == 1)
    case "starred": .starred(value == 1)
    case "done": .done(value == 1)
    case "snoozed": .snoozed(until: value.map(Date.init(milliseconds:)))
    case _ where field.hasPrefix(actionPrefix): .named(String(field.dropFirst(actionPrefix.count)))
    // A field that a later version stored.
    case _: nil
    }
  }
}

extension OutgoingMark {
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
