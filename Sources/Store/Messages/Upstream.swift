package import Foundation

/// The state of a message's marks at its service. `nil` means that the service reports nothing about a mark.
package struct UpstreamMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?
  /// Whether it was deleted or dismissed there.
  package var isDone: Bool?
  /// Whether it is snoozed there; `false` means that the snooze has ended.
  package var isSnoozed: Bool?

  package init(
    isRead: Bool? = nil, isStarred: Bool? = nil, isDone: Bool? = nil, isSnoozed: Bool? = nil
  ) {
    self.isRead = isRead
    self.isStarred = isStarred
    self.isDone = isDone
    self.isSnoozed = isSnoozed
  }
}

/// The state of messages at their service, as one poll saw it. It is applied after the poll's messages are stored.
///
/// A mark of the user that is still on its way to the service, or that was sent after the poll began, is never reverted
/// by it. The service's report is not an act of the user: it isn't in the journal, and is not sent back.
package struct UpstreamState: Hashable, Sendable {
  /// The meaning of a message's absence from `open` if an earlier poll reported it as open.
  package enum Absence: String, Hashable, Sendable {
    /// The message was read or dismissed elsewhere.
    case read
    /// The reported problem is resolved; the message shows the time.
    case resolved
  }

  package struct Mark: Hashable, Sendable {
    package var remoteID: RemoteID
    package var marks: UpstreamMarks

    package init(_ remoteID: RemoteID, _ marks: UpstreamMarks) {
      self.remoteID = remoteID
      self.marks = marks
    }
  }

  /// The marks of messages of this and earlier polls, in order. A later mark of the same message wins, and unknown ids
  /// are ignored.
  package var marks: [Mark] = []
  /// The ids of all messages that are open at the service, from a successful response, or `nil` if they are not known.
  ///
  /// A message that was in the set of an earlier poll and is missing in this one is done there, and is marked read
  /// here. If it is open again later without a later occasion, its previous state is restored.
  package var open: Set<RemoteID>?
  /// The ids of elements in the response that could not be read; their messages are not changed.
  package var unreadable: Set<RemoteID> = []
  /// Whether the ids of all elements of the response could be read. Otherwise any message may be missing for
  /// that reason, so none counts as done.
  package var isComplete = true
  package var absence = Absence.read
  /// The message up to which all were read elsewhere, in the order of `RemoteID.isBefore`.
  package var readThrough: RemoteID?

  package init() {}
}

/// The number of requests that a server still accepts, according to its response.
package struct RequestQuota: Hashable, Sendable, Codable {
  package var remaining: Int
  package var limit: Int?
  /// The time when `remaining` is reset to `limit`.
  package var resets: Date?

  package init(remaining: Int, limit: Int? = nil, resets: Date? = nil) {
    self.remaining = remaining
    self.limit = limit
    self.resets = resets
  }
}
