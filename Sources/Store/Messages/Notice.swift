/// A notice that a channel shows, or showed; an id is never used again.
package struct NoticeID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What one notice tells.
package enum NoticeForm: String, Hashable, Sendable, CaseIterable {
  /// One message.
  case message
  /// How many messages one source has brought.
  case source
  /// How many messages there are, by source.
  case digest
}
