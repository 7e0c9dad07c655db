// What a batch knows of the store, and what it leaves in it. Times are milliseconds since 1970.

/// Which item.
package struct HubItemKey: Hashable, Sendable {
  package var feed: FeedName
  package var key: String

  package init(feed: FeedName, key: String) { (self.feed, self.key) = (feed, key) }
}

package struct HubItemRow: Hashable, Sendable {
  package var id: Int64
  package var firstID: Int64
  package var feed: Int64
  package var key: String
  /// Of a known item only where it is needed: empty for the others.
  package var body: String
  package var hash: [UInt8]
  package var published: Int64
  package var changed: Int64
  package var expires: Int64?
  package var isLive: Bool
  package var token: Int?

  package init(
    id: Int64, firstID: Int64, feed: Int64, key: String, body: String, hash: [UInt8], published: Int64,
    changed: Int64, expires: Int64?, isLive: Bool, token: Int?
  ) {
    (self.id, self.firstID, self.feed, self.key) = (id, firstID, feed, key)
    (self.body, self.hash, self.published, self.changed) = (body, hash, published, changed)
    (self.expires, self.isLive, self.token) = (expires, isLive, token)
  }
}

/// An item that waits for its time.
package struct HubScheduledRow: Hashable, Sendable {
  /// 0: not stored yet.
  package var id: Int64
  package var name: FeedName
  package var feed: Int64
  package var key: String?
  package var body: String
  package var expires: Int64?
  package var ownTime: Publication.OwnTime
  package var due: Int64
  package var token: Int?

  package init(
    id: Int64, name: FeedName, feed: Int64, key: String?, body: String, expires: Int64?,
    ownTime: Publication.OwnTime, due: Int64, token: Int?
  ) {
    (self.id, self.name, self.feed, self.key, self.body) = (id, name, feed, key, body)
    (self.expires, self.ownTime, self.due, self.token) = (expires, ownTime, due, token)
  }
}

/// The first answer to a request that may be repeated.
package struct HubReceipt: Hashable, Sendable {
  package struct Key: Hashable, Sendable {
    package var token: Int
    package var key: String

    package init(token: Int, key: String) { (self.token, self.key) = (token, key) }
  }

  package var hash: [UInt8]
  /// JSON of the results.
  package var answer: String
  package var at: Int64

  package init(hash: [UInt8], answer: String, at: Int64) {
    (self.hash, self.answer, self.at) = (hash, answer, at)
  }
}

package struct HubAuditRow: Hashable, Sendable {
  package var at: Int64
  package var token: Int?
  package var address: String?
  /// nil: of none, or one that isn't there any more.
  package var feed: Int64?
  package var key: String?
  package var item: Int64?
  package var act: String

  package init(
    at: Int64, token: Int? = nil, address: String? = nil, feed: Int64? = nil, key: String?,
    item: Int64? = nil, act: String
  ) {
    (self.at, self.token, self.address, self.feed) = (at, token, address, feed)
    (self.key, self.item, self.act) = (key, item, act)
  }
}
