import GRDB
import Messages
import Sync

extension Mark.Field {
  /// How a mark is stored, sent to other machines and written back to services.
  struct Row {
    /// The column of `status` that the mark is compared by; for tags, of `detail`.
    var column: String
    /// The column of `status` with the act behind the mark; `nil` if the mark does not travel.
    var by: String?
    /// The field on the wire; `nil` if the mark does not travel.
    var wire: Act.Field?
    /// The SQL over `status` of the value on the wire, even if the end of a snooze shows another one since.
    var written = "NULL"
    /// Whether the mark begins again when a message reports something else.
    var isOfOccasion = false
    /// `nil` if no service has the mark.
    var service: Service?
  }

  /// How services get a mark.
  struct Service {
    /// The name in `outgoing.field`.
    var field: String
    /// The ability that a service needs to set the mark, and to clear it.
    var set: CarriedActs
    var cleared: CarriedActs
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
        // An undo writes that rules decide.
        written: "(SELECT kind <> '\(Journal.undo)' FROM journal WHERE id = shown_by)")
    case .tags: Row(column: "tags")
    case .priority: Row(column: "priority")
    }
  }
}

extension Mark {
  /// Whether the message has the mark, for marks that it has or lacks.
  var isSet: Bool {
    switch self {
    case .read(let isSet), .starred(let isSet): isSet
    case .dismissed(let time), .snoozed(let time): time != nil
    case .hidden(let hiding): hiding != nil
    case .tags, .priority: true
    }
  }

  /// 1 or 0 for a mark that is set or not; the end of a snooze in milliseconds since 1970, or `nil`. As in `outgoing.value`.
  var number: Int64? {
    if case .snoozed(let until) = self { until } else { isSet ? 1 : 0 }
  }

  /// The value on the wire, which says of `hidden` whether the message is shown.
  var wireValue: Act.Value {
    if case .hidden = self { return .integer(isSet ? 0 : 1) }
    return number.map(Act.Value.integer) ?? .none
  }
}

extension Act.Field {
  private static let ofOccasion = Set(
    Mark.Field.allCases.map(\.row).filter(\.isOfOccasion).compactMap(\.wire) + [.seen])

  /// Whether the field begins again when a message reports something else.
  var isOfOccasion: Bool { Self.ofOccasion.contains(self) }
}
