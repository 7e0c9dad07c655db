package import Foundation

/// One line of a check.
package struct HubFinding: Hashable, Sendable {
  package var what: String
  package var isGood: Bool
  package var sentence: String

  package init(_ what: String, _ isGood: Bool, _ sentence: String) {
    (self.what, self.isGood, self.sentence) = (what, isGood, sentence)
  }
}

/// What a new token may do.
package struct HubRights: Hashable, Sendable {
  package var reads: Set<FeedName> = []
  package var publishes: Set<FeedName> = []
  package var isLink = false
  package var isAdmin = false
  /// Whose machines use it for their objects. A name that isn't known yet is a new person's.
  package var person: String?
  package var expires: Date?

  package init(reads: Set<FeedName> = [], publishes: Set<FeedName> = [], expires: Date? = nil) {
    (self.reads, self.publishes, self.expires) = (reads, publishes, expires)
  }
}

/// A hub's store as commands see it: opened, judged and migrated. They may wait for it, on their own thread.
package protocol HubAdministering: Sendable {
  /// As the settings name it.
  var name: String { get }
  /// The schema that it had before it was opened; 0: none.
  var versionBefore: Int { get }

  /// The number of its schema.
  func version() throws(HubStoreFailure) -> Int

  /// The store's own time.
  func now() throws(HubStoreFailure) -> Date

  /// The same store for requests.
  func hub() throws(HubStoreFailure) -> any HubStoring

  /// The feeds by name, with counts of items and last ids.
  func feeds() throws(HubStoreFailure) -> [HubFeed]

  /// Adds an empty feed. Throws `refused` where one has this name.
  func add(_ feed: HubFeed) throws(HubStoreFailure)

  /// Changes after how many days an item without an end ends. Throws `refused` where no feed has this name.
  ///
  /// - Parameter expiresDays: `nil` if it never ends.
  func change(feed name: FeedName, expiresDays: Int64?) throws(HubStoreFailure)

  /// Removes a feed with everything in it.
  ///
  /// - Returns: how many items it had.
  func remove(feed name: FeedName) throws(HubStoreFailure) -> Int

  /// The tokens by name.
  func tokens() throws(HubStoreFailure) -> [HubAccess]

  /// Makes a token. Throws `refused` where one has this name, or a feed isn't there. The name of a revoked token can be used
  /// again: the revoked one is called `NAME (NUMBER)` from then on.
  ///
  /// - Parameter secret: 32 random bytes.
  /// - Returns: its text, which isn't stored.
  func addToken(_ name: String, _ rights: HubRights, secret: [UInt8], now: Date) throws(HubStoreFailure)
    -> String

  /// Changes which feeds a token reads and publishes to. Throws `refused` where no valid token has this name, or a feed isn't
  /// there, and for a link that would not read one feed.
  ///
  /// - Parameters:
  ///   - reads: `nil`: as before.
  ///   - publishes: `nil`: as before.
  /// - Returns: the token as it is now.
  func changeToken(_ name: String, reads: Set<FeedName>?, publishes: Set<FeedName>?, now: Date)
    throws(HubStoreFailure) -> HubAccess

  /// Ends a token. Throws `refused` where none has this name.
  func revokeToken(_ name: String, now: Date) throws(HubStoreFailure)

  /// What a check finds, line by line.
  ///
  /// - Parameter now: by this machine's clock.
  func findings(now: Date) throws(HubStoreFailure) -> [HubFinding]

  /// Writes a checked copy into a file, while others read and write. Throws `wrongUsage` with the command to use instead
  /// where the store's own program does that.
  ///
  /// - Returns: how many items and bytes it has.
  func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int)

  /// Moves the order on by a million, and the order of the objects that machines keep: after a backup was restored, no new id may be below one
  /// that a reader has seen.
  ///
  /// - Returns: the last id, from which it goes on.
  func moveOn() throws(HubStoreFailure) -> Int64
}

extension HubStoreFailure {
  /// What was asked for isn't there, or is already: the same sentences of every store.
  package static func isThere(feed: FeedName) -> Self { Self(.refused, "there is already a feed \(feed)") }
  package static func isThere(token: String) -> Self { Self(.refused, "there is already a token \(token)") }
  package static func missing(feed: FeedName) -> Self {
    Self(.refused, "\(feed) isn't a feed of this hub: reddot-hub feed list names them")
  }
  package static func missing(token: String) -> Self {
    Self(.refused, "\(token) isn't a token of this hub: reddot-hub token list names them")
  }
  package static let notALink = Self(
    .refused, "a link reads one feed, and does nothing else: give --read with its name, or add another token")
  package static let noToken = Self(.refused, "no token could be made")

  /// - Parameter name: the store's.
  package static func newer(_ name: String, schema: Int, known: Int) -> Self {
    Self(
      .newerSchema,
      "\(name) has schema \(schema), and this reddot-hub knows \(known): install a newer one")
  }

  package static func older(_ name: String, schema: Int, needed: Int) -> Self {
    Self(
      .olderSchema,
      "\(name) has schema \(schema), and this reddot-hub needs \(needed): run reddot-hub migrate")
  }
}
