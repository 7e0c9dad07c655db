import GRDB
import Messages
import Sync

/// The keys by which all machines know messages, in the table `wire_key`.
struct WireKeys {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The identity of a message for other machines: its source, and its key with its present event.
  struct Name {
    var source: Int64
    var target: Act.Target
    /// The time of publication: see `CurrentOccasion`.
    var published: Milliseconds?

    var occasion: CurrentOccasion { CurrentOccasion(target.occasion, published: published) }
  }

  /// A message that is stored from now on, or that reports another event (occasion) than before.
  struct Naming {
    var remoteID: String
    var message: Int64
    var occasion: CurrentOccasion
  }

  /// Returns the identity of a message, or `nil` if its source isn't synchronised.
  func name(of message: Int64) throws -> Name? {
    let query = try db.prepared(
      "SELECT t.source_id, d.remote_id FROM status t CROSS JOIN detail d ON d.message_id = t.message_id WHERE t.message_id = ?"
    )
    query.bind(1, message)
    guard let (source, remoteID) = try query.first({ (query.int(0), query.text(1)) }) else { return nil }
    let key = Act.Target.key(ofRemoteID: remoteID)
    let known = try db.prepared(
      "SELECT event_hash, published FROM wire_key WHERE source_id = ? AND key = ? AND message_id = ?")
    known.bind(1, source)
    known.bind(2, Int64(bitPattern: key))
    known.bind(3, message)
    return try known.first {
      Name(
        source: source, target: Act.Target(key: key, occasion: UInt64(bitPattern: known.int(0))),
        published: known.optionalInt(1))
    }
  }

  /// Returns the messages with a key, with the events (occasions) that they report.
  func messages(of key: UInt64, in source: Int64) throws -> [(id: Int64, occasion: CurrentOccasion)] {
    // Rows of former remote ids stay when their message is deleted.
    let query = try db.prepared(
      """
      SELECT k.message_id, k.event_hash, k.published FROM wire_key k WHERE k.source_id = ? AND k.key = ?
        AND EXISTS (SELECT 1 FROM status t WHERE t.message_id = k.message_id)
      """)
    query.bind(1, source)
    query.bind(2, Int64(bitPattern: key))
    var found: [(id: Int64, occasion: CurrentOccasion)] = []
    try query.forEach {
      let occasion = CurrentOccasion(UInt64(bitPattern: query.int(1)), published: query.optionalInt(2))
      found.append((query.int(0), occasion))
    }
    return found
  }

  /// Adds the keys of messages.
  ///
  /// - Parameter messages: messages in any order.
  func add(_ messages: [Naming], to source: Int64) throws {
    let insert = try db.prepared(
      "INSERT OR REPLACE INTO wire_key (source_id, key, message_id, event_hash, published) VALUES (?, ?, ?, ?, ?)"
    )
    let rows = messages.map {
      (
        key: Int64(bitPattern: Act.Target.key(ofRemoteID: $0.remoteID)), message: $0.message,
        occasion: $0.occasion
      )
    }
    // In the order of the table, each of its pages is read once.
    for row in rows.sorted(by: { ($0.key, $0.message) < ($1.key, $1.message) }) {
      insert.bind(1, source)
      insert.bind(2, row.key)
      insert.bind(3, row.message)
      insert.bind(4, Int64(bitPattern: row.occasion.occasion))
      insert.bind(5, row.occasion.published)
      try insert.run()
    }
  }

  /// Adds the key of another remote id with which a message has arrived; the message keeps its former key too.
  ///
  /// - Returns: the event that the message reports, or `nil` if its source isn't synchronised.
  @discardableResult
  func rename(_ message: Int64, to remoteID: String) throws -> CurrentOccasion? {
    guard let name = try name(of: message) else { return nil }
    try add([Naming(remoteID: remoteID, message: message, occasion: name.occasion)], to: name.source)
    return name.occasion
  }

  /// Assigns another key to a message whose remote id now belongs to another message.
  func give(_ remoteID: String, to message: Int64) throws {
    try rename(message, to: remoteID)
    try remove(message)
  }

  /// Records that, according to its service, a message reports another event (occasion) from now on.
  func report(_ occasion: UInt64, _ message: Int64) throws {
    guard let name = try name(of: message) else { return }
    try db.prepared(
      """
      UPDATE wire_key SET event_hash = ?4, published = NULL WHERE source_id = ?1 AND key = ?2 AND message_id = ?3
      """
    ).run(name.source, Int64(bitPattern: name.target.key), message, Int64(bitPattern: occasion))
  }

  /// Removes the key of a message that is deleted. Call it before the deletion.
  func remove(_ message: Int64) throws {
    guard let name = try name(of: message) else { return }
    try db.prepared("DELETE FROM wire_key WHERE source_id = ? AND key = ? AND message_id = ?").run(
      name.source, Int64(bitPattern: name.target.key), message)
  }

  /// A position in the table.
  struct Place {
    fileprivate var source: Int64 = 0
    fileprivate var key: Int64 = .min
    fileprivate var message: Int64 = 0
  }

  /// Deletes former keys of deleted messages: `remove` deletes only their last ones.
  ///
  /// - Parameter last: the position at which the previous slice ended.
  /// - Returns: the end of this slice, or `nil` if there are no more.
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

  /// Returns the event that a message reports (its occasion), in the form that all machines share.
  ///
  /// - Parameters:
  ///   - isArticle: whether the event is a date of publication.
  ///   - hash: the hash of the message's content if a change of it makes the message unread again; otherwise `nil`.
  static func occasion(_ text: String?, isArticle: Bool, hash: Int64?) -> CurrentOccasion {
    if let text {
      return CurrentOccasion(
        Act.Target.occasion(of: text), published: isArticle ? Occasion(text).moment : nil)
    }
    return CurrentOccasion(hash.map { Act.Target.occasion(ofContentHash: UInt64(bitPattern: $0)) } ?? 0)
  }
}
