package import Foundation
package import Messages

/// A change of a desktop notification of another program.
package enum DesktopChange: Hashable, Sendable {
  /// The notification was shown. It may replace an earlier one with the same id.
  case shown(IncomingMessage)
  /// The user or the program closed the notification.
  case closed(RemoteID)

  fileprivate var id: RemoteID {
    switch self {
    case .shown(let message): message.remoteID
    case .closed(let id): id
    }
  }
}

extension StorePushes {
  /// Stores desktop notifications, in one transaction. Closed ones become read here.
  ///
  /// A replaced one becomes unread again, like repeated pushes of scripts. If the source was removed meanwhile, nothing
  /// is stored.
  ///
  /// - Parameter changes: the changes in the order in which they happened.
  package func add(
    _ changes: [DesktopChange], into source: SourceID, at now: Date
  ) throws(StoreFailure) {
    // Progress is shown by many notifications with one id, of which only the last one is stored.
    var order: [RemoteID] = []
    var messages: [RemoteID: IncomingMessage] = [:]
    var closed: Set<RemoteID> = []
    for change in changes {
      if messages[change.id] == nil, !closed.contains(change.id) { order.append(change.id) }
      switch change {
      case .shown(let message):
        messages[message.remoteID] = message
        closed.remove(message.remoteID)
      case .closed(let id): closed.insert(id)
      }
    }
    let shown = order.compactMap { messages[$0] }
    let read = order.filter(closed.contains)
    guard !order.isEmpty else { return }
    try write(.system) { db in
      guard let row = try SourceRow.all(db, columns).first(where: { $0.source.id == source }),
        row.place != nil
      else { return }
      try PushIntake(db, columns, arrivals, at: now.milliseconds).store(shown, in: row.source)
      let ids = try read.compactMap { try store.messages.find($0.fitting, of: source, db)?.id.rawValue }
      try MarkWriter(db, by: .service, at: now.milliseconds).set(.read(true), on: IDRanges(ids.sorted()))
    }
  }
}
