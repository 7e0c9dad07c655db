import Sync

extension PostgreSQLFailure {
  /// Returns the failure to report for the sync location at this server.
  func failure(of place: String) -> PlaceFailure {
    switch self {
    case .notConnected, .notAdmitted, .lost, .silent: .broken(place: place, reason: reason)
    case .closed: .closed
    case .refused(let state, let reason):
      switch state {
      // The table, schema or column does not exist, or access is not allowed.
      case "42P01", "3F000", "42703", "42501": .notAllowed(place: place, reason: Self.noTable)
      // The server accepts no writes.
      case "25006": .notAllowed(place: place, reason: reason)
      // The disk is full, or a limit of the database is reached.
      case "53100", "54000": .full(place: place)
      case _: .broken(place: place, reason: reason)
      }
    }
  }

  static let noTable =
    "the database has no table reddot_sync that this role may use; create it with Resources/samples/sync.sql"
}
