package import Foundation
import GRDB
package import Messages

/// A named feature as the last notification about it left it.
package struct Feature: Hashable, Sendable {
  package var name: String
  package var isEnabled: Bool
  /// Free-form, as JSON.
  package var data: String?
  package var source: SourceID
  package var remoteID: RemoteID
  /// When it came to stand so.
  package var changed: Date
}

extension Store {
  /// All features that were ever switched, by name.
  package func features() throws(StoreFailure) -> [Feature] {
    try read { db in
      let query = try db.prepared(
        "SELECT name, is_enabled, data, source_id, remote_id, changed FROM feature ORDER BY name")
      var features: [Feature] = []
      try query.forEach {
        features.append(
          Feature(
            name: query.text(0), isEnabled: query.bool(1), data: query.optionalText(2),
            source: SourceID(query.int(3)), remoteID: RemoteID(query.text(4)),
            changed: Date(milliseconds: query.int(5))))
      }
      return features
    }
  }

  /// The last change of a delivery counts. A server repeats its notifications: what stands as it says is no
  /// change.
  ///
  /// - Returns: What stands otherwise than before.
  func switchFeatures(
    _ changes: [FeatureChange], of source: SourceID, _ db: Database, at now: Date
  ) throws -> [FeatureChange] {
    var last: [FeatureChange] = []
    for change in changes {
      last.removeAll { $0.name == change.name }
      last.append(change)
    }
    let upsert = try db.prepared(
      """
      INSERT INTO feature (name, is_enabled, data, source_id, remote_id, changed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (name) DO UPDATE SET is_enabled = ?2, data = ?3, source_id = ?4, remote_id = ?5, changed = ?6
      WHERE is_enabled <> ?2 OR data IS NOT ?3
      """)
    return try last.filter { change in
      try upsert.bind(1, change.name)
      upsert.bind(2, change.isEnabled)
      try upsert.bind(3, change.data)
      upsert.bind(4, source.rawValue)
      try upsert.bind(5, change.remoteID.text)
      upsert.bind(6, now.milliseconds)
      try upsert.run()
      return db.changesCount > 0
    }
  }
}
