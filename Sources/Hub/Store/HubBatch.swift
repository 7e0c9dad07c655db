import Basics
import Foundation

/// The rows of the store that a batch needs to decide the results of its requests.
struct HubFacts: Sendable {
  var feeds: [FeedName: Int64] = [:]
  var items: [HubItemKey: HubItemRow] = [:]
  /// The keys of the scheduled items whose time has not come.
  var scheduled: Set<HubItemKey> = []
  var receipts: [HubReceipt.Key: HubReceipt] = [:]
  /// The scheduled items that are due, sorted by time.
  var due: [HubScheduledRow] = []

  /// The feeds, items and receipts that must be read for some tasks.
  struct Questions: Sendable {
    var feeds: Set<FeedName> = []
    /// The items, and whether their stored body is needed too: to withdraw the item, or to decide how a
    /// webhook's item follows it.
    var items: [HubItemKey: Bool] = [:]
    var receipts: Set<HubReceipt.Key> = []

    init(_ works: [HubWork], due: [HubScheduledRow]) {
      for row in due { if let key = row.key { items[HubItemKey(feed: row.name, key: key)] = false } }
      for work in works {
        switch work {
        case .publish(let order):
          feeds.insert(order.feed)
          for publication in order.publications {
            guard let key = publication.key.map({ HubItemKey(feed: order.feed, key: $0) }) else { continue }
            items[key] = items[key] == true || publication.succession != nil
          }
          if let idempotency = order.idempotency {
            receipts.insert(HubReceipt.Key(token: order.token ?? 0, key: idempotency.key))
          }
        case .withdraw(let key, let feed, _, _):
          feeds.insert(feed)
          items[HubItemKey(feed: feed, key: key)] = true
        case .due: break
        }
      }
    }
  }
}

/// Decides the results of requests, one after the other, from `facts`, without access to the store. Its
/// changes are then written in the same transaction in which the facts were read.
///
/// Only one transaction at a time assigns ids, and its ids are greater than all earlier ones. So a reader who
/// sees an id can also see every smaller one that will ever exist: requests for everything after the last
/// seen id miss nothing (page "Hub").
struct HubBatch: Sendable {
  private var facts: HubFacts
  /// The ids to assign, or `nil` if the batch only counts how many it needs.
  private let ids: [Int64]?
  /// The number of assigned ids.
  private(set) var idCount = 0
  /// The greatest new id of each feed.
  private(set) var lastIDs: [FeedName: Int64] = [:]

  /// The new and changed items, in their final state.
  private(set) var items: [HubItemRow] = []
  /// The positions of the items in `items`.
  private var places: [HubItemKey: Int] = [:]
  /// The ids of the scheduled rows whose time has come.
  private(set) var due: [Int64] = []
  /// The keys of the scheduled items that must be deleted from the store. An item with one of these keys may
  /// have been scheduled again since.
  private(set) var unscheduled: Set<HubItemKey> = []
  private var scheduledByKey: [HubItemKey: HubScheduledRow] = [:]
  private var scheduledWithoutKey: [HubScheduledRow] = []
  private(set) var receipts: [HubReceipt.Key: HubReceipt] = [:]
  private(set) var audit: [HubAuditRow] = []

  /// - Parameter ids: as many ids as a batch with the same requests has counted, or `nil` to count them.
  init(_ facts: HubFacts, ids: [Int64]?) { (self.facts, self.ids) = (facts, ids) }

  var scheduled: [HubScheduledRow] { Array(scheduledByKey.values) + scheduledWithoutKey }

  func feedID(_ name: FeedName) -> Int64? { facts.feeds[name] }

  /// Whether there is anything to write.
  var hasChanges: Bool { !due.isEmpty || !unscheduled.isEmpty || !audit.isEmpty || !receipts.isEmpty }

  // MARK: Requests

  /// Publishes due items first, then handles each request. A refusal changes nothing.
  mutating func perform(_ works: [(work: HubWork, now: Date)]) -> [HubQueue.Outcome] {
    if let now = works.map(\.now).max() { publishDue(now: now) }
    return works.map { work, now in
      do throws(HubFailure) {
        switch work {
        case .publish(let order): return .success(try publish(order, now: now))
        case .withdraw(let key, let feed, let token, let address):
          let result = try withdraw(key, from: feed, token: token, address: address, now: now)
          return .success(PublishAnswer(results: [result]))
        case .due: return .success(PublishAnswer(results: []))
        }
      } catch { return .failure(error) }
    }
  }

  private mutating func publish(_ order: PublishOrder, now: Date) throws(HubFailure) -> PublishAnswer {
    guard let feed = facts.feeds[order.feed] else { throw .notFound }
    let receipt = order.idempotency.map { HubReceipt.Key(token: order.token ?? 0, key: $0.key) }
    if let receipt, let known = facts.receipts[receipt],
      let results = PublishResult.results(of: known.answer),
      known.at > now.stored - Limits.hubReceiptSeconds * 1000
    {
      guard known.hash == order.idempotency?.hash else { throw .idempotencyMismatch }
      return PublishAnswer(results: results, isReplayed: true)
    }
    var results: [PublishResult] = []
    for publication in order.publications {
      let result = store(publication, order.feed, feed, order.token, now)
      if result.state != .unchanged { audit(result, feed, order.token, order.address, now) }
      results.append(result)
    }
    if let receipt, let hash = order.idempotency?.hash {
      let made = HubReceipt(hash: hash, answer: PublishResult.text(of: results), at: now.stored)
      (facts.receipts[receipt], receipts[receipt]) = (made, made)
    }
    return PublishAnswer(results: results)
  }

