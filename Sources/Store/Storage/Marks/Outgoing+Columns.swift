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

  /// A mark that services take over.
  enum Field: Equatable {
    case read, unread, star, unstar, done, undone
    case snoozed(until: Int64)
    case unsnoozed

    /// `nil` if it is not carried.
    init?(_ change: MarkChange) {
      switch change.new {
      case .read(let isRead): self = isRead ? .read : .unread
      case .starred(let isStarred): self = isStarred ? .star : .unstar
      case .dismissed(let time): self = time == nil ? .undone : .done
      case .snoozed(let until): self = until.map(Field.snoozed) ?? .unsnoozed
      case .hidden, .tags, .priority: return nil
      }
    }

    var column: String {
      switch self {
      case .read, .unread: "read"
      case .star, .unstar: "starred"
      case .done, .undone: "done"
      case .snoozed, .unsnoozed: "snoozed"
      }
    }

    /// 1 or 0 for a mark that is set or not; the end of a snooze in milliseconds since 1970.
    var value: Int64? {
      switch self {
      case .read, .star, .done: 1
      case .unread, .unstar, .undone: 0
      case .snoozed(let until): until
      case .unsnoozed: nil
      }
    }

    var needs: CarriedActs {
      switch self {
      case .read: .read
      case .unread: .unread
      case .star: .star
      case .unstar: .unstar
      case .done: .done
      case .undone: .undone
      case .snoozed, .unsnoozed: .snooze
      }
    }

    var opposite: Field {
      switch self {
      case .read: .unread
      case .unread: .read
      case .star: .unstar
      case .unstar: .star
      case .done: .undone
      case .undone: .done
      case .snoozed, .unsnoozed: .unsnoozed
      }
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
