import Basics
import GRDB
import Messages
import Sync

/// The acts of this machine in the form in which they are sent to other machines: the table `own_act`.
struct OwnActs {
  private let db: Database

  init(_ db: Database) { self.db = db }

  // MARK: - Acts on messages

  /// Adds an act, with its number, if it changed something that is synchronised. It is encoded later: see
  /// `encode`.
  ///
  /// - Returns: the number, or `nil` if the act changed nothing that is synchronised.
  func add(_ changes: [MarkChange]) throws -> Int64? {
    let travels = try changes.contains { change in
      try change.field.row.wire != nil && change.messages.ranges.contains { try isSynced($0) }
    }
    return travels ? try append(nil) : nil
  }

  /// Whether one of the messages is from a source that is synchronised.
  private func isSynced(_ messages: ClosedRange<Int64>) throws -> Bool {
    try db.integer(
      """
      SELECT 1 FROM status t CROSS JOIN wire_source w ON w.source_id = t.source_id
      WHERE t.message_id BETWEEN ? AND ? LIMIT 1
      """, messages.lowerBound, messages.upperBound) == 1
  }

  /// Adds an act from before synchronisation, with its changes that are still in effect.
  func add(setUp act: Int64, _ changes: [MarkChange]) throws {
    var encoded = try encode(act, changes)
    if encoded.groups.isEmpty { return }
    encoded.kind = .setUp
    encoded.undoes = 0
    let seq = try append(ActCodec.encode(encoded))
    try db.prepared("UPDATE journal SET seq = ?2 WHERE id = ?1").run(act, seq)
  }

  /// Encodes acts that aren't encoded yet: before they are sent, and before their messages are deleted or report a new
  /// event.
  ///
  /// - Parameter limit: the approximate number of messages.
  /// - Returns: whether more are left.
  @discardableResult
  func encode(limit: Int = .max) throws -> Bool {
    let query = try db.prepared(
      """
      SELECT j.id, o.seq FROM own_act o CROSS JOIN journal j ON j.device = \(Writers.here) AND j.seq = o.seq
      WHERE NOT o.is_sent AND o.body IS NULL ORDER BY o.seq LIMIT ?
      """)
    query.bind(1, limit)
    return try encode(query, limit: limit)
  }

  /// Encodes acts before their changes are deleted.
  func encode(_ acts: ClosedRange<Int64>) throws {
    let query = try db.prepared(
      """
      SELECT j.id, o.seq FROM journal j CROSS JOIN own_act o ON o.seq = j.seq
      WHERE j.id BETWEEN ? AND ? AND j.device = \(Writers.here) AND o.body IS NULL
      """)
    query.bind(1, acts.lowerBound)
    query.bind(2, acts.upperBound)
    _ = try encode(query, limit: .max)
  }

  /// - Parameter query: returns the ids of acts in the journal, and their numbers.
  private func encode(_ query: Prepared, limit: Int) throws -> Bool {
    var found: [(act: Int64, seq: Int64)] = []
    try query.forEach { found.append((query.int(0), query.int(1))) }
    var count = 0
    for (act, seq) in found {
      if count >= limit { return true }
      let changes = try MarkLog(db).changes(of: act)
      try save(ActCodec.encode(encode(act, changes)), as: seq)
      count += changes.reduce(1) { $0 + $1.messages.count }
    }
    return found.count == limit
  }

  /// Returns the next acts that were not sent to any sync location, or `nil` if there are none.
  func waiting(limit: Int) throws -> (seqs: ClosedRange<Int64>, acts: [[UInt8]])? {
    let query = try db.prepared("SELECT seq, body FROM own_act WHERE NOT is_sent ORDER BY seq")
    var acts: [[UInt8]] = []
    var (first, last, size): (Int64?, Int64, Int) = (nil, 0, 0)
    defer { query.reset() }
    while try query.step() {
      let (seq, body) = (query.int(0), query.blob(1))
      if first != nil, seq - 1 != last || size + body.count > limit || query.isNull(1) { break }
      first = first ?? seq
      (last, size) = (seq, size + body.count)
      acts.append(body)
    }
    return first.map { ($0...last, acts) }
  }

  /// Returns the acts, or `nil` if some of them are missing.
  func bodies(_ seqs: ClosedRange<Int64>) throws -> [[UInt8]]? {
    // The numbers are from a name at the sync location, so that their count may overflow.
    guard seqs.lowerBound > 0, let last = try db.integer("SELECT max(seq) FROM own_act"),
      seqs.upperBound <= last
    else { return nil }
    let query = try db.prepared(
      "SELECT body FROM own_act WHERE seq BETWEEN ? AND ? AND body IS NOT NULL ORDER BY seq")
    query.bind(1, seqs.lowerBound)
    query.bind(2, seqs.upperBound)
    var bodies: [[UInt8]] = []
    try query.forEach { bodies.append(query.blob(0)) }
    return bodies.count == seqs.count ? bodies : nil
  }

