/// The id of a notification that a channel shows or showed. Ids are never reused.
package struct NoticeID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The form of a notification, which decides its content.
package enum NoticeForm: String, Hashable, Sendable, CaseIterable {
  /// A single message.
  case message
  /// The number of messages from one source.
  case source
  /// A summary: the number of messages of each source.
  case digest
}
