import Basics
import Foundation
package import Platform

/// Reads a token when a request needs it, and does not keep it. Errors never contain a token.
package struct Credentials: Sendable {
  package var environment: [String: String]
  private let programs: ProgramRunner

  package init(environment: [String: String], programs: ProgramRunner) {
    self.environment = environment
    self.programs = programs
  }

  /// The reason why there is no token. It never contains a token.
  package struct Failure: UserFacingError {
    package var reason: String

    package var sentence: String { reason }
  }

  /// Reads a token.
  ///
  /// - Parameter timeout: the maximum time for a command, or for a file that is a pipe.
  package func token(
    from origin: CredentialOrigin, within timeout: Duration = SourceEntry.standard.tokenTimeout
  ) async throws(Failure) -> String {
    let raw: String
    switch origin {
    case .plain(let token): raw = token
    case .environment(let name):
      guard let value = environment[name] else {
        throw Failure(reason: "the variable \(name) of token_env is not in the environment")
      }
      raw = value
    case .file(let path):
      let bytes: Data
      do throws(BoundedFile.Failure) {
        bytes = try BoundedFile.read(path, limit: Limits.tokenOutputBytes, within: timeout)
      } catch {
        throw Failure(reason: "token_file \(path) \(error.reason)")
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure(reason: "token_file \(path) is not UTF-8 text")
      }
      raw = text
    case .command(let command): raw = try await output(of: command, "token_command", within: timeout)
    }
    return try Self.secret(raw, called: "token")
  }

  /// Returns the encryption key of a sync location, which `key_command` prints.
  package func key(from command: [String]) async throws(Failure) -> String {
    let raw = try await output(of: command, "key_command", within: SourceEntry.standard.tokenTimeout)
    return try Self.secret(raw, called: "key")
  }

  /// Returns the secret in the output of a program or in a file: the first line.
  private static func secret(_ raw: String, called name: String) throws(Failure) -> String {
    // Password stores print the secret in the first line and notes after it.
    let token =
      raw.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    guard !token.isEmpty else { throw Failure(reason: "the \(name) is empty") }
    // A password may have spaces and umlauts. The code that makes a header decides which characters it accepts.
    guard token.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Failure(reason: "the \(name) has control characters, such as a tab")
    }
    return token
  }

  /// Runs a program and returns its output.
  ///
  /// - Parameter key: the setting that names the program, for errors.
  private func output(
    of command: [String], _ key: String, within time: Duration
  ) async throws(Failure) -> String {
    let program = Program(
      command, environment: environment, outputLimit: Limits.tokenOutputBytes, deadline: time)
    do throws(ProgramFailure) {
      return String(decoding: try await programs.run(program), as: UTF8.self)
    } catch .ended(let status, let complaint) {
      let failure = ProgramFailure.ended(status: status, complaint: complaint.map(Self.withoutSecrets))
      throw Failure(reason: "\(key) \(failure.words)")
    } catch .tookLonger(let time) {
      throw Failure(
        reason:
          "\(key) \(ProgramFailure.tookLonger(than: time).words); it must not ask for input"
          + (key == "token_command" ? ", and a higher token_timeout gives it more time" : ""))
    } catch {
      throw Failure(reason: "\(key) \(error.words)")
    }
  }

  /// Removes words that could be the secret from the message of a failed program, which may quote it.
  static func withoutSecrets(_ complaint: String) -> String {
    complaint.split(onBytes: " ", omittingEmptySubsequences: false).map { word in
      let isWord = word.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || ",.:;'-".utf8.contains($0)
      }
      return isWord && word.utf8.count <= 20 || word.utf8.count <= 4 ? String(word) : "…"
    }.joined(separator: " ")
  }
}
