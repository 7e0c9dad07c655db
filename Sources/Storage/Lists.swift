import GRDB
import Messages

/// The lists that pages are read from, each a table in list order.
enum List: Int, CaseIterable {
  case listed, listedUnread, starred, starredUnread, sourceListed, sourceUnread

  var table: String {
    switch self {
    case .listed: "listed"
    case .listedUnread: "listed_unread"
    case .starred: "starred"
    case .starredUnread: "starred_unread"
    case .sourceListed: "source_listed"
    case .sourceUnread: "source_unread"
    }
  }

  /// One list per source in the same table.
  var isPerSource: Bool {
    switch self {
    case .sourceListed, .sourceUnread: true
    case .listed, .listedUnread, .starred, .starredUnread: false
    }
  }

  /// Lists over all sources hold those that are configured.
  func contains(_ head: MessageHead, isConfigured: Bool) -> Bool {
    guard head.isListed else { return false }
    return switch self {
    case .listed: isConfigured
    case .listedUnread: isConfigured && !head.isRead
    case .starred: isConfigured && head.isStarred
    case .starredUnread: isConfigured && head.isStarred && !head.isRead
    case .sourceListed: true
    case .sourceUnread: !head.isRead
    }
  }
}

/// Keeps lists, counts and dots in step with messages, within one transaction.
///
/// Changes are collected and written in list order, which is what makes a large poll or act cheap. Between two
/// calls of `flush` a message moves at most once; `finish` writes the counts.
final class ListChanges {
  private struct Entry {
    var source: Int64
    var key: ListKey
  }

  private struct Tally {
    var total = 0, unread = 0, starred = 0, unseen = 0
  }

  private let db: Database
  private let configured: Set<Int64>
  private let seeing: Prepared
  private let arriving: Prepared
  /// By list.
  private var additions = [[Entry]](repeating: [], count: List.allCases.count)
  private var removals = [[Entry]](repeating: [], count: List.allCases.count)
  private var pending = 0
  private var tallies: [Int64: Tally] = [:]

  init(_ db: Database) throws {
    self.db = db
    var configured: Set<Int64> = []
    let query = try db.prepared("SELECT id FROM source WHERE place IS NOT NULL")
    try query.forEach { configured.insert(query.int(0)) }
    self.configured = configured
    seeing = try db.prepared("DELETE FROM unseen WHERE source_id = ? AND message_id = ?")
    arriving = try db.prepared("INSERT OR IGNORE INTO unseen (source_id, message_id) VALUES (?, ?)")
  }

  /// A message as it was in the lists, nil if it is new, and as it is from now on, nil if it is removed.
  ///
  /// - Parameter isArrival: it came, or became visible: if it is unread, it is unseen.
  func move(_ old: MessageHead?, _ new: MessageHead?, isArrival: Bool = false) throws {
    guard let head = new ?? old else { return }
    let isConfigured = configured.contains(head.source)
    for list in List.allCases {
      let was = old.map { list.contains($0, isConfigured: isConfigured) } ?? false
      let `is` = new.map { list.contains($0, isConfigured: isConfigured) } ?? false
      if was, `is`, old?.key == new?.key { continue }
      if was, let old { note(&removals, list, old) }
      if `is`, let new { note(&additions, list, new) }
    }
    count(old, by: -1)
    count(new, by: 1)
    if old?.isListedUnread == true, new?.isListedUnread != true {
      try see(head)
    } else if isArrival, old?.isListedUnread != true, new?.isListedUnread == true {
      try arrive(head)
    }
    if pending >= 100_000 { try flush() }
  }

  /// Writes what was collected, in list order.
  func flush() throws {
    for list in List.allCases { try write(removals[list.rawValue], list, isAddition: false) }
    for list in List.allCases { try write(additions[list.rawValue], list, isAddition: true) }
    for list in List.allCases {
      removals[list.rawValue] = []
      additions[list.rawValue] = []
    }
    pending = 0
  }

  func finish() throws {
    try flush()
    let update = try db.prepared(
      """
      UPDATE tally SET total = total + ?2, unread = unread + ?3, starred = starred + ?4, unseen = unseen + ?5
      WHERE source_id = ?1
      """)
    for (source, tally) in tallies {
      try update.run(
        source, Int64(tally.total), Int64(tally.unread), Int64(tally.starred), Int64(tally.unseen))
    }
    tallies = [:]
  }

  private func note(_ changes: inout [[Entry]], _ list: List, _ head: MessageHead) {
    changes[list.rawValue].append(Entry(source: head.source, key: head.key))
    pending += 1
  }

  private func count(_ head: MessageHead?, by step: Int) {
    guard let head, head.isListed else { return }
    tallies[head.source, default: Tally()].total += step
    if !head.isRead { tallies[head.source, default: Tally()].unread += step }
    if head.isStarred { tallies[head.source, default: Tally()].starred += step }
  }

  private func see(_ head: MessageHead) throws {
    try seeing.run(head.source, head.id)
    tallies[head.source, default: Tally()].unseen -= db.changesCount
  }

  /// A listed unread message that is unseen.
  func arrive(_ head: MessageHead) throws {
    try arriving.run(head.source, head.id)
    tallies[head.source, default: Tally()].unseen += db.changesCount
  }

  private func write(_ entries: [Entry], _ list: List, isAddition: Bool) throws {
    if entries.isEmpty { return }
    let sorted =
      list.isPerSource
      ? entries.sorted { ($0.source, $0.key) < ($1.source, $1.key) } : entries.sorted { $0.key < $1.key }
    let statement = try db.prepared(isAddition ? Self.insert(list) : Self.delete(list))
    for entry in sorted {
      statement.bind(1, entry.key.standing.rawValue)
      statement.bind(2, entry.key.sortTime)
      statement.bind(3, entry.key.id.rawValue)
      if list.isPerSource { statement.bind(4, entry.source) }
      try statement.run()
    }
  }

  private static func insert(_ list: List) -> String {
    list.isPerSource
      ? "INSERT INTO \(list.table) (standing, sort_time, message_id, source_id) VALUES (?, ?, ?, ?)"
      : "INSERT INTO \(list.table) (standing, sort_time, message_id) VALUES (?, ?, ?)"
  }

  private static func delete(_ list: List) -> String {
    "DELETE FROM \(list.table) WHERE standing = ? AND sort_time = ? AND message_id = ?"
      + (list.isPerSource ? " AND source_id = ?" : "")
  }
}
