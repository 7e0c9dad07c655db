package import Foundation
package import Messages

/// What became of a notice that another program showed.
package enum DesktopChange: Hashable, Sendable {
  /// Also of one that was replaced: it has the same id.
  case shown(IncomingMessage)
  /// Its reader, or its program, took it away.
  case closed(RemoteID)

  fileprivate var id: RemoteID {
    switch self {
    case .shown(let message): message.remoteID
    case .closed(let id): id
    }
  }
}

extension StorePushes {
  /// Stores the desktop's notices, in one transaction. What was closed there is read here.
  ///
  /// One that is replaced is news again, as what scripts push again. Where the source was removed meanwhile, nothing is
  /// stored.
  ///
  /// - Parameter changes: in the order in which they happened.
  package func add(
    _ changes: [DesktopChange], into source: SourceID, at now: Date
  ) throws(StoreFailure) {
    // Progress is told by many notices with one id: only the last one counts.
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
