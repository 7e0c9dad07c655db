import GRDB
import Messages
import Sync

/// What messages are called on all machines: the table `wire_key`.
struct WireKeys {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Of one message.
  struct Name {
    var source: Int64
    var target: Act.Target
  }

  /// Nil where its source isn't synchronised.
  func name(of message: Int64) throws -> Name? {
    let query = try db.prepared(
      "SELECT t.source_id, d.remote_id FROM status t CROSS JOIN detail d ON d.message_id = t.message_id WHERE t.message_id = ?"
    )
    query.bind(1, message)
    guard let (source, remoteID) = try query.first({ (query.int(0), query.text(1)) }) else { return nil }
    let key = Act.Target.key(ofRemoteID: remoteID)
    let occasion = try db.integer(
      "SELECT occasion FROM wire_key WHERE source_id = ? AND key = ? AND message_id = ?", source,
      Int64(bitPattern: key), message)
    return occasion.map {
      Name(source: source, target: Act.Target(key: key, occasion: UInt64(bitPattern: $0)))
    }
  }

  /// The messages that a key means, with what they report now.
  func messages(of key: UInt64, in source: Int64) throws -> [(id: Int64, occasion: UInt64)] {
    // Rows of former remote ids stay when their message goes.
    let query = try db.prepared(
      """
      SELECT k.message_id, k.occasion FROM wire_key k WHERE k.source_id = ? AND k.key = ?
        AND EXISTS (SELECT 1 FROM status t WHERE t.message_id = k.message_id)
      """)
    query.bind(1, source)
    query.bind(2, Int64(bitPattern: key))
    var found: [(id: Int64, occasion: UInt64)] = []
    try query.forEach { found.append((query.int(0), UInt64(bitPattern: query.int(1)))) }
    return found
  }

  /// Messages that are stored from now on, or report something else than before.
  ///
  /// - Parameter messages: in any order.
  func add(
    _ messages: [(remoteID: String, message: Int64, occasion: UInt64)], to source: Int64
  ) throws {
    let insert = try db.prepared(
      "INSERT OR REPLACE INTO wire_key (source_id, key, message_id, occasion) VALUES (?, ?, ?, ?)")
    let rows = messages.map {
      (
        key: Int64(bitPattern: Act.Target.key(ofRemoteID: $0.remoteID)), message: $0.message,
        occasion: $0.occasion
      )
    }
    // In the order of the table each of its pages is read once.
    for row in rows.sorted(by: { ($0.key, $0.message) < ($1.key, $1.message) }) {
      try insert.run(source, row.key, row.message, Int64(bitPattern: row.occasion))
    }
  }

  /// A message that has come with another remote id is called by both.
  ///
  /// - Returns: what it reports; nil: its source isn't synchronised.
  @discardableResult
  func rename(_ message: Int64, to remoteID: String) throws -> UInt64? {
    guard let name = try name(of: message) else { return nil }
    try add([(remoteID, message, name.target.occasion)], to: name.source)
    return name.target.occasion
  }

  /// A message whose remote id means another one now is called otherwise.
  func give(_ remoteID: String, to message: Int64) throws {
    try rename(message, to: remoteID)
    try remove(message)
  }

  /// A message reports something else from now on.
  func report(_ occasion: UInt64, _ message: Int64) throws {
    guard let name = try name(of: message) else { return }
    try db.prepared(
      "UPDATE wire_key SET occasion = ?4 WHERE source_id = ?1 AND key = ?2 AND message_id = ?3"
    ).run(name.source, Int64(bitPattern: name.target.key), message, Int64(bitPattern: occasion))
  }

  /// A message goes. To be called before.
  func remove(_ message: Int64) throws {
    guard let name = try name(of: message) else { return }
    try db.prepared("DELETE FROM wire_key WHERE source_id = ? AND key = ? AND message_id = ?").run(
      name.source, Int64(bitPattern: name.target.key), message)
  }

  /// A place in the table.
  struct Place {
    fileprivate var source: Int64 = 0
    fileprivate var key: Int64 = .min
    fileprivate var message: Int64 = 0
  }

  /// Deletes former names of messages that are gone: `remove` takes only their last ones.
  ///
  /// - Parameter last: where the slice before ended.
  /// - Returns: where this slice ended, or `nil` if there are no more.
  func forgetSome(after last: Place) throws -> Place? {
    let query = try db.prepared(
      """
      SELECT source_id, key, message_id, EXISTS (SELECT 1 FROM status t WHERE t.message_id = k.message_id)
      FROM wire_key k WHERE (source_id, key, message_id) > (?, ?, ?)
      ORDER BY source_id, key, message_id LIMIT \(Self.slice)
      """)
    query.bind(1, last.source)
    query.bind(2, last.key)
    query.bind(3, last.message)
    var places: [(place: Place, isLeft: Bool)] = []
    try query.forEach {
      places.append((Place(source: query.int(0), key: query.int(1), message: query.int(2)), query.bool(3)))
    }
    let delete = try db.prepared("DELETE FROM wire_key WHERE source_id = ? AND key = ? AND message_id = ?")
    for (place, isLeft) in places where !isLeft { try delete.run(place.source, place.key, place.message) }
    return places.count == Self.slice ? places.last?.place : nil
  }

  private static let slice = 5000

  /// What a message reports, as all machines know it; 0: always the same.
  ///
  /// - Parameter hash: of its content, where a change of it is news.
  static func occasion(_ text: String?, hash: Int64?) -> UInt64 {
    if let text { return Act.Target.occasion(of: text) }
    return hash.map { Act.Target.occasion(ofContentHash: UInt64(bitPattern: $0)) } ?? 0
  }
}
