package import Foundation
package import HubItems
import Limits

/// A feed of a hub: the unit of rights.
package struct HubFeed: Hashable, Sendable {
  package var name: FeedName
  package var title: String
  /// Whether it is read without a token.
  package var isPublic: Bool
  /// For how long what is over stays for its readers.
  package var keepDays: Int64
  /// How many items it has, those that are over included.
  package var items: Int
  /// The greatest id that it gave, or 0.
  package var lastID: Int64

  package init(
    name: FeedName, title: String, isPublic: Bool = false, keepDays: Int64 = 90, items: Int = 0,
    lastID: Int64 = 0
  ) {
    (self.name, self.title, self.isPublic, self.keepDays) = (name, title, isPublic, keepDays)
    (self.items, self.lastID) = (items, lastID)
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
  package var made: Date
  package var expires: Date?
  package var revoked: Date?
  package var used: Date?

  package init(
    number: Int, name: String, hash: [UInt8], reads: Set<FeedName> = [], publishes: Set<FeedName> = [],
    made: Date, expires: Date? = nil, revoked: Date? = nil, used: Date? = nil
  ) {
    (self.number, self.name, self.hash, self.reads, self.publishes) = (number, name, hash, reads, publishes)
    (self.made, self.expires, self.revoked, self.used) = (made, expires, revoked, used)
  }

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

/// What a sweep did.
package struct SweepCounts: Hashable, Sendable {
  package var ended: Int
  package var deleted: Int

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

  /// All feeds, by name. Without counts of items.
  func feeds() async throws(HubFailure) -> [HubFeed]

  func access(token number: Int) async throws(HubFailure) -> HubAccess?

  /// Remembers that tokens were used.
  func used(tokens: Set<Int>, at now: Date) async throws(HubFailure)

  /// Puts scheduled items that are due into their feeds, and says whether anything is other than at the last call, whoever
  /// changed it.
  func advance(now: Date) async throws(HubFailure) -> Bool

  /// Ends what is over and deletes what nobody needs any more.
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