  /// Returns acts in the form of a packed object, without writes that later acts replace, or `nil` if some of them are
  /// missing.
  func packed(_ seqs: ClosedRange<Int64>) throws -> [[UInt8]]? {
    try bodies(seqs).map { try Packing.trimmed($0) }
  }

  /// Replaces acts by the form in which the sync location has them, so that writes replaced by later ones are
  /// deleted here too.
  func keep(_ bodies: [[UInt8]], as seqs: ClosedRange<Int64>) throws {
    guard let known = try self.bodies(seqs), known.count == bodies.count,
      let first = known.indices.first(where: { known[$0] != bodies[$0] })
    else { return }
    let changed = seqs.lowerBound + Int64(first)...seqs.upperBound
    let flags = try db.prepared("SELECT is_sent FROM own_act WHERE seq BETWEEN ? AND ? ORDER BY seq")
    flags.bind(1, changed.lowerBound)
    flags.bind(2, changed.upperBound)
    var areThere: [Bool] = []
    try flags.forEach { areThere.append(flags.bool(0)) }
    // Rows that only became shorter would leave their pages half empty.
    try db.prepared("DELETE FROM own_act WHERE seq BETWEEN ? AND ?").run(
      changed.lowerBound, changed.upperBound)
    let insert = try db.prepared("INSERT INTO own_act (seq, body, is_sent) VALUES (?, ?, ?)")
    for (seq, (body, isThere)) in zip(changed, zip(bodies[first...], areThere)) {
      insert.bind(1, seq)
      try insert.bind(2, blob: body)
      insert.bind(3, isThere)
      try insert.run()
    }
  }

  /// Whether `bodies` are this machine's acts with these numbers, packed or not.
  func areSame(_ bodies: [[UInt8]], as seqs: ClosedRange<Int64>) throws -> Bool {
    guard let own = try self.bodies(seqs), own.count == bodies.count else { return false }
    if own == bodies { return true }
    let query = try db.prepared("SELECT seq, body FROM own_act WHERE body IS NOT NULL ORDER BY seq")
    var (all, part): ([[UInt8]], Range<Int>?) = ([], nil)
    try query.forEach {
      if query.int(0) == seqs.lowerBound { part = all.count..<all.count + own.count }
      all.append(query.blob(1))
    }
    // They may have been packed together with any others.
    guard let part else { return false }
    let mine = try Packing.trimmed(all, part: part)
    all.replaceSubrange(part, with: bodies)
    return try mine == Packing.trimmed(all, part: part)
  }

  /// Records whether the sync location has these acts.
  func setThere(_ isThere: Bool, _ seqs: ClosedRange<Int64>) throws {
    try db.prepared("UPDATE own_act SET is_sent = ?3 WHERE seq BETWEEN ?1 AND ?2").run(
      seqs.lowerBound, seqs.upperBound, isThere ? 1 : 0)
  }

  /// Returns the numbers of acts that were sent: all except the waiting ones, of which there are few.
  func sent() throws -> IDRanges {
    guard let last = try db.integer("SELECT max(seq) FROM own_act"), last > 0 else { return IDRanges() }
    let query = try db.prepared("SELECT seq FROM own_act WHERE NOT is_sent ORDER BY seq")
    var waiting = IDRanges()
    try query.forEach { waiting.append(query.int(0)) }
    return IDRanges(1...last).subtracting(waiting)
  }

  private func save(_ body: [UInt8], as seq: Int64) throws {
    let update = try db.prepared("UPDATE own_act SET body = ?2 WHERE seq = ?1")
    update.bind(1, seq)
    try update.bind(2, blob: body)
    try update.run()
  }

  /// Adds an act, which may be encoded later.
  ///
  /// - Returns: the number of the act.
  private func append(_ body: [UInt8]?) throws -> Int64 {
    let seq = (try db.integer("SELECT max(seq) FROM own_act") ?? 0) + 1
    let insert = try db.prepared("INSERT INTO own_act (seq, body) VALUES (?, ?)")
    insert.bind(1, seq)
    if let body { try insert.bind(2, blob: body) } else { insert.bindNull(2) }
    try insert.run()
    return seq
  }

  private func encode(_ act: Int64, _ changes: [MarkChange]) throws -> Act {
    let query = try db.prepared(
      """
      SELECT j.kind, j.stamp, j.at, coalesce(u.seq, 0) FROM journal j LEFT JOIN journal u ON u.id = j.undoes
      WHERE j.id = ?
      """)
    query.bind(1, act)
    let head = try query.first {
      (
        kind: Act.Kind(journal: query.text(0)),
        stamp: query.optionalInt(1).map(Stamp.init(rawValue:)) ?? Stamp(milliseconds: query.int(2)),
        undoes: query.int(3)
      )
    }
    guard let head else { throw StoreFailure.corrupt(path: "journal", reason: "act \(act) is not there") }
    return Act(kind: head.kind, stamp: head.stamp, undoes: head.undoes, groups: try groups(changes))
  }

