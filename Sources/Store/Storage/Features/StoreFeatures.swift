package import Foundation
import GRDB
package import Messages

/// The state of a named feature at one time.
package struct Feature: Hashable, Sendable {
  /// The reason for a feature's state.
  package enum Reason: Hashable, Sendable {
    /// The notification is valid, without a known end.
    case holds
    /// The notification is valid until it expires.
    case holdsUntil(Date)
    /// The notification is valid until another one begins.
    case givesWay(at: Date, to: RemoteID, of: SourceID)
    /// No notification is valid yet. The feature's notification begins to be valid at this time.
    case begins(Date)
    /// No notification is valid any more; the last one ended at this time.
    case expired(Date)
    /// No notification is valid. The feature's last notification is for this channel, to which its source is
    /// not subscribed.
    case otherChannel(String)
  }

  package var name: String
  package var isEnabled: Bool
  /// Free-form data, as JSON.
  package var data: String?
  package var source: SourceID
  package var remoteID: RemoteID
  /// The time since which it has this state.
  package var changed: Date
  package var reason: Reason

  package init(
    name: String, isEnabled: Bool, data: String?, source: SourceID, remoteID: RemoteID, changed: Date,
    reason: Reason = .holds
  ) {
    self.name = name
    self.isEnabled = isEnabled
    self.data = data
    self.source = source
    self.remoteID = remoteID
    self.changed = changed
    self.reason = reason
  }

  /// The time when the state will change, if that is known.
  package var until: Date? {
    switch reason {
    case .holdsUntil(let date), .givesWay(at: let date, to: _, of: _), .begins(let date): date
    case .holds, .expired, .otherChannel: nil
    }
  }
}

/// Features that notifications of feeds switch, and the waiting calls of `feature_command`.
package struct StoreFeatures: StorePart {
  let store: Store

  /// Returns all features that a notification switches, with their state at `now`, sorted by name.
  package func all(at now: Date) throws(StoreFailure) -> [Feature] {
    try read { db in
      let features = Features(db, columns)
      let query = try db.prepared(
        """
        SELECT s.name, \(Features.Notice.columns) FROM feature_switch_name s JOIN feature_switch n ON n.id = s.switch_id ORDER BY s.name
        """)
      var result: [Feature] = []
      var group: (name: String, notices: [Features.Notice])?
      func close() throws {
        guard let group else { return }
        let notices = group.notices.sorted { $0.isBefore($1) }
        if let feature = try features.feature(group.name, notices, at: now.milliseconds) {
          result.append(feature)
        }
      }
      try query.forEach {
        let name = query.text(0)
        let notice = Features.Notice(query, at: 1)
        // Names are compared as bytes, as in the database.
        if let open = group, open.name.utf8.elementsEqual(name.utf8) {
          group?.notices.append(notice)
        } else {
          try close()
          group = (name, [notice])
        }
      }
      try close()
      return result
    }
  }

  /// Returns the features that were switched since the last call, in this process or another, because time
  /// passed or the channels of a source changed. Each change is returned once, with the source whose
  /// `feature_command` must run for it.
  package func switchDue(
    at now: Date
  ) throws(StoreFailure) -> [(source: SourceID, change: FeatureChange)] {
    let now = now.milliseconds
    let isDue = try read { db in try !Features(db, columns).dueNames(at: now).isEmpty }
    return isDue ? try write { db in try Features(db, columns).due(at: now) } : []
  }
}

extension Features {
  /// Returns the state of a feature at a time, or `nil` if there are no notifications.
  ///
  /// - Parameter notices: all notifications that switch it, in the order in which their validity begins.
  fileprivate func feature(_ name: String, _ notices: [Notice], at now: Milliseconds) throws -> Feature? {
    func feature(_ notice: Notice, _ isEnabled: Bool, since: Milliseconds, _ reason: Feature.Reason)
      -> Feature
    {
      Feature(
        name: name, isEnabled: isEnabled, data: notice.data, source: SourceID(notice.source),
        remoteID: RemoteID(notice.remoteID), changed: Date(milliseconds: since), reason: reason)
    }
    let coming = try notices.first {
      try isSubscribed($0) && $0.begins > now && $0.expires.map { now < $0 } ?? true
    }
    if let winner = try notices.last(where: { try holds($0, at: now) }) {
      var reason = winner.expires.map { Feature.Reason.holdsUntil(Date(milliseconds: $0)) } ?? .holds
      if let coming, winner.expires.map({ coming.begins < $0 }) ?? true {
        reason = .givesWay(
          at: Date(milliseconds: coming.begins), to: RemoteID(coming.remoteID), of: SourceID(coming.source))
      }
      return feature(winner, winner.isEnabled, since: winner.begins, reason)
    }
    if let coming {
      return feature(coming, false, since: coming.said, .begins(Date(milliseconds: coming.begins)))
    }
    let past = try notices.filter { try isSubscribed($0) }.max { ($0.expires ?? 0) < ($1.expires ?? 0) }
    if let past, let end = past.expires {
      return feature(past, false, since: end, .expired(Date(milliseconds: end)))
    }
    return notices.last.map { feature($0, false, since: $0.said, .otherChannel($0.channel ?? "")) }
  }
}
