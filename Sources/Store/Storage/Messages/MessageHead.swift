import Foundation
import GRDB
import Messages

/// The properties of a message that decide in which lists it is. They result from its content, the time, the channels
/// and the user's acts.
struct MessageHead {
  var key: ListKey
  var source: Int64
  /// Whether its channel and its time make it visible.
  var isShown: Bool
  var isRead: Bool
  var isStarred: Bool
  /// Whether it is dismissed, snoozed or hidden by a rule, and therefore not in the lists.
  var isOutOfInbox: Bool
  var isDismissable: Bool
  var priority: Priority
  var visibleFrom: Milliseconds?
  var expires: Milliseconds?
  var channel: String?
  /// Whether it is an in-app notification with a channel: see `ShownChannels`.
  var isInApp: Bool
  /// The original in another source that this message duplicates: see `Duplicates`.
  var first: First?

  struct First: Equatable {
    var id: Int64
    var source: Int64
  }

  var id: Int64 { key.id.rawValue }

  /// Whether it is listed; only listed messages are counted anywhere.
  var isListed: Bool { isShown && !isOutOfInbox }

  var isListedUnread: Bool { isListed && !isRead }

  /// Whether two states of a message have the same properties, and so the same position in lists, apart from
  /// marks and duplicates.
  func hasPlace(of other: MessageHead) -> Bool {
    key == other.key && isShown == other.isShown && isDismissable == other.isDismissable
      && priority == other.priority && visibleFrom == other.visibleFrom && expires == other.expires
      && channel == other.channel && isInApp == other.isInApp
  }

  /// The columns of `status t` that `init` reads.
  static let columns = """
    t.message_id, t.source_id, t.rank, t.sort_time, t.is_shown, t.is_read, t.is_starred,
    (t.dismissed_at IS NOT NULL OR t.snoozed_until IS NOT NULL OR t.hidden_by IS NOT NULL),
    t.is_dismissable, t.visible_from, t.expires, t.channel, t.original_id, t.original_source, t.priority,
    CASE WHEN t.channel IS NOT NULL THEN (SELECT kind = 'inapp' FROM message WHERE id = t.message_id) ELSE 0 END
    """

  static let select = "SELECT \(columns) FROM status t"

  /// Reads `columns` from the current row of the query.
  init(_ row: Prepared) {
    key = ListKey(
      rank: Rank(rawValue: Int(row.int(2))) ?? .normal, sortTime: row.int(3),
      id: MessageID(row.int(0)))
    source = row.int(1)
    isShown = row.bool(4)
    isRead = row.bool(5)
    isStarred = row.bool(6)
    isOutOfInbox = row.bool(7)
    isDismissable = row.bool(8)
    visibleFrom = row.optionalInt(9)
    expires = row.optionalInt(10)
    channel = row.optionalText(11)
    priority = Priority(Int(row.int(14)))
    isInApp = row.bool(15)
    first = row.optionalInt(12).map { First(id: $0, source: row.int(13)) }
  }

  /// Creates the head of a message that has just arrived. `received` is the time of its first arrival.
  init(_ content: IncomingMessage, id: Int64, source: Int64, received: Milliseconds) {
    key = ListKey(
      rank: content.rank, sortTime: content.sortTime(received: received), id: MessageID(id))
    self.source = source
    isShown = true
    isRead = false
    isStarred = false
    isOutOfInbox = false
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

  /// Whether channel and time make the message visible at `now`: from `visibleFrom` on, until just before `expires`.
  ///
  /// - Parameter channels: the channels of its source that are shown.
  func isShown(at now: Milliseconds, channels: ShownChannels) -> Bool {
    if let channel, !channels.contains(channel, isInApp: isInApp) { return false }
    if let visibleFrom, visibleFrom > now { return false }
    if let expires, expires <= now { return false }
    return true
  }
}

extension IncomingMessage {
  /// Returns the publication time, or the arrival if there is none or it is in the future. A message that is visible
  /// later arrives when it becomes visible.
  func sortTime(received: Milliseconds) -> Milliseconds {
    let arrival = max(received, visibleFrom?.milliseconds ?? received)
    return min(published?.milliseconds ?? arrival, arrival)
  }
}

extension MessageHead {
  /// Creates the head of a message that arrives.
  init(
    _ message: IncomingMessage, of source: Source, id: Int64, received: Milliseconds? = nil,
    at now: Milliseconds
  ) {
    self.init(message, id: id, source: source.id.rawValue, received: received ?? now)
    isShown = isShown(at: now, channels: source.settings.shownChannels)
  }
}
