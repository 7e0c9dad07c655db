import Foundation
import Limits
package import PostgreSQL
import Programs

/// Which database a hub uses, and how.
package struct HubDatabaseOptions: Sendable {
  package let address: PostgreSQLAddress
  /// How many connections read.
  package var connections = Limits.hubReadConnections
  /// Prints the password; nil: it is where libpq looks for it, as for psql.
  package var passwordCommand: PasswordCommand?

  /// Why a text can't be the address; `sentence` is a predicate.
  package enum Mistake: Error, Hashable, Sendable {
    case unreadable
    case hasPassword

    package var sentence: String {
      switch self {
      case .unreadable:
        "must be \"sqlite:\" and the path of a file, or \"postgres://USER@HOST/DATABASE\", with %40 for @ and %2F for / in a name"
      case .hasPassword:
        "has a password, which others may see here: use password_command, or ~/.pgpass as for psql"
      }
    }
  }

  package init(_ text: String) throws(Mistake) {
    guard let address = PostgreSQLAddress(text) else { throw .unreadable }
    if address.hasPassword { throw .hasPassword }
    self.address = address
  }

  /// Of each session. A commit is acknowledged when it is on the disk; what hangs is ended by the server.
  private static let session = """
    SET synchronous_commit = on; SET statement_timeout = '5s'; SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '5s'; SET client_min_messages = warning
    """

  /// A new connection; blocks the thread.
  ///
  /// - Parameter isPatient: whether a statement may take as long as it needs.
  func connect(isPatient: Bool = false, closing: Alarm) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    var settings = [
      ("tcp_user_timeout", "5000"), ("target_session_attrs", "read-write"),
      ("application_name", "reddot-hub"),
    ]
    if let passwordCommand { settings.append(("password", try passwordCommand.run())) }
    let time =
      address.hosts == 1 ? Limits.hubConnecting : Limits.hubConnectingToEach * address.hosts
    let connection = try PostgreSQLConnection(
      address, connecting: time, silence: isPatient ? .seconds(3600) : Limits.hubDatabaseSilence,
      settings: settings, closing: closing)
    try connection.run(Self.session + (isPatient ? "; SET statement_timeout = 0" : ""))
    return connection
  }
}

/// A program that prints a password.
package struct PasswordCommand: Sendable {
  private let words: [String]
  private let environment: [String: String]

  /// - Parameter environment: the program's.
  package init(_ words: [String], environment: [String: String]) {
    (self.words, self.environment) = (words, environment)
  }

  /// Blocks the thread, which must not be one of those that tasks share.
  func run() throws(PostgreSQLFailure) -> String {
    let program = Program(
      words, environment: environment, outputLimit: Limits.hubPasswordBytes,
      deadline: Limits.hubPasswordTime)
    let (box, end) = (Answer(), DispatchSemaphore(value: 0))
    Task.detached {
      let result: Result<[UInt8], ProgramFailure>
      do throws(ProgramFailure) {
        result = .success(try await ProgramRunner().run(program))
      } catch { result = .failure(error) }
      box.value = result
      end.signal()
    }
    end.wait()
    switch box.value {
    case .success(let bytes)?:
      let text = String(decoding: bytes, as: UTF8.self)
      return String(text.prefix { !$0.isNewline && $0 != "\0" })
    case .failure(let failure)?: throw .notConnected("password_command \(failure.words)")
    case nil: throw .notConnected("password_command printed nothing")
    }
  }

  /// Written before the semaphore is signalled, read after it.
  private final class Answer: @unchecked Sendable {
    var value: Result<[UInt8], ProgramFailure>?
  }
}