  /// Returns changes in the form for other machines, without sources that aren't synchronised.
  private func groups(_ changes: [MarkChange]) throws -> [Act.Group] {
    var groups = ActGroups(db)
    let keys = WireKeys(db)
    for change in changes {
      guard let field = change.field.row.wire else { continue }
      let value = change.new.wireValue
      for range in change.messages.ranges {
        for id in range {
          guard let name = try keys.name(of: id) else { continue }
          try groups.add(field, value, name)
        }
      }
      if change.new == .starred(true) { try addContents(of: change.messages, to: &groups) }
    }
    return groups.all
  }

  /// Adds the content of these messages, which are starred, and whether they were unread, since feeds drop
  /// old entries. If there are very many messages, only the newest are added.
  private func addContents(of messages: IDRanges, to groups: inout ActGroups) throws {
    let (query, columns) = (try db.prepared("\(Message.select) WHERE m.id = ?"), Columns())
    var room = Limits.contentsBytes
    for id in messages.ranges.lazy.reversed().map({ $0.reversed() }).joined() {
      guard let name = try WireKeys(db).name(of: id) else { continue }
      query.bind(1, id)
      let message = try query.first { Message(query, columns) }
      let content = try message.flatMap { try MessageContent.bytes(of: $0.content, isUnread: $0.isUnread) }
      guard let bytes = content else { continue }
      room -= bytes.count
      if room < 0 { return }
      try groups.add(.content, .bytes(bytes), name)
    }
  }

  // MARK: - Acts without marks

  /// Records that the messages of a source are seen. Call it before they are marked as seen.
  func addSeen(_ source: Int64) throws {
    guard try WireSources(db).uid(of: source) != nil else { return }
    let query = try db.prepared(
      "SELECT message_id FROM status WHERE source_id = ? AND is_unseen AND NOT is_read")
    query.bind(1, source)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    var groups = ActGroups(db)
    for id in ids { if let name = try WireKeys(db).name(of: id) { try groups.add(.seen, .integer(1), name) } }
    // The time doesn't matter, since nothing undoes it.
    let now = try db.integer("SELECT clock FROM store") ?? 0
    try add(.seen, stamp: Stamp(milliseconds: now), groups.all)
  }

  /// Records that the first delivery of a source has arrived.
  ///
  /// - Parameter old: the ids of the messages that were stored as read.
  func addFirstDelivery(of source: Int64, old: [String], at now: Milliseconds) throws {
    guard let uid = try WireSources(db).uid(of: source) else { return }
    let targets = old.map { Act.Target(key: Act.Target.key(ofRemoteID: $0)) }
    try add(
      .firstDelivery, stamp: Stamp(milliseconds: now),
      [Act.Group(source: uid, field: .old, value: .integer(1), targets: targets)])
  }

  /// Adds an act that isn't in the journal.
  ///
  /// - Returns: its number, or `nil` if it contains nothing.
  @discardableResult
  func add(_ kind: Act.Kind, stamp: Stamp, _ groups: [Act.Group]) throws -> Int64? {
    groups.isEmpty ? nil : try append(ActCodec.encode(Act(kind: kind, stamp: stamp, groups: groups)))
  }
}

/// Collects the messages of an act in groups with the same source, field and value.
struct ActGroups {
  private struct Heading: Hashable {
    var source: WireUID
    var field: Act.Field
    var value: Act.Value
  }

  private let db: Database
  private let sources: WireSources
  private var targets: [Heading: [Act.Target]] = [:]

  init(_ db: Database) {
    self.db = db
    sources = WireSources(db)
  }

  mutating func add(_ field: Act.Field, _ value: Act.Value, _ name: WireKeys.Name) throws {
    guard let source = try sources.uid(of: name.source) else { return }
    var target = name.target
    if !field.isOfOccasion { target.occasion = 0 }
    targets[Heading(source: source, field: field, value: value), default: []].append(target)
  }

  /// The groups in any order; the codec sorts them.
  var all: [Act.Group] {
    targets.map { Act.Group(source: $0.source, field: $0.field, value: $0.value, targets: $1) }
  }
}

extension UserAct.Kind {
  fileprivate var wire: Act.Kind {
    switch self {
    case .read: .read
    case .unread: .unread
    case .star: .star
    case .unstar: .unstar
    case .dismiss: .dismiss
    case .undismiss: .bringBack
    case .readAll: .readAll
    case .snooze: .snooze
    case .rule: .rulesApply
    case .settings: .sources
    }
  }
}

extension Act.Kind {
  /// - Parameter kind: the kind as in the journal.
  init(journal kind: String) { self = UserAct.Kind(rawValue: kind)?.wire ?? .undo }

  /// The kind as it is stored in the journal for an act of another machine.
  var journal: String {
    // Changes of sources are never behind a mark.
    let kind = UserAct.Kind.allCases.first { $0.wire == self && $0 != .settings }
    return kind?.rawValue ?? (self == .undo ? Journal.undo : Journal.other)
  }
}
