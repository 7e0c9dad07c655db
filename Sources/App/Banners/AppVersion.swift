import Foundation
import Limits
import Messages
import Programs

/// The version that `appVersionLessThan` compares with: the source's, or what its command prints, or reddot's own.
struct AppVersion: Sendable {
  private let workspace: Workspace
  private let deadline: Duration

  init(_ workspace: Workspace, deadline: Duration = Limits.versionTime) {
    self.workspace = workspace
    self.deadline = deadline
  }

  func resolve(_ source: Source) async -> (text: String, failure: StageFailure?) {
    if let version = source.appVersion { return (version, nil) }
    let own = workspace.surroundings.version
    let command = workspace.settings.sources.first { $0.name == source.name }?.appVersionCommand ?? []
    guard !command.isEmpty else { return (own, nil) }
    let surroundings = workspace.surroundings
    let program = Program(
      command, environment: surroundings.environment, outputLimit: Limits.versionOutputBytes,
      deadline: deadline)
    do throws(ProgramFailure) {
      let text = String(decoding: try await surroundings.programs.run(program), as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
        .first { !$0.isEmpty }
      return line.map { ($0, nil) } ?? (own, .appVersion(source: source.name, reason: "printed nothing"))
    } catch {
      return (own, .appVersion(source: source.name, reason: error.words))
    }
  }
}
