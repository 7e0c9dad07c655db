import Foundation
import GRDB
import Messages

/// What decides in which lists a message is: content, clock, channels and the user's acts together.
struct MessageHead {
  var key: ListKey
  var source: Int64
  var isShown: Bool
  var isRead: Bool
  var isStarred: Bool
  /// Dismissed, snoozed or hidden by a rule: removed from the lists.
  var isPutAway: Bool
  var isDismissable: Bool
  var priority: Priority
  var visibleFrom: Milliseconds?
  var expires: Milliseconds?
  var channel: String?
  /// Whether it is an in-app notification with a channel: see `ShownChannels`.
  var isInApp: Bool
  /// Of the same message by another source, if this one is a copy of it: see `Copies`.
  var first: First?

  struct First: Equatable {
    var id: Int64
    var source: Int64
  }

  var id: Int64 { key.id.rawValue }

  /// Only listed messages are counted anywhere.
  var isListed: Bool { isShown && !isPutAway }

  var isListedUnread: Bool { isListed && !isRead }

  /// Whether both are the same but for marks and copies.
  func hasPlace(of other: MessageHead) -> Bool {
    key == other.key && isShown == other.isShown && isDismissable == other.isDismissable
      && priority == other.priority && visibleFrom == other.visibleFrom && expires == other.expires
      && channel == other.channel && isInApp == other.isInApp
  }

  /// Over `status t`.
  static let columns = """
    t.message_id, t.source_id, t.standing, t.sort_time, t.is_shown, t.is_read, t.is_starred,
    (t.dismissed_at IS NOT NULL OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL),
    t.is_dismissable, t.visible_from, t.expires, t.channel, t.first_id, t.first_source, t.priority,
    CASE WHEN t.channel IS NOT NULL THEN (SELECT kind = 'inapp' FROM message WHERE id = t.message_id) ELSE 0 END
    """

  static let select = "SELECT \(columns) FROM status t"

  /// Reads `columns` from the row that the query stands on.
  init(_ row: Prepared) {
    key = ListKey(
      standing: Standing(rawValue: Int(row.int(2))) ?? .normal, sortTime: row.int(3),
      id: MessageID(row.int(0)))
    source = row.int(1)
    isShown = row.bool(4)
    isRead = row.bool(5)
    isStarred = row.bool(6)
    isPutAway = row.bool(7)
    isDismissable = row.bool(8)
    visibleFrom = row.optionalInt(9)
    expires = row.optionalInt(10)
    channel = row.optionalText(11)
    priority = Priority(Int(row.int(14)))
    isInApp = row.bool(15)
    first = row.optionalInt(12).map { First(id: $0, source: row.int(13)) }
  }

  /// Of a message that has just come, and that came first at `received`.
  init(_ content: IncomingMessage, id: Int64, source: Int64, received: Milliseconds) {
    key = ListKey(
      standing: content.standing, sortTime: content.sortTime(received: received), id: MessageID(id))
    self.source = source
    isShown = true
    isRead = false
    isStarred = false
    isPutAway = false
    isDismissable = content.isDismissable
    priority = content.priority
    visibleFrom = content.visibleFrom?.milliseconds
    expires = content.expiry(received: Date(milliseconds: received))?.milliseconds
    channel = content.channel
    isInApp = content.channel != nil && content.kind == .inapp
  }

  static func find(_ id: Int64, _ db: Database) throws -> MessageHead? {
    let query = try db.prepared("\(select) WHERE t.message_id = ?")
    query.bind(1, id)
    return try query.first { MessageHead(query) }
  }

  /// Whether channel and time let it be seen at `now`: from `visibleFrom` on, until just before `expires`.
  ///
  /// - Parameter channels: those of its source that are shown.
  func isShown(at now: Milliseconds, channels: ShownChannels) -> Bool {
    if let channel, !channels.contains(channel, isInApp: isInApp) { return false }
    if let visibleFrom, visibleFrom > now { return false }
    if let expires, expires <= now { return false }
    return true
  }
}

extension IncomingMessage {
  /// The publication time, or the arrival where there is none or it lies ahead. What shows only later arrives
  /// when it shows.
  func sortTime(received: Milliseconds) -> Milliseconds {
    let arrival = max(received, visibleFrom?.milliseconds ?? received)
    return min(published?.milliseconds ?? arrival, arrival)
  }
}
