import Foundation
import GRDB
import Messages

/// Finds the messages of other sources that new messages duplicate.
struct CopyFinder {
  /// The original in another source that a new message duplicates.
  struct First {
    var message: Int64
    var source: SourceID
  }

  /// A new message that may be a duplicate.
  struct Candidate {
    /// The position in the document.
    var position: Int
    var reading: EntryReading
    var body: String

    init(position: Int, reading: EntryReading, body: String) {
      (self.position, self.reading, self.body) = (position, reading, body)
    }

    var keys: [Int64] { EntryFacts.shared(page: reading.facts.page, worldwideID: reading.worldwideID) }
  }

  /// A stored message that shares a page or an id with new ones.
  private struct Stored {
    var message: Int64
    var source: Int64
    /// The original of which this message is itself a duplicate.
    var first: Int64?
    var facts: EntryFacts
    var text: String
  }

  private let db: Database
  private let others: Set<Int64>

  /// - Parameter others: the sources whose messages may be originals.
  init(_ db: Database, others: Set<Int64>) { (self.db, self.others) = (db, others) }

  /// Returns the other sources whose messages may be the originals of duplicates in `source`.
  static func others(than source: Source, _ db: Database) throws -> Set<Int64> {
    let query = try db.prepared(
      """
      SELECT id FROM source WHERE id <> ? AND position IS NOT NULL AND kind NOT IN (?, ?)
        AND json_extract(options, '$.dedupe') IS NOT 0
      """)
    query.bind(1, source.id.rawValue)
    try query.bind(2, SourceKind.local.rawValue)
    try query.bind(3, SourceKind.desktop.rawValue)
    var ids: Set<Int64> = []
    try query.forEach { ids.insert(query.int(0)) }
    return ids
  }

  /// The maximum number of stored messages, and of new ones, with one key. If more share it, for example a link to a
  /// site's home page, the key is no evidence of a duplicate.
  private static let mostOfAKey = 100

  /// Returns the originals of new messages, keyed by the positions of the new messages in the document.
  ///
  /// - Parameter new: the messages of the document that share a key with any stored message.
  func firsts(of new: [Candidate]) throws -> [Int: First] {
    var byKey: [Int64: [Int]] = [:]
    var byName: [Int64: [Int]] = [:]
    for index in new.indices {
      for key in new[index].keys { byKey[key, default: []].append(index) }
      for name in new[index].reading.names { byName[name, default: []].append(index) }
    }
    var reader = EntryReader()
    var stored: [Int64: [Stored]] = [:]
    for (key, those) in byKey.sorted(by: { $0.key < $1.key }) where those.count <= Self.mostOfAKey {
      stored[key] = try messages(with: key, &reader)
    }
    let texts = new.map { Self.start(of: $0.body) }
    var firsts: [Int: First] = [:]
    for index in new.indices {
      var same: [Int64: (stored: Stored, keys: [Int64])] = [:]
      for key in new[index].keys {
        for message in stored[key] ?? []
        where Self.isCopy(new[index].reading.facts, texts[index], of: message) {
          same[message.message, default: (message, [])].keys.append(key)
        }
      }
      var counts: [Int64: Int] = [:]
      for (message, _) in same.values { counts[message.source, default: 0] += 1 }
      let found = same.values.filter { message, _ in
        counts[message.source] == 1
          && !new[index].reading.names.contains { name in
            byName[name]?.contains {
              $0 != index && shares(new[$0], message, stored)
                && Self.isCopy(new[$0].reading.facts, texts[$0], of: message)
            } ?? false
          }
      }
      guard let first = found.map(\.stored).min(by: { $0.message < $1.message }) else { continue }
      firsts[new[index].position] = First(
        message: first.first ?? first.message, source: SourceID(first.source))
    }
    return firsts
  }

  /// Whether a new message shares a key with a stored one.
  private func shares(_ new: Candidate, _ message: Stored, _ stored: [Int64: [Stored]]) -> Bool {
    new.keys.contains { stored[$0]?.contains { $0.message == message.message } ?? false }
  }

  private func messages(with key: Int64, _ reader: inout EntryReader) throws -> [Stored] {
    let query = try db.prepared(
      """
      SELECT t.message_id, t.source_id, t.original_id, m.title, d.body, d.url, d.published, d.updated,
        f.words, f.time, f.title, f.text, f.page, f.name
      FROM entry_key k CROSS JOIN status t ON t.message_id = k.message_id CROSS JOIN message m ON m.id = k.message_id
        CROSS JOIN detail d ON d.message_id = k.message_id LEFT JOIN entry_facts f ON f.message_id = k.message_id
      WHERE k.key = ? ORDER BY k.message_id DESC LIMIT ?
      """)
    query.bind(1, key)
    query.bind(2, Self.mostOfAKey + 1)
    var found: [Stored] = []
    var count = 0
    try query.forEach {
      count += 1
      guard others.contains(query.int(1)) else { return }
      let facts =
        query.isNull(8)
        ? reader.read(
          storedTitle: query.text(3), body: query.text(4), url: query.optionalText(5),
          published: query.optionalInt(6).map(Date.init(milliseconds:)),
          updated: query.optionalInt(7).map(Date.init(milliseconds:)))
        : EntryTable.facts(query, from: 8)
      found.append(
        Stored(
          message: query.int(0), source: query.int(1), first: query.optionalInt(2), facts: facts,
          text: Self.start(of: query.text(4))))
    }
    return count > Self.mostOfAKey ? [] : found
  }

  /// Whether a new message with the page or the id of a stored one is a duplicate of it.
  private static func isCopy(_ new: EntryFacts, _ text: String, of stored: Stored) -> Bool {
    let old = stored.facts
    let isTitle = new.title != nil && new.title == old.title
    let (moment, oldMoment) = (new.time?.moment, old.time?.moment)
    if let moment, moment == oldMoment { return isTitle || new.text != nil && new.text == old.text }
    guard isTitle else { return false }
    let (short, long) = text.utf8.count <= stored.text.utf8.count ? (text, stored.text) : (stored.text, text)
    let begins = short.unicodeScalars.count >= ComparedText.longText && long.utf8.starts(with: short.utf8)
    if moment != nil, oldMoment != nil { return begins }
    if let day = new.time?.day, let oldDay = old.time?.day, day != oldDay { return false }
    return begins || short.utf8.elementsEqual(long.utf8) || short.isEmpty
  }

  /// Returns a body in its compared form, without an ellipsis and similar characters at its end, so that a
  /// summary is equal to the beginning of its article.
  private static func start(of body: String) -> String {
    guard var text = ComparedText.text(body) else { return "" }
    func dropSigns() {
      while let last = text.unicodeScalars.last, !last.properties.isAlphabetic,
        last.properties.numericType == nil,
        last != "_"
      {
        text.unicodeScalars.removeLast()
      }
    }
    dropSigns()
    return text
  }
}
