import Basics
package import Foundation

/// A feed of a hub. Rights are granted for whole feeds.
package struct HubFeed: Hashable, Sendable {
  package var name: FeedName
  package var title: String
  /// Whether it can be read without a token.
  package var isPublic: Bool
  /// The number of days for which ended items are kept for readers.
  package var keepDays: Int64
  /// The number of days from the last change of an item that specifies no end until it expires, or `nil` if
  /// such items never expire.
  package var expiresDays: Int64?
  /// The number of its items, including ended ones.
  package var items: Int
  /// The greatest id that it assigned, or 0.
  package var lastID: Int64

  package init(
    name: FeedName, title: String, isPublic: Bool = false, keepDays: Int64 = 90,
    expiresDays: Int64? = 30, items: Int = 0, lastID: Int64 = 0
  ) {
    (self.name, self.title, self.isPublic, self.keepDays) = (name, title, isPublic, keepDays)
    (self.expiresDays, self.items, self.lastID) = (expiresDays, items, lastID)
  }
}

/// A token and its rights.
package struct HubAccess: Hashable, Sendable {
  package var number: Int
  package var name: String
  /// SHA-256 of the token, 32 bytes.
  package var hash: [UInt8]
  package var reads: Set<FeedName>
  package var publishes: Set<FeedName>
  /// Whether the token is allowed in a URL. Such a token reads a feed only as Atom and JSON Feed.
  package var isLink: Bool
  /// Whether it may read the audit and the metrics.
  package var isAdmin: Bool
  /// The user whose machines use the token for their objects, or `nil` for none.
  package var person: Int?
  package var personName: String?
  package var made: Date
  package var expires: Date?
  package var revoked: Date?
  package var used: Date?

  package init(
    number: Int, name: String, hash: [UInt8], reads: Set<FeedName> = [], publishes: Set<FeedName> = [],
    isLink: Bool, isAdmin: Bool, person: Int? = nil, personName: String? = nil, made: Date,
    expires: Date? = nil, revoked: Date? = nil, used: Date? = nil
  ) {
    (self.number, self.name, self.hash, self.reads, self.publishes) = (number, name, hash, reads, publishes)
    (self.isLink, self.isAdmin, self.person, self.personName) = (isLink, isAdmin, person, personName)
    (self.made, self.expires, self.revoked, self.used) = (made, expires, revoked, used)
  }

  /// Whether the feeds match the kind of the token: a token for links reads one feed, and does nothing else.
  package var hasFeedsOfItsKind: Bool { !isLink || reads.count == 1 && publishes.isEmpty }

  /// Whether it is valid at this time.
  package func isValid(at now: Date) -> Bool { revoked == nil && (expires.map { now < $0 } ?? true) }
}

/// The items of one request, for one feed.
package struct PublishOrder: Sendable {
  package var feed: FeedName
  package var publications: [Publication]
  /// The number of the token, or `nil` for a command on the hub's machine.
  package var token: Int?
  /// The network address.
  package var address: String?
  package var idempotency: Idempotency?

  /// The data by which a repetition of a request is recognised.
  package struct Idempotency: Hashable, Sendable {
    package var key: String
    /// SHA-256 of the request, 32 bytes.
    package var hash: [UInt8]

    package init(key: String, hash: [UInt8]) { (self.key, self.hash) = (key, hash) }
  }

  package init(
    feed: FeedName, publications: [Publication], token: Int? = nil, address: String? = nil,
    idempotency: Idempotency? = nil
  ) {
    (self.feed, self.publications, self.token) = (feed, publications, token)
    (self.address, self.idempotency) = (address, idempotency)
  }

  /// The number of bytes of the items' bodies.
  package var bytes: Int { publications.reduce(0) { $0 + $1.body.utf8.count } }
}

/// The result for one item.
package struct PublishResult: Hashable, Sendable {
  package enum State: String, Sendable { case stored, updated, unchanged, scheduled, withdrawn }

  /// The id, or `nil` if it has none yet.
  package var id: Int64?
  package var key: String?
  package var state: State
  /// The time, for `scheduled`.
  package var due: Date?
}

/// The result of a request.
package struct PublishAnswer: Hashable, Sendable {
  /// The results in the order of the items.
  package var results: [PublishResult]
  /// Whether the result is from an earlier request with the same key.
  package var isReplayed = false
}

/// A part of a feed, sorted by the time of the last change, oldest first.
package struct HubPage: Hashable, Sendable {
  /// The items as JSON.
  package var items: [String]
  package var hasMore: Bool
  /// The feed's greatest id, or 0.
  package var lastID: Int64
  /// The number of bytes of `items`, including the commas between them.
  private var bytes = 0

  package init(items: [String], hasMore: Bool, lastID: Int64) {
    (self.items, self.hasMore, self.lastID) = (items, hasMore, lastID)
  }

  /// Adds the next item if there is room. The first item is always added.
  ///
  /// - Returns: `false` if there isn't; then there are more items.
  package mutating func add(id: Int64, key: String, body: String, limit: Int) -> Bool {
    let item = Publication.sent(id: id, key: key, body: body)
    bytes += item.utf8.count + 1
    if items.count == limit || bytes > Limits.hubPageBytes, !items.isEmpty {
      hasMore = true
      return false
    }
    items.append(item)
    return true
  }
}

