import Foundation
import GRDB
import Messages

/// The features of programs, which notifications of feeds switch on and off without being displayed. It is for use
/// within one transaction.
///
/// The last notification that is valid now decides on a feature: they are ordered by the beginning of their validity,
/// then by arrival. The table `feature` contains the last reported state of each feature, so that each change is
/// reported once.
struct Features {
  /// A notification that switches features.
  struct Notice {
    var id: Int64
    var source: Int64
    var remoteID: String
    var isEnabled: Bool
    var data: String?
    var channel: String?
    var visibleFrom: Milliseconds?
    var expires: Milliseconds?
    /// The time at which it arrived, or arrived again with other content.
    var said: Milliseconds
    /// The position among all notifications in the order of their arrival.
    var place: Int64

    /// The beginning of its validity.
    var begins: Milliseconds { max(visibleFrom ?? said, said) }

    /// The columns in the order in which `init` reads them, for queries in which `n` is the table
    /// `feature_switch`.
    static let columns = """
      n.id, n.source_id, n.remote_id, n.is_enabled, n.data, n.channel, n.visible_from, n.expires, n.said, n.position
      """

    /// Reads a row.
    ///
    /// - Parameter first: the position of the first of `columns`.
    init(_ row: Prepared, at first: Int32) {
      id = row.int(first)
      source = row.int(first + 1)
      remoteID = row.text(first + 2)
      isEnabled = row.bool(first + 3)
      data = row.optionalText(first + 4)
      channel = row.optionalText(first + 5)
      visibleFrom = row.optionalInt(first + 6)
      expires = row.optionalInt(first + 7)
      said = row.int(first + 8)
      place = row.int(first + 9)
    }

    func isBefore(_ other: Notice) -> Bool { (begins, place) < (other.begins, other.place) }
  }

  let db: Database
  private let columns: Columns

  init(_ db: Database, _ columns: Columns) {
    self.db = db
    self.columns = columns
  }

  func isSubscribed(_ notice: Notice) throws -> Bool {
    guard let channel = notice.channel else { return true }
    let query = try db.prepared("SELECT channels FROM source WHERE id = ?")
    query.bind(1, notice.source)
    guard let named = try query.first({ columns.strings.value(query.text(0)) ?? [] }) else { return false }
    let channels = named.isEmpty ? ShownChannels.unnamed : .named(Set(named))
    return channels.contains(channel, isInApp: true)
  }

  /// Whether a notification is valid at a time, and its source is subscribed to its channel.
  func holds(_ notice: Notice, at now: Milliseconds) throws -> Bool {
    try isSubscribed(notice) && notice.begins <= now && notice.expires.map { now < $0 } ?? true
  }

  // MARK: - Taking in

  /// Returns the ids of a source's stored notifications.
  func noticeIDs(of source: SourceID) throws -> Set<RemoteID> {
    let query = try db.prepared("SELECT remote_id FROM feature_switch WHERE source_id = ?")
    query.bind(1, source.rawValue)
    var ids: Set<RemoteID> = []
    try query.forEach { ids.insert(RemoteID(query.text(0))) }
    return ids
  }

  /// Stores the notifications of a poll that switch features on or off.
  ///
  /// - Parameter ended: the ids of stored notifications that now arrived as messages, so that they no longer switch any
  ///   feature.
  /// - Returns: the features whose state differs from the last reported one.
  func apply(
    _ notices: [FeatureNotice], ended: [RemoteID], of source: SourceID, at now: Milliseconds
  ) throws -> [FeatureChange] {
    var names: [String] = []
    for remoteID in ended {
      if let id = try find(remoteID, of: source)?.id { try names += remove(id) }
    }
    for notice in notices { try names += apply(notice, of: source, at: now) }
    var changes: [FeatureChange] = []
    for name in names {
      if let change = try change(of: name, at: now)?.change { changes.append(change) }
    }
    return changes
  }

