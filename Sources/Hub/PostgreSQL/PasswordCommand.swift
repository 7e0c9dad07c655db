import Basics
import Platform
import PostgreSQL
import Synchronization

/// A program that prints a password. It is run once for all connections, and again once the server has refused what it printed.
package final class PasswordCommand: Sendable {
  private let words: [String]
  private let environment: [String: String]
  /// Who needs it while the program runs waits for its end.
  private let known = Mutex<String?>(nil)

  /// - Parameter environment: the program's.
  package init(_ words: [String], environment: [String: String]) {
    (self.words, self.environment) = (words, environment)
  }

  /// Blocks the thread, which must not be one of those that tasks share.
  func password() throws(PostgreSQLFailure) -> String {
    try known.withLock { known throws(PostgreSQLFailure) in
      if let known { return known }
      let password = try run()
      known = password
      return password
    }
  }

  /// The server has refused it.
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
