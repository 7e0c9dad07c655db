package import Foundation

/// What a service says of a message's marks there. nil: it says nothing of it.
package struct UpstreamMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?
  /// Deleted or dismissed there.
  package var isDone: Bool?
  /// false: what silenced it there has ended.
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

/// The state of messages at their service, as one poll saw it. Applied after the poll's messages are stored.
///
/// A mark of the user that is still on its way to the service, or that was sent after the poll began, is never reverted
/// by it. What the service says is not an act of the user: it isn't in the journal, and is not sent back.
package struct UpstreamState: Hashable, Sendable {
  /// What it means that a message which was open is not open any more.
  package enum Absence: String, Hashable, Sendable {
    /// It was read or dismissed elsewhere.
    case read
    /// The trouble that it reported is over: the message says when.
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

  /// Of messages of this poll and of earlier ones, in order: a later one of the same message wins. Unknown ids are
  /// ignored.
  package var marks: [Mark] = []
  /// The ids of all messages that are open at the service, from a successful answer, or `nil` if they are not known.
  ///
  /// A message that was in the set of an earlier poll and is missing in this one is done there, and is marked read here. If it
  /// is open again later without a later occasion, it becomes as it was before.
  package var open: Set<RemoteID>?
  /// The ids of elements that the answer has and that could not be read: their messages stay as they are.
  package var unreadable: Set<RemoteID> = []
  /// Whether the id of every element could be read. Otherwise any message may be missing for that reason, and none is done.
  package var isComplete = true
  package var absence = Absence.read
  /// All messages up to this one were read elsewhere, by `RemoteID.isBefore`.
  package var readThrough: RemoteID?

  package init() {}
}

/// How many requests a server still accepts, as its answer says.
package struct RequestQuota: Hashable, Sendable, Codable {
  package var remaining: Int
  package var limit: Int?
  /// When `remaining` is `limit` again.
  package var resets: Date?

  package init(remaining: Int, limit: Int? = nil, resets: Date? = nil) {
    self.remaining = remaining
    self.limit = limit
    self.resets = resets
  }
}