/// A line of the audit: the actor, the act and the time.
package struct AuditedAct: Hashable, Sendable {
  package var id: Int64
  package var time: Date
  /// The number of a token; 0 or `nil` for a command on the hub's machine, and below 0 for a webhook.
  package var token: Int?
  /// The name of the token or the webhook.
  package var tokenName: String?
  /// The network address.
  package var address: String?
  /// The feed, or `nil` if it no longer exists.
  package var feed: String?
  /// The key of the item, or the path of the document.
  package var key: String?
  package var item: Int64?
  package var act: String

  package init(
    id: Int64, time: Date, token: Int?, tokenName: String?, address: String?, feed: String?, key: String?,
    item: Int64?, act: String
  ) {
    (self.id, self.time, self.token, self.tokenName, self.address) = (id, time, token, tokenName, address)
    (self.feed, self.key, self.item, self.act) = (feed, key, item, act)
  }
}

/// The work that a store has done since its process began, and its waiting work.
package struct StoreLoad: Hashable, Sendable {
  /// The transactions that assign ids, their requests, and the seconds that they took.
  package var batches = 0
  package var batchRequests = 0
  package var commitSeconds = 0.0
  /// The items that wait to be stored.
  package var queueItems = 0
}

/// Items that are in no feed yet.
package struct ScheduledItems: Hashable, Sendable {
  package var count: Int
  /// The seconds by which the oldest one is overdue, or 0 if none is.
  package var overdueSeconds: Double

  /// - Parameter oldest: the earliest time at which an item is due, or `nil` if there are no items.
  package init(count: Int, oldest: Date?, now: Date) {
    self.count = count
    overdueSeconds = max(0, oldest.map { now.timeIntervalSince($0) } ?? 0)
  }
}

/// The result of a sweep.
package struct SweepCounts: Hashable, Sendable {
  package var ended: Int
  package var deleted: Int
  /// Whether there may be more for the next call.
  package var hasMore = false

  package init(ended: Int = 0, deleted: Int = 0) { (self.ended, self.deleted) = (ended, deleted) }
}

/// The store of a hub's feeds, as an interface for the server. Everything is done completely or not at all, failures
/// are `HubFailure`s, and the time is a parameter (page "Hub").
package protocol HubStoring: Sendable {
  associatedtype Session: HubSession

  /// Returns the store's own time, which is the same for hubs that share a store.
  func now() -> Date

  /// Writes one task completely or not at all, together with others in one transaction. The result is on the
  /// disk. Also throws `notFound` if the feed does not exist, or no valid item has the key to withdraw.
  func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer

  /// Returns a page of the valid items if `since` is 0. Otherwise returns a page of the changes with a
  /// greater id than `since` that readers must learn of.
  func page(of feed: FeedName, since: Int64, limit: Int, now: Date) async throws(HubFailure) -> HubPage

  var load: StoreLoad { get }

  /// Moves scheduled items that are due into their feeds. Returns whether anything in the store changed since
  /// the last call, even by other processes.
  func advance(now: Date) async throws(HubFailure) -> Bool

  /// The reason why the store is unavailable, or `nil` if it is not known. It is only for the hub's administrator,
  /// since it contains hosts and roles.
  var awayReason: String? { get }

  /// Sets the function that receives new ids.
  ///
  /// - Parameter body: called after each transaction that assigned ids, with the greatest of each feed, before the
  ///   publishers get their responses.
  func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void)

  /// Runs code that reads the store, possibly twice. A single statement sees one state of the store.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Value
  ) async throws(HubFailure) -> Value

  /// Runs one transaction outside the batches, during which no other one assigns ids.
  ///
  /// - Parameter notifies: whether other hubs are notified.
  func writing<Value: Sendable>(
    notifies: Bool, _ body: @escaping @Sendable (Session) throws -> Value
  ) async throws(HubFailure) -> Value

  /// Runs one transaction that assigns no ids.
  func changing<Value: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Value
  ) async throws(HubFailure) -> Value
}

extension HubStoring {
  /// Stores the items of one request: all of them or none.
  package func publish(_ order: PublishOrder, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await perform(.publish(order), now: now)
  }

  /// Ends an item immediately, also a scheduled one.
  package func withdraw(
    _ key: String, from feed: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) -> PublishResult {
    let answer = try await perform(.withdraw(key, feed, token: token, address: address), now: now)
    guard let result = answer.results.first else { throw .storeAway }
    return result
  }
}
