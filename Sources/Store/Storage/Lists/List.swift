/// The lists that pages are read from: indexes of `status`, in list order.
enum List: CaseIterable {
  case listed, listedUnread, starred, starredUnread, sourceListed, sourceUnread
  /// Those of another priority than normal: few of most sources.
  case ranked, rankedUnread
  /// What is off the lists, for queries that ask for it.
  case sourceAway

  /// What is in the list, over `status`: as its index says it, so that SQLite uses that.
  var condition: String {
    switch self {
    case .listed: "is_one"
    case .listedUnread: "is_one AND NOT is_read"
    case .starred: "is_one AND is_starred"
    case .starredUnread: "is_one AND is_starred AND NOT is_read"
    case .sourceListed: "is_listed"
    case .sourceUnread: "is_listed AND NOT is_read"
    case .ranked: "is_listed AND priority <> 3"
    case .rankedUnread: "is_listed AND priority <> 3 AND NOT is_read"
    case .sourceAway: "NOT is_listed"
    }
  }

  /// One list for each source.
  var isPerSource: Bool {
    switch self {
    case .sourceListed, .sourceUnread, .ranked, .rankedUnread, .sourceAway: true
    case .listed, .listedUnread, .starred, .starredUnread: false
    }
  }

  /// Sorted by priority first.
  var isByPriority: Bool { self == .ranked || self == .rankedUnread }
}
