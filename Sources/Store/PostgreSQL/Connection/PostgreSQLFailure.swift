import Basics

/// Why a server didn't do what it was asked.
package enum PostgreSQLFailure: Error, Hashable {
  /// There is no connection: the server's or the system's reason.
  case notConnected(String)
  /// The same, after the server had asked for the password: it may be a wrong one.
  case notAdmitted(String)
  /// The connection ended before the answer, so whether it was done isn't known.
  case lost(String)
  /// - Parameter state: SQLSTATE, five characters.
  case refused(state: String, reason: String)
  /// Nothing moved for so long.
  case silent(Duration)
  /// The caller has ended it.
  case closed

  /// States of a connection that ends: an administrator or the server ended it, or the server is starting.
  static func isEnd(state: String) -> Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03"
  }

  /// A sentence of it without a full stop.
  package var reason: String {
    switch self {
    case .notConnected(let reason), .notAdmitted(let reason), .lost(let reason), .refused(_, let reason):
      reason
    case .silent(let time): "the server did not answer for \(Int((time / .seconds(1)).rounded(.up))) s"
    case .closed: "it was closed"
    }
  }

  /// What libpq says of the connection, of several addresses of a host that of the one that was tried last; else the last line
  /// that isn't a hint.
  package static func reason(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.first?.isWhitespace == false }
    let line = lines.last { $0.hasPrefix("connection to server") } ?? lines.last
    let words = (line ?? "the server gave no reason").split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 32 || $0.value == 127 }
    }
    return String(words.joined(separator: " ").prefix(Limits.placeReasonCharacters))
  }
}
