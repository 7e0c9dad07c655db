import Basics

/// The reason why a server did not execute a request.
package enum PostgreSQLFailure: Error, Hashable {
  /// There is no connection; contains the server's or the system's reason.
  case notConnected(String)
  /// There is no connection, and the server had requested the password, which may be wrong.
  case notAdmitted(String)
  /// The connection ended before the response, so that it isn't known whether the request was executed.
  case lost(String)
  /// The server rejected the request.
  ///
  /// - Parameter state: SQLSTATE, five characters.
  case refused(state: String, reason: String)
  /// There was no progress of a response for the given time.
  case silent(Duration)
  /// The caller has closed the connection.
  case closed

  /// Whether the SQLSTATE means that the connection ends: an administrator or the server ended it, or the
  /// server is starting.
  static func isEnd(state: String) -> Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03"
  }

  /// The reason as a sentence, without a full stop.
  package var reason: String {
    switch self {
    case .notConnected(let reason), .notAdmitted(let reason), .lost(let reason), .refused(_, let reason):
      reason
    case .silent(let time): "the server did not answer for \(Int((time / .seconds(1)).rounded(.up))) s"
    case .closed: "it was closed"
    }
  }

  /// Returns the line of libpq's message that contains the reason: the last one about the connection (if a host has
  /// several addresses, that of the last address tried), or the last one that isn't a hint.
  package static func reason(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.first?.isWhitespace == false }
    let line = lines.last { $0.hasPrefix("connection to server") } ?? lines.last
    let words = (line ?? "the server gave no reason").split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 32 || $0.value == 127 }
    }
    return String(words.joined(separator: " ").prefix(Limits.placeReasonCharacters))
  }
}
