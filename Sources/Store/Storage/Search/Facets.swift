import Basics
import GRDB
import Messages
import Queries

/// A value that many messages may share, by which a search finds them: a tag, a kind, a host.
struct Facet: Hashable {
  /// The field of messages that contains the value. The raw values are stored.
  enum Field: Int64 {
    case tag = 1
    case kind, priority, lang, site, channel, has
  }

  var field: Field
  var name: String

  /// The value in the form in which queries compare it. A host name begins with its last label, so that all its
  /// subdomains have the same beginning.
  var folded: String { Self.folded(name, field) }

  static func folded(_ name: String, _ field: Field) -> String {
    let folded = Query.folded(name)
    guard field == .site else { return folded }
    return folded.split(onBytes: ".", omittingEmptySubsequences: false).reversed().joined(separator: ".")
  }

  static func all(_ message: IncomingMessage) -> [Facet] {
    all(
      tags: message.tags, kind: message.kind.rawValue, priority: message.priority, language: message.language,
      channel: message.channel, site: message.url.flatMap(HostName.withoutPort), parts: Facts.Parts(message))
  }

  /// The parts of a message that are facets, since few messages have them.
  static let parts: [Query.Part] = [.actions, .picture, .enclosure, .tag]

  /// Returns the facets of a message. They exclude its source's kind, which may change, and values that nearly all
  /// messages have: normal priority, a link, HTML.
  static func all(
    tags: [String], kind: String, priority: Priority, language: String?, channel: String?, site: String?,
    parts: Facts.Parts
  ) -> [Facet] {
    var facets: [Facet] = []
    facets.reserveCapacity(tags.count + 6)
    // A tag may occur twice.
    for (place, tag) in tags.enumerated() where !tags[..<place].contains(tag) {
      facets.append(Facet(field: .tag, name: tag))
    }
    facets.append(Facet(field: .kind, name: kind))
    if priority != .normal { facets.append(Facet(field: .priority, name: "\(priority.rawValue)")) }
    if let language { facets.append(Facet(field: .lang, name: language)) }
    if let channel { facets.append(Facet(field: .channel, name: channel)) }
    if let site { facets.append(Facet(field: .site, name: site)) }
    for part in Self.parts where parts.contains(Facts.Parts(part)) {
      facets.append(Facet(field: .has, name: part.rawValue))
    }
    return facets
  }
}

/// Keeps the table `facet` in step with messages, within one transaction.
///
/// Additions are collected and written in the table's order, so that a large poll reads each of its pages once.
/// Messages below `store.facets_from` may have none yet: see `StoreSearch.fill`.
final class FacetChanges {
  private let db: Database
  private let columns: Columns
  private var ids: [Facet: Int64] = [:]
  private var additions: [(facet: Int64, message: Int64)] = []

  init(_ db: Database, _ columns: Columns) {
    self.db = db
    self.columns = columns
  }

  func add(_ message: IncomingMessage, _ id: Int64) throws { try add(Facet.all(message), id) }

  /// Adds the facets of a stored message.
  func add(_ id: Int64) throws { try add(facets(of: id), id) }

  /// Removes the facets of a message whose rows are about to be deleted.
  func remove(_ id: Int64) throws { try remove(facets(of: id), id) }

  /// Writes only the added and removed facets: an edit changes few of them.
  ///
  /// - Parameter former: the facets of the stored message before it changed.
  func replace(_ former: [Facet], by message: IncomingMessage, _ id: Int64) throws {
    try replace(former, by: Facet.all(message), id)
  }

  private func replace(_ former: [Facet], by new: [Facet], _ id: Int64) throws {
    try remove(former.filter { !new.contains($0) }, id)
    try add(new.filter { !former.contains($0) }, id)
  }

  private func remove(_ facets: [Facet], _ id: Int64) throws {
    let delete = try db.prepared("DELETE FROM facet WHERE facet = ? AND message_id = ?")
    for facet in facets {
      if let number = try number(of: facet) { try delete.run(number, id) }
    }
  }

  /// Writes the collected facets.
  func finish() throws {
    additions.sort { ($0.facet, $0.message) < ($1.facet, $1.message) }
    try RowInsertion(db, into: "facet", ["facet", "message_id"], or: .ignore).insert(additions) {
      $1.bind($2, $0.facet)
      $1.bind($2 + 1, $0.message)
    }
    additions = []
  }

