import Basics
import Foundation
import Platform
package import PostgreSQL

/// The database of a hub, and its parameters.
package struct HubDatabaseOptions: Sendable {
  package let address: PostgreSQLAddress
  /// The number of connections for reading.
  package var connections = Limits.hubReadConnections
  /// The command that prints the password, or `nil` if libpq finds it as for psql.
  package var passwordCommand: PasswordCommand?

  /// The reason why text can't be the address; `sentence` is a predicate.
  package enum Mistake: Error, Hashable, Sendable {
    case unreadable
    case hasPassword

    package var sentence: String {
      switch self {
      case .unreadable:
        "must be \"sqlite:\" and the path of a file, or \"postgres://USER@HOST/DATABASE\", with %40 for @ and %2F for / in a name"
      case .hasPassword:
        "has a password, which others may see here; use password_command, or ~/.pgpass as for psql"
      }
    }
  }

  package init(_ text: String) throws(Mistake) {
    guard let address = PostgreSQLAddress(text) else { throw .unreadable }
    if address.hasPassword { throw .hasPassword }
    self.address = address
  }

  /// The settings of each session. A commit is acknowledged when it is on the disk; the server ends statements that
  /// hang.
  private static let session = """
    SET synchronous_commit = on; SET statement_timeout = '5s'; SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '5s'; SET client_min_messages = warning
    """

  /// Opens a new connection to the first host that accepts writes; blocks the thread. In non-blocking mode libpq has no
  /// time limit for one host: it would never leave one that accepts connections and sends nothing.
  ///
  /// - Parameter isPatient: whether a statement may take as long as it needs.
  func connect(isPatient: Bool = false, closing: Alarm) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let password = try passwordCommand?.password()
    var failure = PostgreSQLFailure.closed
    for host in address.hosts {
      var settings = host.map { (name: $0, value: $1) }
      settings += [
        ("tcp_user_timeout", "5000"), ("target_session_attrs", "read-write"),
        ("application_name", "reddot-hub"),
      ]
      if let password { settings.append(("password", password)) }
      do throws(PostgreSQLFailure) {
        let connection = try PostgreSQLConnection(
          address, connecting: Limits.hubConnecting,
          silence: isPatient ? .seconds(3600) : Limits.hubDatabaseSilence, settings: settings,
          closing: closing)
        try connection.run(Self.session + (isPatient ? "; SET statement_timeout = 0" : ""))
        return connection
      } catch {
        if let password, case .notAdmitted = error { passwordCommand?.forget(password) }
        if case .closed = error { throw error }
        failure = error
      }
    }
    throw failure
  }
}