  /// Stores one notification, and replaces the earlier one with the same id.
  ///
  /// - Returns: the names of the features that one of the two notifications switches.
  private func apply(_ notice: FeatureNotice, of source: SourceID, at now: Milliseconds) throws -> [String] {
    let old = try find(notice.remoteID, of: source)
    // A notification without names only removes the names of the earlier one.
    if old == nil, notice.names.isEmpty { return [] }
    let hash = ContentHash.of(notice)
    if let old, old.hash == hash {
      try db.prepared("UPDATE feature_switch SET listed = ?2 WHERE id = ?1 AND listed < ?2 - 86400000")
        .run(old.id, now)
      return []
    }
    var names: [String] = []
    if let old { names = try remove(old.id) }
    // A redelivery does not extend it.
    let arrived = old?.arrived ?? now
    let received = Date(milliseconds: arrived)
    let expires: Date? =
      switch notice.lifetime {
      case .afterArrival(let seconds)?: received.addingTimeInterval(seconds)
      case .afterAppearance(let seconds)?:
        max(received, notice.visibleFrom ?? received).addingTimeInterval(seconds)
      case nil: notice.expires
      }
    let insert = try db.prepared(
      """
      INSERT INTO feature_switch (source_id, remote_id, is_enabled, data, channel, visible_from, expires, arrived, said, position,
        hash, listed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT coalesce(max(position), 0) + 1 FROM feature_switch), ?10, ?9)
      """)
    insert.bind(1, source.rawValue)
    try insert.bind(2, notice.remoteID.text)
    insert.bind(3, notice.isEnabled)
    try insert.bind(4, notice.data)
    try insert.bind(5, notice.channel)
    insert.bind(6, notice.visibleFrom?.milliseconds)
    insert.bind(7, expires?.milliseconds)
    insert.bind(8, arrived)
    insert.bind(9, now)
    insert.bind(10, hash)
    try insert.run()
    let id = db.lastInsertedRowID
    let name = try db.prepared("INSERT OR IGNORE INTO feature_switch_name (name, switch_id) VALUES (?, ?)")
    for text in notice.names {
      try name.bind(1, text)
      name.bind(2, id)
      try name.run()
    }
    return names + notice.names
  }

  private func find(
    _ remoteID: RemoteID, of source: SourceID
  ) throws -> (id: Int64, hash: Int64, arrived: Milliseconds)? {
    let query = try db.prepared(
      "SELECT id, hash, arrived FROM feature_switch WHERE source_id = ? AND remote_id = ?")
    query.bind(1, source.rawValue)
    try query.bind(2, remoteID.text)
    return try query.first { (query.int(0), query.int(1), query.int(2)) }
  }

  /// Deletes a stored notification.
  ///
  /// - Returns: the names of the features that it switched.
  private func remove(_ notice: Int64) throws -> [String] {
    let query = try db.prepared("SELECT name FROM feature_switch_name WHERE switch_id = ?")
    query.bind(1, notice)
    var names: [String] = []
    try query.forEach { names.append(query.text(0)) }
    try db.prepared("DELETE FROM feature_switch_name WHERE switch_id = ?").run(notice)
    try db.prepared("DELETE FROM feature_switch WHERE id = ?").run(notice)
    return names
  }

  // MARK: - Time and channels

  /// Returns the features that were switched since the last call because time passed or the channels of a
  /// source changed, each with the source of the notification.
  func due(at now: Milliseconds) throws -> [(source: SourceID, change: FeatureChange)] {
    var changes: [(SourceID, FeatureChange)] = []
    for name in try dueNames(at: now) {
      if let change = try change(of: name, at: now) { changes.append(change) }
    }
    try db.prepared("UPDATE store SET features_clock = ?").run(now)
    return changes
  }

  /// Returns the names of the features that may have been switched since the last call of `due`, because time
  /// passed or the channels of a source changed.
  func dueNames(at now: Milliseconds) throws -> [String] {
    let clock = try db.integer("SELECT features_clock FROM store") ?? 0
    let query = try db.prepared(
      """
      SELECT s.name FROM feature_switch n JOIN feature_switch_name s ON s.switch_id = n.id WHERE n.visible_from > ?1 AND n.visible_from <= ?2
      UNION SELECT s.name FROM feature_switch n JOIN feature_switch_name s ON s.switch_id = n.id WHERE n.expires > ?1 AND n.expires <= ?2
      """)
    query.bind(1, min(clock, now))
    query.bind(2, max(clock, now))
    var names: [String] = []
    try query.forEach { names.append(query.text(0)) }
    let inChannels = try db.prepared(
      """
      SELECT s.name, \(Notice.columns), n.is_subscribed FROM feature_switch n CROSS JOIN feature_switch_name s ON s.switch_id = n.id
      WHERE n.channel IS NOT NULL
      """)
    try inChannels.forEach {
      if try isSubscribed(Notice(inChannels, at: 1)) != inChannels.bool(11) {
        names.append(inChannels.text(0))
      }
    }
    return names
  }

