import Basics
import Foundation
import Hub
import Platform

/// A webhook as in the settings, without its secrets.
struct HookSettings: Sendable {
  /// The origin of a secret.
  enum Origin: Hashable, Sendable {
    case command([String])
    case file(String)
  }

  /// The reason why a webhook can't be served; it never contains the secret.
  struct Failure: Error {
    var reason: String
  }

  var name: FeedName
  var kind: HookKind
  var feed: FeedName
  var secret: Origin
  /// The former secret, which is valid while senders are given the new one.
  var oldSecret: Origin?
  /// The names of the header fields with the signature and with the time, if the settings specify them.
  var signatureField: String?
  var timeField: String?
  var templates: HookTemplates?

  /// Returns the webhook with its secrets, which are read now.
  func hook() async throws(Failure) -> Hook {
    var secrets = [try await Self.secret(secret, "secret")]
    if let oldSecret { secrets.append(try await Self.secret(oldSecret, "old_secret")) }
    return hook(secrets)
  }

  /// Returns the webhook with these secrets. Without any secret, the webhook accepts no delivery.
  func hook(_ secrets: [HookSecret]) -> Hook {
    var hook = Hook(name: name, kind: kind, feed: feed, secrets: secrets)
    (hook.signatureField, hook.timeField, hook.templates) = (signatureField, timeField, templates)
    return hook
  }

  private static func secret(_ origin: Origin, _ key: String) async throws(Failure) -> HookSecret {
    let (bytes, place): (Data, String)
    switch origin {
    case .command(let command): (bytes, place) = (try await output(of: command, key), "\(key)_command")
    case .file(let path): (bytes, place) = (try content(of: path, key), "\(key)_file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(reason: "\(place) is not text in UTF-8")
    }
    // Password stores print the secret in the first line and notes after it.
    let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let secret = HookSecret(line ?? "") else {
      throw Failure(reason: "\(place) has no secret of at least \(Limits.hubHookSecretBytes) bytes")
    }
    return secret
  }

  private static func output(of command: [String], _ key: String) async throws(Failure) -> Data {
    let program = Program(
      command, environment: ProcessInfo.processInfo.environment, outputLimit: Limits.hubSecretBytes,
      deadline: .seconds(Limits.hubSecretSeconds))
    do throws(ProgramFailure) {
      return Data(try await ProgramRunner().run(program))
    } catch .ended(let status, _) {
      // The program's output could contain the secret.
      throw Failure(reason: "\(key)_command ended with status \(status)")
    } catch {
      throw Failure(reason: "\(key)_command \(error.words)")
    }
  }

  private static func content(of path: String, _ key: String) throws(Failure) -> Data {
    do throws(BoundedFile.Failure) {
      return try BoundedFile.read(path, limit: Limits.hubSecretBytes)
    } catch {
      throw Failure(reason: "\(key)_file \(path) \(error.reason)")
    }
  }
}
