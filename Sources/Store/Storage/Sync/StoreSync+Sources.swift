package import Foundation
import GRDB
package import Messages
package import Sync

/// A source that some machine has named.
package struct WireSource: Hashable, Sendable {
  package var uid: WireUID
  /// Its row: of several of one source the least is the one that this machine sends.
  package var row: Int64
  /// Nil: no machine is to follow it, or none has said so.
  package var kind: String?
  /// Without a user's name and password, as people may see it.
  package var address: String?
  package var name: String?
  /// The name, with a number if several sources have the same one.
  package var uniqueName: String?
  package var title: String?
  package var folder: String?
  /// The source here; nil: it isn't followed here.
  package var source: SourceID?
  /// What it is called here.
  package var nameHere: String?
  /// A person took it out of this machine's settings.
  package var isDeclined: Bool
  /// A machine has removed it from all.
  package var isRemoved: Bool
  /// The name of that machine; nil: this one.
  package var removedBy: String?
  /// It needs no more than its address: a feed, native feed, schedule or banners at http or https, without credentials.
  package var isFollowedByItself: Bool
}

extension WireSource {
  /// Whether a source of the settings has its kind and address, however those are written.
  package func isSame(as source: ConfiguredSource) -> Bool {
    guard let kind, let address, let here = FollowedAddress(source.source(id: Source.unregistered)) else {
      return true
    }
    return FollowedAddress("\(kind) \(address)")?.key == here.key
  }
}

/// Two synchronised sources here that other machines cannot tell apart.
package struct SameAddress: Error, Hashable, Sendable {
  package var first: String
  package var second: String
}

extension StoreSync {
  /// The sources that machines have named, by their names. One source may have several.
  package func sources() throws(StoreFailure) -> [WireSource] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT r.uid, r.follow, r.follow_by, r.name, r.title, r.folder, r.is_declined, s.id,
          (SELECT d.name FROM journal j CROSS JOIN device d ON d.id = j.device WHERE j.id = r.follow_by), r.id, s.name
        FROM wire_source r LEFT JOIN source s ON s.id = r.source_id AND s.place IS NOT NULL
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

  /// No machine is to follow a source any more: a person has removed it, not only taken it out of a file.
  package func unfollow(_ source: SourceID, at now: Date) throws(StoreFailure) {
    try write(.system) { db in
      guard try SyncedMachine.isSet(db) else { return }
      try SourceCells(db, at: now.milliseconds).unfollow(source.rawValue)
    }
  }

  /// Two sources that need `sync_as` before this database may synchronise; nil: there are none.
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
