/// The lists from which pages are read: indexes of `status`, in list order.
enum List: CaseIterable {
  case listed, listedUnread, starred, starredUnread, sourceListed, sourceUnread
  /// The messages with another priority than normal: few in most sources.
  case prioritised, prioritisedUnread
  /// The messages of a source that the inbox does not list (dismissed, snoozed, hidden, or not shown because
  /// of their time or channel), for queries that match them.
  case sourceOutOfInbox

  /// The SQL condition of the list on `status`. It has the wording of its index, so that SQLite uses that.
  var condition: String {
    switch self {
    case .listed: "is_one"
    case .listedUnread: "is_one AND NOT is_read"
    case .starred: "is_one AND is_starred"
    case .starredUnread: "is_one AND is_starred AND NOT is_read"
    case .sourceListed: "is_listed"
    case .sourceUnread: "is_listed AND NOT is_read"
    case .prioritised: "is_listed AND priority <> 3"
    case .prioritisedUnread: "is_listed AND priority <> 3 AND NOT is_read"
    case .sourceOutOfInbox: "NOT is_listed"
    }
  }

  /// Whether there is one such list for each source.
  var isPerSource: Bool {
    switch self {
    case .sourceListed, .sourceUnread, .prioritised, .prioritisedUnread, .sourceOutOfInbox: true
    case .listed, .listedUnread, .starred, .starredUnread: false
    }
  }

  /// Whether it is sorted by priority first.
  var isByPriority: Bool { self == .prioritised || self == .prioritisedUnread }
}
