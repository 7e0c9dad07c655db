package import Foundation

// The rows that a batch reads from the store and writes to it. Times are milliseconds since 1970.

extension Date {
  /// The milliseconds since 1970, clamped to 35,000 years around it, so that arithmetic with any time of a publisher
  /// doesn't overflow.
  package var stored: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -0x1p50), 0x1p50))
  }

  package init(stored: Int64) { self.init(timeIntervalSince1970: Double(stored) / 1000) }
}

/// The key of an item, and its feed.
struct HubItemKey: Hashable {
  var feed: FeedName
  var key: String
}

/// A stored item.
struct HubItemRow {
  var id: Int64
  var firstID: Int64
  var feed: Int64
  var key: String
  /// The body; empty for a known item if it isn't needed.
  var body: String
  var hash: [UInt8]
  var published: Int64
  var changed: Int64
  var expires: Int64?
  var isLive: Bool
  var token: Int?
}

/// An item that waits for its time.
struct HubScheduledRow {
  /// The id, or 0 if not stored yet.
  var id: Int64
  var name: FeedName
  var feed: Int64
  var key: String?
  var body: String
  var expires: Int64?
  var ownTime: Publication.OwnTime
  var due: Int64
  var token: Int?
}

/// The first response to a request that may be repeated.
struct HubReceipt {
  struct Key: Hashable {
    var token: Int
    var key: String
  }

  var hash: [UInt8]
  /// The results as JSON.
  var answer: String
  var at: Int64
}

/// A line of the audit.
struct HubAuditRow {
  var at: Int64
  var token: Int?
  var address: String?
  /// The feed, or `nil` if there is none, or it no longer exists.
  var feed: Int64?
  var key: String?
  var item: Int64?
  var act: String
}
