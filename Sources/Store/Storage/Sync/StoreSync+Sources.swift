package import Foundation
import GRDB
package import Messages
package import Sync

/// A source that some machine has sent.
package struct WireSource: Hashable, Sendable {
  package var uid: WireUID
  /// The id in the table `wire_source`. If one source has several rows, this machine sends the one with the least id.
  package var row: Int64
  /// The kind, or `nil` if no machine should follow it, or none has sent it.
  package var kind: String?
  /// The URL for display, without user name and password.
  package var address: String?
  package var name: String?
  /// The name, with a number if several sources have the same one.
  package var uniqueName: String?
  package var title: String?
  package var folder: String?
  /// The source on this machine, or `nil` if it isn't followed here.
  package var source: SourceID?
  /// The name on this machine.
  package var nameHere: String?
  /// Whether the user removed it from this machine's settings.
  package var isDeclined: Bool
  /// Whether a machine has removed it from all machines.
  package var isRemoved: Bool
  /// The name of the machine that has removed it, or `nil` for this one.
  package var removedBy: String?
  /// Whether its URL is enough to follow it: a feed, native feed, schedule or banners at http or https, without
  /// credentials.
  package var isFollowedByItself: Bool
}

extension WireSource {
  /// Whether a source of the settings has its kind and URL, in any spelling.
  package func isSame(as source: ConfiguredSource) -> Bool {
    guard let kind, let address, let here = FollowedAddress(source.source(id: Source.unregistered)) else {
      return true
    }
    return FollowedAddress("\(kind) \(address)")?.key == here.key
  }
}

/// Two synchronised sources here that other machines cannot distinguish.
package struct SameAddress: Error, Hashable, Sendable {
  package var first: String
  package var second: String
}

extension StoreSync {
  /// Returns the sources that machines have sent, sorted by name. One source may appear under several ids.
  package func sources() throws(StoreFailure) -> [WireSource] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT r.uid, r.follow, r.follow_by, r.name, r.title, r.folder, r.is_declined, s.id,
          (SELECT d.name FROM journal j CROSS JOIN device d ON d.id = j.device WHERE j.id = r.follow_by), r.id, s.name
        FROM wire_source r LEFT JOIN source s ON s.id = r.source_id AND s.position IS NOT NULL
        ORDER BY r.name, r.id
        """)
      let names = try WireSources(db).names()
      var sources: [WireSource] = []
      try query.forEach {
        guard let uid = WireUID(bytes: query.blob(0)) else { return }
        let follow = query.optionalText(1).flatMap(FollowedAddress.init)
        let isRemoved = query.isNull(1) && !query.isNull(2)
        sources.append(
          WireSource(
            uid: uid, row: query.int(9), kind: follow?.kind, address: follow?.shown,
            name: query.optionalText(3), uniqueName: names[query.int(9)],
            title: query.optionalText(4), folder: query.optionalText(5),
            source: query.optionalInt(7).map { SourceID($0) }, nameHere: query.optionalText(10),
            isDeclined: query.bool(6), isRemoved: isRemoved,
            removedBy: isRemoved ? query.optionalText(8) : nil,
            isFollowedByItself: follow?.isEnough ?? false))
      }
      return sources
    }
  }

  /// Records that no machine should follow a source any more, because the user has removed it, instead of only deleting
  /// it from a file.
  package func unfollow(_ source: SourceID, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      guard try SyncedMachine.isSet(db) else { return }
      try SourceCells(db, at: now.milliseconds).unfollow(source.rawValue)
    }
  }

  /// Returns two sources that need `sync_as` before this database may synchronise, or `nil` if there are none.
  package func sameAddress() throws(StoreFailure) -> SameAddress? {
    try read { db in
      var names: [String: String] = [:]
      for row in try SourceRow.all(db, columns) where row.place != nil && row.source.isSynced {
        guard row.source.options.syncAs == nil, let follow = FollowedAddress(row.source) else { continue }
        if let first = names.updateValue(row.source.name, forKey: follow.key) {
          return SameAddress(first: first, second: row.source.name)
        }
      }
      return nil
    }
  }
}
