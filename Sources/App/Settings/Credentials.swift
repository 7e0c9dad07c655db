import Foundation

/// Reads tokens when a request needs them, and forgets them again. A token never stands in an error.
package struct Credentials: Sendable {
  package var environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// Why there is no token, in words that never hold it.
  package struct Failure: Error, Sendable {
    package var reason: String
  }

  package func token(from origin: CredentialOrigin) throws(Failure) -> String {
    let raw: String
    switch origin {
    case .plain(let token): raw = token
    case .environment(let name):
      guard let value = environment[name] else {
        throw Failure(reason: "the environment has no \(name), which token_env names")
      }
      raw = value
    case .file(let path):
      do {
        raw = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
      } catch {
        throw Failure(reason: "token_file \(path) cannot be read: \(SystemReason.words(error))")
      }
    case .command(let command): raw = try output(of: command)
    }
    // Password stores print the secret on the first line and notes below it.
    let token =
      raw.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    guard !token.isEmpty else { throw Failure(reason: "the token is empty") }
    guard token.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      throw Failure(reason: "the token holds characters that no header may carry")
    }
    return token
  }

  private func output(of command: [String]) throws(Failure) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Its complaints would overwrite the screen, and may quote the secret.
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      throw Failure(reason: "token_command cannot be started: \(SystemReason.words(error))")
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(reason: "token_command ended with status \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