  /// Updates the facets of a message after `body` has changed it.
  func change(_ id: Int64, _ body: () throws -> Void) throws {
    let former = try facets(of: id)
    try body()
    try replace(former, by: facets(of: id), id)
    try finish()
  }

  private func add(_ facets: [Facet], _ id: Int64) throws {
    for facet in facets { additions.append((try number(making: facet), id)) }
  }

  /// Returns the id of a facet, or `nil` if it was never stored.
  func number(of facet: Facet) throws -> Int64? {
    if let known = ids[facet] { return known }
    let query = try db.prepared("SELECT id FROM facet_name WHERE field = ? AND folded = ? AND name = ?")
    query.bind(1, facet.field.rawValue)
    try query.bind(2, facet.folded)
    try query.bind(3, facet.name)
    let found = try query.first { query.int(0) }
    if let found { ids[facet] = found }
    return found
  }

  /// Returns the id of a facet, and stores the facet if it has none yet.
  private func number(making facet: Facet) throws -> Int64 {
    if let known = try number(of: facet) { return known }
    let insert = try db.prepared("INSERT INTO facet_name (field, folded, name) VALUES (?, ?, ?)")
    insert.bind(1, facet.field.rawValue)
    try insert.bind(2, facet.folded)
    try insert.bind(3, facet.name)
    try insert.run()
    ids[facet] = db.lastInsertedRowID
    return db.lastInsertedRowID
  }

  /// Returns the facets of a stored message.
  func facets(of id: Int64) throws -> [Facet] {
    let query = try db.prepared(
      """
      SELECT m.kind, t.priority, t.channel, d.language, d.tags, d.url, \(Facts.Parts.sql)
      FROM message m CROSS JOIN status t ON t.message_id = m.id CROSS JOIN detail d ON d.message_id = m.id WHERE m.id = ?
      """)
    query.bind(1, id)
    return try query.first {
      Facet.all(
        tags: query.optionalText(4).flatMap(columns.strings.value) ?? [], kind: query.text(0),
        priority: Priority(Int(query.int(1))), language: query.optionalText(3),
        channel: query.optionalText(2), site: query.optionalText(5).flatMap(HostName.withoutPort),
        parts: Facts.Parts(rawValue: UInt8(truncatingIfNeeded: query.int(6))))
    } ?? []
  }
}

extension Facts.Parts {
  /// The SQL on `detail d` for the raw value of a message's parts.
  static let sql: String = {
    func bit(_ part: Query.Part, _ condition: String) -> String {
      "CASE WHEN \(condition) THEN \(Facts.Parts(part).rawValue) ELSE 0 END"
    }
    let extras = [
      bit(.actions, "json_array_length(d.extras, '$.actions') > 0"),
      bit(.picture, "d.extras ->> '$.poster' IS NOT NULL"),
      bit(.enclosure, "json_array_length(d.extras, '$.enclosures') > 0"),
    ].joined(separator: " + ")
    return [
      bit(.link, "d.url IS NOT NULL"), bit(.html, "d.html IS NOT NULL"), bit(.tag, "d.tags IS NOT NULL"),
      "CASE WHEN d.extras IS NULL THEN 0 ELSE \(extras) END",
    ].joined(separator: " + ")
  }()
}

extension FacetChanges {
  /// Whether the facets of every message are stored.
  static func areComplete(_ db: Database) throws -> Bool {
    try db.integer("SELECT facets_from FROM store") ?? 0 <= 1
  }

  /// Adds the facets of the next messages, in descending order.
  func fill(_ limit: Int) throws {
    let query = try db.prepared(
      "SELECT id FROM message WHERE id < (SELECT facets_from FROM store) ORDER BY id DESC LIMIT ?")
    query.bind(1, limit)
    var ids: [Int64] = []
    try query.forEach { ids.append(query.int(0)) }
    for id in ids { try add(id) }
    try finish()
    try db.prepared("UPDATE store SET facets_from = ?").run(ids.count < limit ? 0 : ids.last ?? 0)
  }
}
