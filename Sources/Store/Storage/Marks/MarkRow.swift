import GRDB
import Messages
import Sync

extension Mark.Field {
  /// The ways in which a mark is stored, sent to other machines and sent to services.
  struct Row {
    /// The column with the mark's value, which is compared with other values: of `status`, or for tags of
    /// `detail`.
    var column: String
    /// The column of `status` with the act behind the mark, or `nil` if the mark is not synchronised.
    var by: String?
    /// The field in synchronised acts, or `nil` if the mark is not synchronised.
    var wire: Act.Field?
    /// The SQL on `status` for the value that is synchronised. After the end of a snooze, the visible value
    /// may differ from it.
    var written = "NULL"
    /// Whether the mark is reset when a message reports a new event (another occasion), for example a new comment of a
    /// thread.
    var isOfOccasion = false
    /// The properties for services, or `nil` if no service has the mark.
    var service: Service?
  }

  /// The form in which services receive a mark.
  struct Service {
    /// The name in `outgoing.field`.
    var field: String
    /// The abilities that a service needs to set the mark, and to clear it.
    var set: WritableMarks
    var cleared: WritableMarks
  }

  var row: Row {
    switch self {
    case .read:
      Row(
        column: "is_read", by: "read_by", wire: .read, written: "coalesce(read_before, is_read)",
        isOfOccasion: true, service: Service(field: "read", set: .read, cleared: .unread))
    case .starred:
      Row(
        column: "is_starred", by: "starred_by", wire: .starred, written: "is_starred",
        service: Service(field: "starred", set: .star, cleared: .unstar))
    case .dismissed:
      Row(
        column: "dismissed_at", by: "dismissed_by", wire: .dismissed, written: "dismissed_at IS NOT NULL",
        isOfOccasion: true, service: Service(field: "done", set: .done, cleared: .undone))
    case .snoozed:
      Row(
        column: "snoozed_until", by: "snoozed_by", wire: .snoozed, written: "coalesce(snoozed_until, woken)",
        isOfOccasion: true, service: Service(field: "snoozed", set: .snooze, cleared: .snooze))
    case .hidden:
      Row(
        column: "hidden_by", by: "shown_by", wire: .shown,
        // An undo writes that rules decide again.
        written: "(SELECT kind <> '\(Journal.undo)' FROM journal WHERE id = shown_by)")
    case .tags: Row(column: "tags")
    case .priority: Row(column: "priority")
    }
  }
}

extension Mark {
  /// Whether the message has the mark, for marks that are only present or absent.
  var isSet: Bool {
    switch self {
    case .read(let isSet), .starred(let isSet): isSet
    case .dismissed(let time), .snoozed(let time): time != nil
    case .hidden(let hiding): hiding != nil
    case .tags, .priority: true
    }
  }

  /// The value as in `outgoing.value`: 1 or 0 for a mark that is set or not, or the end of a snooze in milliseconds
  /// since 1970, or `nil`.
  var number: Int64? {
    if case .snoozed(let until) = self { until } else { isSet ? 1 : 0 }
  }

  /// The synchronised value, which for `hidden` is whether the message is shown.
  var wireValue: Act.Value {
    if case .hidden = self { return .integer(isSet ? 0 : 1) }
    return number.map(Act.Value.integer) ?? .none
  }
}

extension Act.Field {
  private static let ofOccasion = Set(
    Mark.Field.allCases.map(\.row).filter(\.isOfOccasion).compactMap(\.wire) + [.seen])

  /// Whether a mark with this field is reset when its message reports a new event (another occasion).
  var isOfOccasion: Bool { Self.ofOccasion.contains(self) }
}
