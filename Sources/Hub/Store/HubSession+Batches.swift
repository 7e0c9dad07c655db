import Foundation

// Reads the facts of a batch and writes its output: each kind of row in one statement.
extension HubSession {
  /// Performs tasks one after the other, in a transaction during which no other one assigns ids.
  ///
  /// - Returns: their outcomes, and the greatest new id of each feed.
  func perform(
    _ works: [(work: HubWork, now: Date)]
  ) throws -> (outcomes: [HubQueue.Outcome], lastIDs: [FeedName: Int64]) {
    let facts = try facts(of: works)
    var count = HubBatch(facts, ids: nil)
    let refusals = count.perform(works)
    guard count.hasChanges else { return (refusals, [:]) }
    var batch = HubBatch(facts, ids: try newIDs(count.idCount))
    let outcomes = batch.perform(works)
    try write(batch)
    return (outcomes, batch.lastIDs)
  }

  /// Whether scheduled items are due.
  func hasDue(now: Date) throws -> Bool {
    try rows("SELECT EXISTS (SELECT 1 FROM scheduled WHERE due <= ?1)", .time(now.stored)).first?.flag(0)
      ?? false
  }

  // MARK: Facts

  /// Reads everything from the store that the tasks need.
  private func facts(of works: [(work: HubWork, now: Date)]) throws -> HubFacts {
    var facts = HubFacts()
    if let now = works.map(\.now).max() { facts.due = try due(now: now) }
    let questions = HubFacts.Questions(works.map(\.work), due: facts.due)
    for row in facts.due { facts.feeds[row.name] = row.feed }
    for row in try rows(
      "SELECT f.id, f.name FROM given g JOIN feed f ON f.name = g.name", given: "name",
      questions.feeds.map { [.text($0.text)] })
    {
      if let name = row.text(1).flatMap({ FeedName($0) }) { facts.feeds[name] = row.number(0) }
    }
    try readItems(questions, &facts)
    for row in try rows(
      """
      SELECT r.token, r.idem, r.hash, r.answer, r.at FROM given g
        JOIN receipt r ON r.token = g.token AND r.idem = g.idem
      """, given: "token, idem", questions.receipts.map { [.integer($0.token), .text($0.key)] })
    {
      guard let token = row.integer(0), let key = row.text(1) else { continue }
      facts.receipts[HubReceipt.Key(token: token, key: key)] = HubReceipt(
        hash: row.hash(2), answer: row.text(3) ?? "", at: row.time(4) ?? 0)
    }
    return facts
  }

  /// Returns the scheduled items that are due, at most 1000, sorted by time.
  private func due(now: Date) throws -> [HubScheduledRow] {
    try rows(
      """
      SELECT s.id, f.name, s.feed, s.key, s.body, s.expires, s.own_time, s.due, s.token FROM scheduled s
        JOIN feed f ON f.id = s.feed WHERE s.due <= ?1 ORDER BY s.due, s.id LIMIT 1000
      """, .time(now.stored)
    ).compactMap { row in
      row.text(1).flatMap { FeedName($0) }.map {
        HubScheduledRow(
          id: row.number(0) ?? 0, name: $0, feed: row.number(2) ?? 0, key: row.text(3),
          body: row.text(4) ?? "{}", expires: row.time(5),
          ownTime: row.integer(6).flatMap { Publication.OwnTime(rawValue: $0) } ?? .none,
          due: row.time(7) ?? 0, token: row.integer(8))
      }
    }
  }

  private func readItems(_ questions: HubFacts.Questions, _ facts: inout HubFacts) throws {
    // No key in a database contains U+0000.
    let items = questions.items.filter { facts.feeds[$0.key.feed] != nil && !$0.key.key.utf8.contains(0) }
    let keys = Array(items.keys)
    let found = try rows(
      """
      SELECT g.number, i.id, i.first_id, CASE WHEN g.whole THEN i.body ELSE '' END, i.hash, i.published, i.changed,
          i.expires, i.live, i.token, s.id
        FROM given g LEFT JOIN item i ON i.feed = g.feed AND i.key = g.key
        LEFT JOIN scheduled s ON s.feed = g.feed AND s.key = g.key
      """, given: "number, feed, key, whole",
      keys.enumerated().map { number, item in
        [
          .integer(number), .number(facts.feeds[item.feed]), .text(item.key), .flag(items[item] ?? false),
        ]
      })
    for row in found {
      guard let number = row.integer(0), keys.indices.contains(number) else { continue }
      let key = keys[number]
      if row.number(10) != nil { facts.scheduled.insert(key) }
      guard let id = row.number(1), let firstID = row.number(2), let feed = facts.feeds[key.feed] else {
        continue
      }
      facts.items[key] = HubItemRow(
        id: id, firstID: firstID, feed: feed, key: key.key, body: row.text(3) ?? "", hash: row.hash(4),
        published: row.time(5) ?? 0, changed: row.time(6) ?? 0, expires: row.time(7),
        isLive: row.flag(8) ?? false, token: row.integer(9))
    }
  }

  // MARK: Writing

  private func write(_ batch: HubBatch) throws {
    try rows(
      "DELETE FROM scheduled WHERE id IN (SELECT id FROM given)", given: "id",
      batch.due.map { [.number($0)] })
    try rows(
      """
      DELETE FROM scheduled WHERE id IN (
        SELECT s.id FROM given g JOIN scheduled s ON s.feed = g.feed AND s.key = g.key)
      """, given: "feed, key",
      batch.unscheduled.map { [.number(batch.feedID($0.feed)), .text($0.key)] })
    try insert(
      into: "scheduled", "feed, key, body, expires, own_time, due, token",
      batch.scheduled.map {
        [
          .number($0.feed), .text($0.key), .text($0.body), .time($0.expires), .integer($0.ownTime.rawValue),
          .time($0.due), .integer($0.token),
        ]
      })
    try insert(
      into: "item", "id, first_id, feed, key, body, hash, published, changed, expires, live, token",
      batch.items.map {
        [
          .number($0.id), .number($0.firstID), .number($0.feed), .text($0.key), .text($0.body),
          .bytes(Data($0.hash)), .time($0.published), .time($0.changed), .time($0.expires), .flag($0.isLive),
          .integer($0.token),
        ]
      },
      """
      ON CONFLICT (feed, key) DO UPDATE SET id = excluded.id, body = excluded.body, hash = excluded.hash,
        changed = excluded.changed, expires = excluded.expires, live = excluded.live, token = excluded.token
      """)
    try insert(
      into: "receipt", "token, idem, hash, answer, at",
      batch.receipts.map { key, receipt in
        [
          .integer(key.token), .text(key.key), .bytes(Data(receipt.hash)), .text(receipt.answer),
          .time(receipt.at),
        ]
      },
      "ON CONFLICT (token, idem) DO UPDATE SET hash = excluded.hash, answer = excluded.answer, at = excluded.at"
    )
    try audit(batch.audit)
  }
}