  private mutating func withdraw(
    _ key: String, from name: FeedName, token: Int?, address: String?, now: Date
  ) throws(HubFailure) -> PublishResult {
    guard let feed = facts.feeds[name] else { throw .notFound }
    let item = HubItemKey(feed: name, key: key)
    let wasScheduled = unschedule(item)
    var result = PublishResult(id: nil, key: key, state: .withdrawn)
    if var row = facts.items[item], row.isLive, row.expires.map({ $0 > now.stored }) ?? true {
      row.body = Publication.withdrawn(body: row.body, at: now)
      // Its content is now different: publishing the same again is a change.
      row.hash = Publication(key: key, body: row.body, expires: now).hash
      row.id = nextID(name)
      (row.changed, row.expires, row.isLive, row.token) = (now.stored, now.stored, false, token)
      set(row, item)
      result.id = row.id
    } else if !wasScheduled {
      throw .notFound
    }
    audit(result, feed, token, address, now)
    return result
  }

  /// Moves the due scheduled items into their feeds.
  private mutating func publishDue(now: Date) {
    for row in facts.due {
      due.append(row.id)
      let publication = Publication(
        key: row.key, body: row.body, expires: row.expires.map { Date(stored: $0) }, ownTime: row.ownTime)
      let result = store(publication, row.name, row.feed, row.token, now)
      audit(result, row.feed, row.token, nil, now)
    }
  }

  // MARK: Parts

  /// - Returns: whether it was scheduled.
  private mutating func unschedule(_ item: HubItemKey) -> Bool {
    let wasNew = scheduledByKey.removeValue(forKey: item) != nil
    guard facts.scheduled.remove(item) != nil else { return wasNew }
    unscheduled.insert(item)
    return true
  }

  /// Returns the next id for a feed, or 0 while ids are only counted.
  private mutating func nextID(_ feed: FeedName) -> Int64 {
    // While ids are only counted, no key is derived from one.
    let id = ids.flatMap { $0.indices.contains(idCount) ? $0[idCount] : nil } ?? 0
    idCount += 1
    lastIDs[feed] = id
    return id
  }

  private mutating func set(_ row: HubItemRow, _ item: HubItemKey) {
    facts.items[item] = row
    if let place = places[item] {
      items[place] = row
    } else {
      places[item] = items.count
      items.append(row)
    }
  }

  /// Stores or schedules one item.
  private mutating func store(
    _ publication: Publication, _ name: FeedName, _ feed: Int64, _ token: Int?, _ now: Date
  ) -> PublishResult {
    let item = publication.key.map { HubItemKey(feed: name, key: $0) }
    if let item { _ = unschedule(item) }
    let expires = publication.expires?.stored
    if let due = publication.notBefore, due > now {
      let row = HubScheduledRow(
        id: 0, name: name, feed: feed, key: publication.key, body: publication.body, expires: expires,
        ownTime: publication.ownTime, due: due.stored, token: token)
      if let item { scheduledByKey[item] = row } else { scheduledWithoutKey.append(row) }
      return PublishResult(id: nil, key: publication.key, state: .scheduled, due: due)
    }
    let (hash, time) = (publication.hash, now.stored)
    let isLive = expires.map { $0 > time } ?? true
    let earlier = item.flatMap { facts.items[$0] }
    // An item without an end may have ended with its feed's days: publishing it again restores it.
    if let earlier, earlier.hash == hash, earlier.expires == expires, expires != nil || earlier.isLive {
      return PublishResult(id: earlier.id, key: earlier.key, state: .unchanged)
    }
    guard let publication = publication.following(earlier?.body) else {
      return PublishResult(id: earlier?.id, key: publication.key, state: .unchanged)
    }
    if let item, var row = earlier {
      row.id = nextID(name)
      row.body = publication.body(first: Date(stored: row.published), now: now)
      // An item that is only cleared keeps the earlier end.
      row.expires = publication.expires?.stored
      row.isLive = row.expires.map { $0 > time } ?? true
      (row.hash, row.changed, row.token) = (hash, time, token)
      set(row, item)
      return PublishResult(id: row.id, key: item.key, state: .updated)
    }
    let id = nextID(name)
    let row = HubItemRow(
      id: id, firstID: id, feed: feed, key: item?.key ?? "#\(id)",
      body: publication.body(first: now, now: now), hash: hash, published: time, changed: time,
      expires: expires, isLive: isLive, token: token)
    // No client knows a key that the hub creates before the end of this batch.
    if let item { set(row, item) } else { items.append(row) }
    return PublishResult(id: id, key: row.key, state: .stored)
  }

  private mutating func audit(
    _ result: PublishResult, _ feed: Int64, _ token: Int?, _ address: String?, _ now: Date
  ) {
    audit.append(
      HubAuditRow(
        at: now.stored, token: token, address: address, feed: feed, key: result.key, item: result.id,
        act: result.state.rawValue))
  }
}
