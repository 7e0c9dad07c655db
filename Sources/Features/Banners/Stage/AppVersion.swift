import Basics
import Foundation
import Messages
import Platform
import Profile
import Settings

/// Finds the version that the condition `appVersionLessThan` uses: that of the source's settings, otherwise the output
/// of the source's command, otherwise reddot's own.
package struct AppVersion: Sendable {
  private let profile: Profile
  private let deadline: Duration

  init(_ profile: Profile, deadline: Duration = Limits.versionTime) {
    self.profile = profile
    self.deadline = deadline
  }

  /// Returns the sentence for the log about a source's command that returned no version.
  package static func missing(_ source: String, _ reason: String) -> String {
    "\(source): app_version_command \(reason); reddot's own version is used"
  }

  /// Returns the version for a source.
  ///
  /// - Returns: the version, and the reason why the command failed, if it did.
  func resolve(_ source: Source) async -> (text: String, failure: String?) {
    if let version = source.appVersion { return (version, nil) }
    let own = profile.environment.version
    let command = profile.settings.sources.first { $0.name == source.name }?.appVersionCommand ?? []
    guard !command.isEmpty else { return (own, nil) }
    let environment = profile.environment
    let program = Program(
      command, environment: environment.variables, outputLimit: Limits.versionOutputBytes,
      deadline: deadline)
    do throws(ProgramFailure) {
      let text = String(decoding: try await environment.programs.run(program), as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
        .first { !$0.isEmpty }
      return line.map { ($0, nil) } ?? (own, "printed nothing")
    } catch {
      return (own, error.words)
    }
  }
}