  /// Returns the first moment after `now` at which the validity of a notification begins or ends.
  static func next(after now: Milliseconds, _ db: Database) throws -> Milliseconds? {
    let begins = try db.integer("SELECT min(visible_from) FROM feature_switch WHERE visible_from > ?", now)
    let ends = try db.integer("SELECT min(expires) FROM feature_switch WHERE expires > ?", now)
    return [begins, ends].compactMap { $0 }.min()
  }

  // MARK: - Judging

  /// Returns a feature's state if it differs from the last reported one, and stores it as reported.
  private func change(
    of name: String, at now: Milliseconds
  ) throws -> (source: SourceID, change: FeatureChange)? {
    let notices = try notices(of: name)
    for notice in notices where notice.channel != nil {
      try db.prepared("UPDATE feature_switch SET is_subscribed = ?2 WHERE id = ?1")
        .run(notice.id, try isSubscribed(notice) ? 1 : 0)
    }
    let reported = try self.reported(name)
    let winner = try notices.last { try holds($0, at: now) }
    let isEnabled = winner?.isEnabled ?? false
    let data = winner.map { ContentHash.of(data: $0.data) }
    if let reported {
      if reported.isEnabled == isEnabled, data == nil || reported.data == nil || reported.data == data {
        return nil
      }
    } else if winner == nil {
      return nil
    }
    // A feature that is reset is reported to the source that switched it.
    var source = reported?.source ?? 0
    if let winner, reported.map({ $0.at < winner.begins }) ?? true { source = winner.source }
    guard let remoteID = winner?.remoteID ?? reported?.remoteID else { return nil }
    try save(
      Reported(
        isEnabled: isEnabled, data: data, source: winner?.source ?? source, remoteID: remoteID, at: now),
      of: name)
    let change = FeatureChange(
      name: name, isEnabled: isEnabled, remoteID: RemoteID(remoteID),
      data: winner == nil ? notices.last?.data : winner?.data)
    try remember(change, of: source)
    return (SourceID(source), change)
  }

  /// Stores that the source's `feature_command` must be called for a change. The call is stored until the
  /// program has run, in any process.
  private func remember(_ change: FeatureChange, of source: Int64) throws {
    let insert = try db.prepared(
      "INSERT INTO feature_call (source_id, name, is_enabled, remote_id, data) VALUES (?, ?, ?, ?, ?)")
    insert.bind(1, source)
    try insert.bind(2, change.name)
    insert.bind(3, change.isEnabled)
    try insert.bind(4, change.remoteID.text)
    try insert.bind(5, change.data)
    try insert.run()
  }

  /// The last reported state of a feature.
  private struct Reported {
    var isEnabled: Bool
    /// The hash of the notification's data, or `nil` if it is unknown.
    var data: Int64?
    var source: Int64
    var remoteID: String
    var at: Milliseconds
  }

  private func reported(_ name: String) throws -> Reported? {
    let query = try db.prepared(
      "SELECT is_enabled, data, source_id, remote_id, at FROM feature WHERE name = ?")
    try query.bind(1, name)
    return try query.first {
      Reported(
        isEnabled: query.bool(0), data: query.optionalInt(1), source: query.int(2), remoteID: query.text(3),
        at: query.int(4))
    }
  }

  private func save(_ reported: Reported, of name: String) throws {
    let save = try db.prepared(
      """
      INSERT INTO feature (name, is_enabled, data, source_id, remote_id, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (name) DO UPDATE SET is_enabled = ?2, data = ?3, source_id = ?4, remote_id = ?5, at = ?6
      """)
    try save.bind(1, name)
    save.bind(2, reported.isEnabled)
    save.bind(3, reported.data)
    save.bind(4, reported.source)
    try save.bind(5, reported.remoteID)
    save.bind(6, reported.at)
    try save.run()
  }

  /// Returns the notifications that switch a feature, in the order in which their validity begins.
  private func notices(of name: String) throws -> [Notice] {
    let query = try db.prepared(
      "SELECT \(Notice.columns) FROM feature_switch_name s JOIN feature_switch n ON n.id = s.switch_id WHERE s.name = ?"
    )
    try query.bind(1, name)
    var notices: [Notice] = []
    try query.forEach { notices.append(Notice(query, at: 0)) }
    return notices.sorted { $0.isBefore($1) }
  }
}
