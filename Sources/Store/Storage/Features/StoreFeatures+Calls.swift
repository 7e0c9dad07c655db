import GRDB
package import Messages

/// A waiting call of a source's `feature_command`, a program that is run when a feature was switched.
package struct FeatureCall: Hashable, Sendable {
  package var id: Int64
  package var source: SourceID
  package var change: FeatureChange

  package init(id: Int64, source: SourceID, change: FeatureChange) {
    self.id = id
    self.source = source
    self.change = change
  }
}

/// Calls of `feature_command`. Each is written with the change itself and stays until it was executed, so that a
/// process that ends before that leaves it to the next one. If a process ends while the program runs, the call is
/// repeated.
extension StoreFeatures {
  /// Returns the waiting calls in the order of the changes.
  package func waitingCalls() throws(StoreFailure) -> [FeatureCall] {
    try read { db in
      let query = try db.prepared(
        "SELECT id, source_id, name, is_enabled, remote_id, data FROM feature_call ORDER BY id")
      var calls: [FeatureCall] = []
      try query.forEach {
        calls.append(
          FeatureCall(
            id: query.int(0), source: SourceID(query.int(1)),
            change: FeatureChange(
              name: query.text(2), isEnabled: query.bool(3), remoteID: RemoteID(query.text(4)),
              data: query.optionalText(5))))
      }
      return calls
    }
  }

  /// Removes calls that were executed, or that must not be executed.
  package func removeCalls(_ calls: [FeatureCall]) throws(StoreFailure) {
    guard !calls.isEmpty else { return }
    try write { db in
      let delete = try db.prepared("DELETE FROM feature_call WHERE id = ?")
      for call in calls { try delete.run(call.id) }
    }
  }
}
