package import Foundation
import GRDB
package import Messages

/// Stores messages that scripts push into local sources.
package struct StorePushes: StorePart {
  let store: Store

  /// Stores one message of a script in a local source, in one transaction with the source itself if that is new.
  ///
  /// See `PushIntake`. Messages pushed into a shared source are sent to other machines.
  ///
  /// - Parameters:
  ///   - local: the source from the settings or the script, or `nil` for the first existing local one.
  ///   - unsaid: the fields that the script did not set, which an already stored message keeps.
  @discardableResult
  package func add(
    _ message: IncomingMessage, into local: ConfiguredSource? = nil, unsaid: Set<UnsaidField> = [],
    at now: Date
  ) throws(StoreFailure) -> Message {
    try write(.system) { db in
      let source = try store.sources.localSource(local, db)
      var message = message
      let known = try store.messages.find(message.remoteID, of: source.id, db)
      if let known { message.keep(unsaid, of: known.content) }
      let shared = SharedPushes(db, at: now.milliseconds)
      let stamp = try shared.nextStamp(of: message.remoteID.fitting, known: known?.id, in: source)
      try PushIntake(db, columns, arrivals, at: now.milliseconds).store(message, in: source, stamp: stamp)
      if let stamp { try shared.send(message, stamp: stamp, in: source) }
      guard let stored = try store.messages.find(message.remoteID, of: source.id, db) else {
        throw StoreFailure.unexpected(path: path ?? "", reason: "the message is not there")
      }
      return stored
    }
  }

  /// Sets the badge of a local source, the number that is shown with it; 0 clears it. The source is given as for `add`.
  package func setBadge(_ badge: Int, into local: ConfiguredSource?) throws(StoreFailure) {
    try write(.system) { db in
      let source = try store.sources.localSource(local, db)
      let update = try db.prepared("UPDATE polling SET badge = ?2 WHERE source_id = ?1")
      update.bind(1, source.id.rawValue)
      update.bind(2, badge == 0 ? nil : Int64(badge))
      try update.run()
    }
  }
}

extension IncomingMessage {
  /// Takes the fields that a script did not set from the stored message.
  fileprivate mutating func keep(_ unsaid: Set<UnsaidField>, of known: IncomingMessage) {
    for field in unsaid {
      switch field {
      case .url: url = known.url
      case .priority: priority = known.priority
      case .tags: tags = known.tags
      case .group:
        guard let group = known.extras?.group else { continue }
        var extras = extras ?? MessageExtras()
        extras.group = group
        self.extras = extras
      }
    }
  }
}
