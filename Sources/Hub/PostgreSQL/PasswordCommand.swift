import Basics
import Platform
import PostgreSQL
import Synchronization

/// A program that prints a password. It runs once for all connections, and again once the server has rejected the
/// password.
package final class PasswordCommand: Sendable {
  private let words: [String]
  private let environment: [String: String]
  /// The password. Callers that need it while the program runs wait for its end.
  private let known = Mutex<String?>(nil)

  /// - Parameter environment: the environment of the program.
  package init(_ words: [String], environment: [String: String]) {
    (self.words, self.environment) = (words, environment)
  }

  /// Returns the password. Blocks the thread, which must not be one of those that tasks share.
  func password() throws(PostgreSQLFailure) -> String {
    try known.withLock { known throws(PostgreSQLFailure) in
      if let known { return known }
      let password = try run()
      known = password
      return password
    }
  }

  /// Forgets a password that the server has rejected.
  func forget(_ password: String) {
    known.withLock { if $0 == password { $0 = nil } }
  }

  private func run() throws(PostgreSQLFailure) -> String {
    let program = Program(
      words, environment: environment, outputLimit: Limits.hubPasswordBytes,
      deadline: Limits.hubPasswordTime)
    let result = Blocking.wait { () async -> Result<[UInt8], ProgramFailure> in
      do throws(ProgramFailure) {
        return .success(try await ProgramRunner().run(program))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return String(text.prefix { !$0.isNewline && $0 != "\0" })
    case .failure(let failure): throw .notConnected("password_command \(failure.words)")
    }
  }
}
