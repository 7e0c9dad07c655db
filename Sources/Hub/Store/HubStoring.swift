import Basics
package import Foundation
package import Sync

/// A feed of a hub: the unit of rights.
package struct HubFeed: Hashable, Sendable {
  package var name: FeedName
  package var title: String
  /// Whether it is read without a token.
  package var isPublic: Bool
  /// For how long what is over stays for its readers.
  package var keepDays: Int64
  /// The days from the last change of an item without an end until it ends, or `nil` if it never does.
  package var expiresDays: Int64?
  /// How many items it has, those that are over included.
  package var items: Int
  /// The greatest id that it gave, or 0.
  package var lastID: Int64

  package init(
    name: FeedName, title: String, isPublic: Bool = false, keepDays: Int64 = 90,
    expiresDays: Int64? = 30, items: Int = 0, lastID: Int64 = 0
  ) {
    (self.name, self.title, self.isPublic, self.keepDays) = (name, title, isPublic, keepDays)
    (self.expiresDays, self.items, self.lastID) = (expiresDays, items, lastID)
  }
}

/// A token and what it may do.
package struct HubAccess: Hashable, Sendable {
  package var number: Int
  package var name: String
  /// SHA-256 of the token, 32 bytes.
  package var hash: [UInt8]
  package var reads: Set<FeedName>
  package var publishes: Set<FeedName>
  /// It may stand in an address, and reads feeds only as Atom and JSON Feed.
  package var isLink: Bool
  /// It reads the audit and the metrics.
  package var isAdmin: Bool
  /// Whose machines use it for their objects; nil: nobody's.
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

  /// A link reads one feed, and does nothing else.
  package var hasFeedsOfItsKind: Bool { !isLink || reads.count == 1 && publishes.isEmpty }

  /// Whether it is good at that time.
  package func isValid(at now: Date) -> Bool { revoked == nil && (expires.map { now < $0 } ?? true) }
}

/// The items of one request, for one feed.
package struct PublishOrder: Sendable {
  package var feed: FeedName
  package var publications: [Publication]
  /// The number of the token; nil: a command on the hub's machine.
  package var token: Int?
  /// Of the network.
  package var address: String?
  package var idempotency: Idempotency?

  /// What makes a repetition of a request known.
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

  /// Bytes that wait with it.
  package var bytes: Int { publications.reduce(0) { $0 + $1.body.utf8.count } }
}

/// What became of one item.
package struct PublishResult: Hashable, Sendable {
  package enum State: String, Sendable { case stored, updated, unchanged, scheduled, withdrawn }

  /// nil: it has none yet.
  package var id: Int64?
  package var key: String?
  package var state: State
  /// Of `scheduled`.
  package var due: Date?
}

/// What became of a request.
package struct PublishAnswer: Hashable, Sendable {
  /// In the order of the items.
  package var results: [PublishResult]
  /// Whether an earlier request with the same key did it.
  package var isReplayed = false
}

