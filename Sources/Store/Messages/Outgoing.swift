package import Foundation

/// The acts that a service can take over from here.
package struct CarriedActs: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let read = CarriedActs(rawValue: 1)
  package static let unread = CarriedActs(rawValue: 2)
  package static let star = CarriedActs(rawValue: 4)
  package static let unstar = CarriedActs(rawValue: 8)
  /// Dismissing.
  package static let done = CarriedActs(rawValue: 16)
  package static let undone = CarriedActs(rawValue: 32)
  package static let snooze = CarriedActs(rawValue: 64)

  /// The acts among these that the service cannot undo.
  package var final: CarriedActs {
    var acts: CarriedActs = []
    for (act, opposite) in [(.read, .unread), (.star, .unstar), (.done, .undone)] as [(Self, Self)]
    where contains(act) && !contains(opposite) {
      acts.insert(act)
    }
    return acts
  }
}

/// What the user did to one message, for its service.
package enum OutgoingMark: Hashable, Sendable, Codable {
  case read(Bool)
  case starred(Bool)
  /// Dismissed, or brought back.
  case done(Bool)
  /// Until then; nil: no longer.
  case snoozed(until: Date?)
  /// An action of the message that only its service knows, by `MessageAction.upstream`.
  case named(String)

  /// What a service has to be able to do for it; nil: whatever offered the action.
  package var needs: CarriedActs? {
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

/// An act of the user that is to be carried to the message's service. Per message the order is kept; of several marks of
/// one field only the last is there.
package struct OutgoingAct: Hashable, Sendable {
  package var id: OutgoingID
  package var message: MessageID
  package var remoteID: RemoteID
  package var mark: OutgoingMark
  /// When the user did it.
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

/// The result of carrying some acts to a service.
package struct CarryResult: Hashable, Sendable {
  /// Those that the service has taken, or has no use for any more (it doesn't know the message).
  package var carried: Set<OutgoingID> = []
  /// Those that the service refuses for good, and why.
  package var refused: [OutgoingID: FetchFailure] = [:]
  /// Why the others were not carried: they are tried again later. nil if there are none.
  package var failure: FetchFailure?
  /// The acts of the request that failed; empty: the failure is of no act.
  package var failed: Set<OutgoingID> = []
  /// The occasion that a message has after an act: where the act itself is an occasion at the service, it isn't news here.
  package var occasions: [RemoteID: String] = [:]
  /// `retryAfter` and the like.
  package var hints = PollHints()

  package init() {}
}
