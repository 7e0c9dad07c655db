import GRDB
import Messages

/// The lists that pages are read from, each a table in list order.
enum List: Int, CaseIterable {
  case listed, listedUnread, starred, starredUnread, sourceListed, sourceUnread
  /// Those of another priority than normal: few of most sources, so that lists by priority cost the other polls nothing.
  case ranked, rankedUnread
  /// What is off the lists, for queries that ask for it.
  case sourceAway

  var table: String {
    switch self {
    case .listed: "listed"
    case .listedUnread: "listed_unread"
    case .starred: "starred"
    case .starredUnread: "starred_unread"
    case .sourceListed: "source_listed"
    case .sourceUnread: "source_unread"
    case .ranked: "ranked"
    case .rankedUnread: "ranked_unread"
    case .sourceAway: "source_away"
    }
  }

  /// One list per source in the same table.
  var isPerSource: Bool {
    switch self {
    case .sourceListed, .sourceUnread, .ranked, .rankedUnread, .sourceAway: true
    case .listed, .listedUnread, .starred, .starredUnread: false
    }
  }

  /// Sorted by priority first.
  var isByPriority: Bool { self == .ranked || self == .rankedUnread }

  /// Lists over all sources hold those that are configured, and no copies.
  func contains(_ head: MessageHead, isConfigured: Bool) -> Bool {
    guard head.isListed else { return self == .sourceAway }
    let isOne = isConfigured && head.first == nil
    return switch self {
    case .listed: isOne
    case .listedUnread: isOne && !head.isRead
    case .starred: isOne && head.isStarred
    case .starredUnread: isOne && head.isStarred && !head.isRead
    case .sourceListed: true
    case .sourceUnread: !head.isRead
    case .ranked: head.priority != .normal
    case .rankedUnread: head.priority != .normal && !head.isRead
    case .sourceAway: false
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
    var priority: Priority
    var key: ListKey

    func rank(in list: List) -> Int { list.isByPriority ? priority.rawValue : 0 }
  }

  private struct Tally {
    var total = 0, unread = 0, starred = 0, unseen = 0

    mutating func count(_ head: MessageHead, by step: Int) {
      total += step
      if !head.isRead { unread += step }
      if head.isStarred { starred += step }
    }
  }

  /// A copy's source, and that of its first.
  private struct Pair: Hashable {
    var source: Int64
    var first: Int64
  }

  private let db: Database
  private let configured: Set<Int64>
  private let seeing: Prepared
  /// By list.
  private var additions = [[Entry]](repeating: [], count: List.allCases.count)
  private var removals = [[Entry]](repeating: [], count: List.allCases.count)
  /// Of what is unseen from now on, by source.
  private var arrivals: [Int64: [Int64]] = [:]
  private var pending = 0
  private var tallies: [Int64: Tally] = [:]
  private var copyTallies: [Pair: Tally] = [:]
  private var hasCopies: Bool
  /// Firsts of which one that is listed has to be found, and whether they are no longer the same as their copies.
  private var unsettled: [Int64: Bool] = [:]
  /// Those that saved lists judge again; nil where there are no lists.
  private var changed: Set<Int64>?

  init(_ db: Database) throws {
    self.db = db
    var configured: Set<Int64> = []
    let query = try db.prepared("SELECT id FROM source WHERE place IS NOT NULL")
    try query.forEach { configured.insert(query.int(0)) }
    self.configured = configured
    hasCopies = try Copies(db).exist()
    changed = try SavedLists(db).exist() ? [] : nil
    seeing = try db.prepared("DELETE FROM unseen WHERE source_id = ? AND message_id = ?")
  }

  /// A message as it was in the lists, nil if it is new, and as it is from now on, nil if it is removed.
  ///
  /// - Parameter isArrival: it came, or became visible: if it is unread, it is unseen.
  func move(_ old: MessageHead?, _ new: MessageHead?, isArrival: Bool = false) throws {
    guard let head = new ?? old else { return }
    noteForLists(old, new)
    let isConfigured = configured.contains(head.source)
    for list in List.allCases {
      let was = old.map { list.contains($0, isConfigured: isConfigured) } ?? false
      let `is` = new.map { list.contains($0, isConfigured: isConfigured) } ?? false
      if was, `is`, old?.key == new?.key, !list.isByPriority || old?.priority == new?.priority { continue }
      if was, let old { note(&removals, list, old) }
      if `is`, let new { note(&additions, list, new) }
    }
    count(old, by: -1)
    count(new, by: 1)
    if old?.isListedUnread == true, new?.isListedUnread != true {
      try see(head)
    } else if isArrival, old?.isListedUnread != true, new?.isListedUnread == true {
      arrive(head)
    }
    if head.first != nil { hasCopies = true }
    let (wasListed, isListed) = (old?.isListed ?? false, new?.isListed ?? false)
    if hasCopies, wasListed != isListed || new == nil {
      if head.first == nil, !isListed {
        settle(first: head.id)
      } else if let first = head.first, isListed {
        settle(first: first.id)
      }
    }
    if pending >= 100_000 { try flush() }
  }

  /// No list counts what is read.
  private func noteForLists(_ old: MessageHead?, _ new: MessageHead?) {
    guard changed != nil, old?.isRead == false || new?.isRead == false else { return }
    for id in [new?.id ?? old?.id, old?.first?.id, new?.first?.id] {
      if let id { changed?.insert(id) }
    }
  }

  /// At the end, sees to it that a message and its copies have one that lists over all sources show.
  ///
  /// - Parameter isLeaving: it isn't the same as its copies any more.
  func settle(first: Int64, isLeaving: Bool = false) {
    unsettled[first] = isLeaving || unsettled[first] == true
  }

  /// Writes what was collected, in list order.
  func flush() throws {
    try writeArrivals()
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
    try settle()
    if let ids = changed, !ids.isEmpty {
      try SavedLists(db).note(ids)
      changed = []
    }
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
    let pair = try db.prepared(
      "INSERT OR IGNORE INTO copy_tally (source_id, first_source, total, unread, starred) VALUES (?, ?, 0, 0, 0)"
    )
    let count = try db.prepared(
      """
      UPDATE copy_tally SET total = total + ?3, unread = unread + ?4, starred = starred + ?5
      WHERE source_id = ?1 AND first_source = ?2
      """)
    for (sources, tally) in copyTallies {
      try pair.run(sources.source, sources.first)
      try count.run(
        sources.source, sources.first, Int64(tally.total), Int64(tally.unread), Int64(tally.starred))
    }
    copyTallies = [:]
  }

  private func settle() throws {
    guard !unsettled.isEmpty else { return }
    let copies = Copies(db)
    for (first, isLeaving) in unsettled.sorted(by: { $0.key < $1.key }) {
      let others = try copies.heads(of: first)
      if others.isEmpty { continue }
      let old = try MessageHead.find(first, db)
      if let old, !isLeaving, isShown(old) { continue }
      // Where none is shown, the first stays the first while it is there.
      let isFirstNeeded = old == nil || isLeaving
      guard let next = others.first(where: isShown) ?? (isFirstNeeded ? others.first : nil) else { continue }
      for other in others {
        try become(other, copyOf: other.id == next.id ? nil : next, copies)
      }
      if let old, !isLeaving { try become(old, copyOf: next, copies) }
    }
    unsettled = [:]
    try flush()
  }

  private func isShown(_ head: MessageHead) -> Bool { head.isListed && configured.contains(head.source) }

  private func become(_ old: MessageHead, copyOf first: MessageHead?, _ copies: Copies) throws {
    var new = old
    new.first = first.map { MessageHead.First(id: $0.id, source: $0.source) }
    try copies.set(old.id, first: new.first)
    try move(old, new)
  }

  private func note(_ changes: inout [[Entry]], _ list: List, _ head: MessageHead) {
    changes[list.rawValue].append(Entry(source: head.source, priority: head.priority, key: head.key))
    pending += 1
  }

  private func count(_ head: MessageHead?, by step: Int) {
    guard let head, head.isListed else { return }
    tallies[head.source, default: Tally()].count(head, by: step)
    guard let first = head.first else { return }
    copyTallies[Pair(source: head.source, first: first.source), default: Tally()].count(head, by: step)
  }

  private func see(_ head: MessageHead) throws {
    try writeArrivals()
    try seeing.run(head.source, head.id)
    tallies[head.source, default: Tally()].unseen -= db.changesCount
  }

  /// A listed unread message that is unseen.
  func arrive(_ head: MessageHead) {
    arrivals[head.source, default: []].append(head.id)
    pending += 1
  }

  private func writeArrivals() throws {
    if arrivals.isEmpty { return }
    let insertion = RowInsertion(db, into: "unseen", ["source_id", "message_id"], or: .ignore)
    for (source, ids) in arrivals {
      tallies[source, default: Tally()].unseen += try insertion.insert(ids) {
        $1.bind($2, source)
        $1.bind($2 + 1, $0)
      }
    }
    arrivals = [:]
  }

  private func write(_ entries: [Entry], _ list: List, isAddition: Bool) throws {
    if entries.isEmpty { return }
    let sorted =
      list.isPerSource
      ? entries.sorted { ($0.source, $0.rank(in: list), $0.key) < ($1.source, $1.rank(in: list), $1.key) }
      : entries.sorted { $0.key < $1.key }
    func bind(_ entry: Entry, _ statement: Prepared, _ first: Int32) {
      statement.bind(first, entry.key.standing.rawValue)
      statement.bind(first + 1, entry.key.sortTime)
      statement.bind(first + 2, entry.key.id.rawValue)
      if list.isPerSource { statement.bind(first + 3, entry.source) }
      if list.isByPriority { statement.bind(first + 4, entry.priority.rawValue) }
    }
    if isAddition {
      try RowInsertion(db, into: list.table, Self.columns(list)).insert(sorted, bind)
    } else {
      let statement = try db.prepared(Self.delete(list))
      for entry in sorted {
        bind(entry, statement, 1)
        try statement.run()
      }
    }
  }

  private static func delete(_ list: List) -> String {
    "DELETE FROM \(list.table) WHERE \(columns(list).map { "\($0) = ?" }.joined(separator: " AND "))"
  }

  private static func columns(_ list: List) -> [String] {
    ["standing", "sort_time", "message_id"] + (list.isPerSource ? ["source_id"] : [])
      + (list.isByPriority ? ["priority"] : [])
  }
}
