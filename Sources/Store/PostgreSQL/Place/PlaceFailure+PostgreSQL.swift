import Sync

extension PostgreSQLFailure {
  /// As the failure of a place.
  func failure(of place: String) -> PlaceFailure {
    switch self {
    case .notConnected, .notAdmitted, .lost, .silent: .broken(place: place, reason: reason)
    case .closed: .closed
    case .refused(let state, let reason):
      switch state {
      // No such table, schema or column; not allowed.
      case "42P01", "3F000", "42703", "42501": .notAllowed(place: place, reason: Self.noTable)
      // The server takes no writes.
      case "25006": .notAllowed(place: place, reason: reason)
      // The disk, or a limit of the database.
      case "53100", "54000": .full(place: place)
      case _: .broken(place: place, reason: reason)
      }
    }
  }

  static let noTable =
    "The database has no table reddot_sync that this role may use: Resources/samples/sync.sql makes it."
}
