package import Foundation
import GRDB
package import Messages

/// The state of a named feature at one time.
package struct Feature: Hashable, Sendable {
  /// Why it has this state.
  package enum Reason: Hashable, Sendable {
    /// The notice holds, without a known end.
    case holds
    /// The notice holds until it expires.
    case holdsUntil(Date)
    /// The notice holds until another one begins.
    case givesWay(at: Date, to: RemoteID, of: SourceID)
    /// No notice holds; this one begins then.
    case begins(Date)
    /// No notice holds any more; the last one ended then.
    case expired(Date)
    /// No notice holds; this one is for a channel that its source is not subscribed to.
    case otherChannel(String)
  }

  package var name: String
  package var isEnabled: Bool
  /// Free-form, as JSON.
  package var data: String?
  package var source: SourceID
  package var remoteID: RemoteID
  /// Since when it has this state.
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

  /// When the state will change, if that is known.
  package var until: Date? {
    switch reason {
    case .holdsUntil(let date), .givesWay(at: let date, to: _, of: _), .begins(let date): date
    case .holds, .expired, .otherChannel: nil
    }
  }
}

/// Features that notices of feeds switch, and the calls of `feature_command` that wait.
package struct StoreFeatures: StorePart {
  let store: Store

  /// All features that a notice names, by name, at `now`.
  package func all(at now: Date) throws(StoreFailure) -> [Feature] {
    try read { db in
      let features = Features(db, columns)
      let query = try db.prepared(
        """
        SELECT s.name, \(Features.Notice.columns) FROM switch s JOIN notice n ON n.id = s.notice_id ORDER BY s.name
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
        // By bytes, as the database compares them.
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

  /// What time and channels have switched since the last call, in this process or another: each change is returned
  /// once, with the source whose `feature_command` is to be run for it.
  package func switchDue(
    at now: Date
  ) throws(StoreFailure) -> [(source: SourceID, change: FeatureChange)] {
    let now = now.milliseconds
    let isDue = try read { db in try !Features(db, columns).dueNames(at: now).isEmpty }
    return isDue ? try write { db in try Features(db, columns).due(at: now) } : []
  }
}

extension Features {
  /// - Parameter notices: all that name it, in the order in which they begin to hold.
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