/// One part of a feed, oldest change first.
package struct HubPage: Hashable, Sendable {
  /// JSON texts.
  package var items: [String]
  package var hasMore: Bool
  /// The feed's greatest id, or 0.
  package var lastID: Int64
  /// Of the items, with their commas.
  private var bytes = 0

  package init(items: [String], hasMore: Bool, lastID: Int64) {
    (self.items, self.hasMore, self.lastID) = (items, hasMore, lastID)
  }

  /// Adds the next item, if there is room. There is for the first one.
  ///
  /// - Returns: false if there isn't: then there is more.
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

/// Who did what, when: a line of the audit.
package struct AuditedAct: Hashable, Sendable {
  package var id: Int64
  package var time: Date
  /// Of a token; 0 or nil: a command on the hub's machine; below 0: a webhook.
  package var token: Int?
  /// The name of the token or the webhook.
  package var tokenName: String?
  /// Of the network.
  package var address: String?
  /// nil: it isn't there any more.
  package var feed: String?
  /// Of the item, or the path of the document.
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

/// What a store has done since its process began, and what waits.
package struct StoreLoad: Hashable, Sendable {
  /// Transactions that give ids, the requests in them, and the seconds that they took.
  package var batches = 0
  package var batchRequests = 0
  package var commitSeconds = 0.0
  /// Items that wait to be stored.
  package var queueItems = 0
}

/// Items that are in no feed yet.
package struct ScheduledItems: Hashable, Sendable {
  package var count: Int
  /// For how long the oldest one should have been in its feed; 0: none should.
  package var overdueSeconds: Double

  /// - Parameter oldest: when the first one is due; nil: there is none.
  package init(count: Int, oldest: Date?, now: Date) {
    self.count = count
    overdueSeconds = max(0, oldest.map { now.timeIntervalSince($0) } ?? 0)
  }
}

/// What a sweep did.
package struct SweepCounts: Hashable, Sendable {
  package var ended: Int
  package var deleted: Int
  /// There may be more of it, for the next call.
  package var hasMore = false

  package init(ended: Int = 0, deleted: Int = 0) { (self.ended, self.deleted) = (ended, deleted) }
}

/// Where a hub keeps its feeds: the port of the server. Everything is done or not done; a failure is a `HubFailure`, and time
/// is handed in (page "Hub").
package protocol HubStoring: Sendable {
  /// The store's own time: hubs that share one have the same.
  func now() -> Date

  /// Writes one thing, all of it or nothing, together with others in one transaction. What it returns is on the disk. Throws
  /// also `notFound`: without such a feed, or where nothing of a key is valid that is withdrawn.
  func perform(_ work: HubWork, now: Date) async throws(HubFailure) -> PublishAnswer

  /// What is valid (`since` 0), or every later change that a reader of `since` must know.
  func page(of feed: FeedName, since: Int64, limit: Int, now: Date) async throws(HubFailure) -> HubPage

  /// The valid items whose changes are the newest, newest first; together at most a page's bytes.
  func newest(of feed: FeedName, limit: Int, now: Date) async throws(HubFailure) -> [StoredItem]

  /// What tells this store from every other one.
  func uid() async throws(HubFailure) -> String

  /// The numbers of webhooks in receipts and the audit, where they are negative. A name keeps its number for ever.
  func numbers(ofHooks names: [FeedName]) async throws(HubFailure) -> [FeedName: Int]

  /// Acts with a greater id, oldest first.
  func audit(since: Int64, limit: Int) async throws(HubFailure) -> [AuditedAct]

  func scheduled(now: Date) async throws(HubFailure) -> ScheduledItems

  var load: StoreLoad { get }

  /// What is known of a document without reading it; nil: it, or the feed, isn't there.
  func documentHead(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument.Head?

  /// A document of a feed; nil: it, or the feed, isn't there.
  func document(_ path: DocumentPath, of feed: FeedName) async throws(HubFailure) -> HubDocument?

  /// Stores a document in the place of the one with its path. The same type and bytes again change nothing, its time
  /// neither. Throws `notFound` without such a feed, and `documentsAreFull`.
  ///
  /// - Returns: `stored`, `updated` or `unchanged`.
  func put(
    _ document: HubDocument, into feed: FeedName, token: Int?, address: String?
  ) async throws(HubFailure) -> PublishResult.State

  /// Throws `notFound` where there is none.
  func removeDocument(
    _ path: DocumentPath, of feed: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure)

  /// The objects of a person's machines that came after a change, in that order.
  func objects(of person: Int, after: Int64, limit: Int) async throws(HubFailure) -> HubObjectPage

  func object(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Data?

  /// Stores an object, which is never replaced. Throws `otherObject` where other bytes have its name, and `objectsAreFull`.
  func put(
    _ bytes: Data, as name: ObjectName, of person: Int, now: Date
  ) async throws(HubFailure) -> HubObjectChange

  /// Does nothing where it isn't there.
  ///
  /// - Returns: the number of the person's last change.
  func removeObject(_ name: ObjectName, of person: Int) async throws(HubFailure) -> Int64

  /// The numbers of the last changes of persons' objects.
  func lastChanges(of persons: Set<Int>) async throws(HubFailure) -> [Int: Int64]

  /// All feeds, by name. Without counts of items.
  func feeds() async throws(HubFailure) -> [HubFeed]

  func access(token number: Int) async throws(HubFailure) -> HubAccess?

  /// Remembers that tokens were used.
  func used(tokens: Set<Int>, at now: Date) async throws(HubFailure)

  /// Puts scheduled items that are due into their feeds, and says whether anything is other than at the last call, whoever
  /// changed it.
  func advance(now: Date) async throws(HubFailure) -> Bool

  /// Ends items whose time is up and deletes rows that are no longer needed: a slice of them, so that others can write.
  func sweep(now: Date) async throws(HubFailure) -> SweepCounts

  /// Why the store is away, for who runs it; nil: nothing more is known. Nobody else is told: it names hosts and roles.
  var awayReason: String? { get }

  /// - Parameter body: called after each transaction that gave ids, with the greatest of each feed, before those who publish
  ///   have their answers.
  func observe(_ body: @escaping @Sendable ([FeedName: Int64]) -> Void)
}

extension HubStoring {
  /// Stores the items of one request: all of them or none.
  package func publish(_ order: PublishOrder, now: Date) async throws(HubFailure) -> PublishAnswer {
    try await perform(.publish(order), now: now)
  }

  /// Ends an item at once, also one that is scheduled.
  package func withdraw(
    _ key: String, from feed: FeedName, token: Int?, address: String?, now: Date
  ) async throws(HubFailure) -> PublishResult {
    let answer = try await perform(.withdraw(key, feed, token: token, address: address), now: now)
    guard let result = answer.results.first else { throw .storeAway }
    return result
  }
}
