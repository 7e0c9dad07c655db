package import Foundation

/// The acts of the user that can be sent to a service.
package struct WritableMarks: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let read = WritableMarks(rawValue: 1)
  package static let unread = WritableMarks(rawValue: 2)
  package static let star = WritableMarks(rawValue: 4)
  package static let unstar = WritableMarks(rawValue: 8)
  /// Dismissing.
  package static let done = WritableMarks(rawValue: 16)
  package static let undone = WritableMarks(rawValue: 32)
  package static let snooze = WritableMarks(rawValue: 64)

  /// The acts of this set that the service cannot undo, since the set lacks the opposite act.
  package var final: WritableMarks {
    var acts: WritableMarks = []
    for (act, opposite) in [(.read, .unread), (.star, .unstar), (.done, .undone)] as [(Self, Self)]
    where contains(act) && !contains(opposite) {
      acts.insert(act)
    }
    return acts
  }
}

/// A change by the user to one message, for its service.
package enum OutgoingMark: Hashable, Sendable, Codable {
  case read(Bool)
  case starred(Bool)
  /// Dismissed, or restored.
  case done(Bool)
  /// Snoozed until a time, or no longer snoozed if it is `nil`.
  case snoozed(until: Date?)
  /// An action of the message that only its service knows, given by `MessageAction.upstream`.
  case named(String)

  /// The ability that a service needs to accept the change, or `nil` for a named action, which the service
  /// itself offered.
  package var needs: WritableMarks? {
    switch self {
    case .read(let isRead): isRead ? .read : .unread
    case .starred(let isStarred): isStarred ? .star : .unstar
    case .done(let isDone): isDone ? .done : .undone
    case .snoozed: .snooze
    case .named: nil
    }
  }
}

package struct OutgoingID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// An act of the user that must be sent to the message's service. The order is kept for each message; of several marks
/// of one field only the last is included.
package struct OutgoingAct: Hashable, Sendable {
  package var id: OutgoingID
  package var message: MessageID
  package var remoteID: RemoteID
  package var mark: OutgoingMark
  /// The time of the user's act.
  package var made: Date
  /// `MessageExtras.handle` of the message.
  package var handle: String?

  package init(
    id: OutgoingID, message: MessageID, remoteID: RemoteID, mark: OutgoingMark, made: Date,
    handle: String? = nil
  ) {
    self.id = id
    self.message = message
    self.remoteID = remoteID
    self.mark = mark
    self.made = made
    self.handle = handle
  }
}

/// The result of sending some acts to a service.
package struct WriteBackResult: Hashable, Sendable {
  /// The acts that the service has accepted, or no longer needs because it doesn't know the message.
  package var carried: Set<OutgoingID> = []
  /// The acts that the service rejects permanently, and the reasons.
  package var refused: [OutgoingID: FetchFailure] = [:]
  /// The reason why the other acts were not sent, or `nil` if there are none. They are retried later.
  package var failure: FetchFailure?
  /// The acts of the request that failed; empty if the failure concerns no act.
  package var failed: Set<OutgoingID> = []
  /// The occasions of messages after the acts, keyed by remote id. If an act itself counts as an occasion at the
  /// service, this keeps the message from becoming unread here.
  package var occasions: [RemoteID: String] = [:]
  /// The server's hints in its responses to the acts, for example `retryAfter`.
  package var hints = PollHints()

  package init() {}
}
