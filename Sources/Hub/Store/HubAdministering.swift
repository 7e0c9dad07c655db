package import Foundation

/// One result of checking a store, which a command prints as a line.
package struct HubFinding: Hashable, Sendable {
  package var what: String
  package var isGood: Bool
  package var sentence: String

  package init(_ what: String, _ isGood: Bool, _ sentence: String) {
    (self.what, self.isGood, self.sentence) = (what, isGood, sentence)
  }
}

/// The rights of a new token.
package struct HubRights: Hashable, Sendable {
  package var reads: Set<FeedName> = []
  package var publishes: Set<FeedName> = []
  package var isLink = false
  package var isAdmin = false
  /// The user whose machines use the token for their objects. An unknown name creates a new user.
  package var person: String?
  package var expires: Date?

  package init(reads: Set<FeedName> = [], publishes: Set<FeedName> = [], expires: Date? = nil) {
    (self.reads, self.publishes, self.expires) = (reads, publishes, expires)
  }
}

/// A hub's store for commands, already opened, checked and migrated. Its functions may block the command's thread.
package protocol HubAdministering: Sendable {
  associatedtype Session: HubSession

  /// The name of the store as in the settings.
  var name: String { get }
  /// The version of the store's schema before it was opened, or 0 for a new store.
  var versionBefore: Int { get }

  /// Returns the version of the store's schema.
  func version() throws(HubStoreFailure) -> Int

  /// Returns the store's own time.
  func now() throws(HubStoreFailure) -> Date

  /// Runs code that reads the store.
  func reading<Value>(_ body: (Session) throws -> Value) throws(HubStoreFailure) -> Value

  /// Runs one transaction, during which no one else writes. A failure of `body` changes nothing.
  func writing<Value>(_ body: (Session) throws -> Value) throws(HubStoreFailure) -> Value

  /// Returns the same store in the form for serving requests.
  func hub() throws(HubStoreFailure) -> any HubStoring

  /// Returns the findings of a check, line by line.
  ///
  /// - Parameter now: the time by this machine's clock.
  func findings(now: Date) throws(HubStoreFailure) -> [HubFinding]

  /// Writes a checked copy into a file, while others read and write. Throws `wrongUsage` with the command to use
  /// instead if the store has a separate program for it.
  ///
  /// - Returns: the numbers of its items and bytes.
  func backUp(to target: String) throws(HubStoreFailure) -> (items: Int, bytes: Int)
}

extension HubStoreFailure {
  /// The failures of commands on a feed or token that does not exist, or that already exists. Their sentences
  /// are the same for every store.
  package static func isThere(feed: FeedName) -> Self {
    Self(.refused, "a feed named \(feed) already exists")
  }
  package static func isThere(token: String) -> Self {
    Self(.refused, "a token named \(token) already exists")
  }
  package static func missing(feed: FeedName) -> Self {
    Self(.refused, "\(feed) is not a feed of this hub; run reddot-hub feed list to see the feeds")
  }
  package static func missing(token: String) -> Self {
    Self(.refused, "\(token) is not a token of this hub; run reddot-hub token list to see the tokens")
  }
  package static let notALink = Self(
    .refused, "a link can only read one feed; give --read with its name, or add another token")
  package static let noToken = Self(.refused, "no token could be created")

  /// - Parameter name: the name of the store.
  package static func newer(_ name: String, schema: Int, known: Int) -> Self {
    Self(
      .newerSchema,
      "\(name) has schema \(schema), and this reddot-hub knows only \(known); install a newer one")
  }

  package static func older(_ name: String, schema: Int, needed: Int) -> Self {
    Self(
      .olderSchema,
      "\(name) has schema \(schema), and this reddot-hub needs \(needed); run reddot-hub migrate")
  }
}
