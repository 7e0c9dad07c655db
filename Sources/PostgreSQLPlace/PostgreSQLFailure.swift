import Limits
import Places

/// Why a server didn't do what it was asked.
enum PostgreSQLFailure: Error, Hashable {
  /// There is no connection: the server's or the system's reason.
  case notConnected(String)
  /// The connection ended before the answer, so whether it was done isn't known.
  case lost(String)
  /// - Parameter state: SQLSTATE, five characters.
  case refused(state: String, reason: String)
  /// Nothing moved for so long.
  case silent(Duration)
  /// The place was closed.
  case closed

  /// States of a connection that ends: an administrator or the server ended it, or the server is starting.
  static func isEnd(state: String) -> Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03"
  }

  /// As the failure of a place.
  func failure(of place: String) -> PlaceFailure {
    switch self {
    case .notConnected(let reason), .lost(let reason): .broken(place: place, reason: reason)
    case .silent(let time):
      .broken(
        place: place, reason: "the server did not answer for \(Int((time / .seconds(1)).rounded(.up))) s")
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

  /// The last line of what libpq says that isn't a hint: of several addresses of a host, the one that was tried last.
  static func reason(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.first?.isWhitespace == false }
    let words = (lines.last ?? "the server gave no reason").split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 32 || $0.value == 127 }
    }
    return String(words.joined(separator: " ").prefix(Limits.placeReasonCharacters))
  }
}
