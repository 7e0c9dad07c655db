import Limits
import Messages
import Programs
import Storage

/// Runs the program that a source's settings name for each feature that the source switched (section 7).
struct FeatureHook: Sendable {
  /// Program and arguments, by source.
  private var commands: [SourceID: [String]] = [:]
  private var environment: [String: String]
  private let programs: ProgramRunner

  init(_ workspace: Workspace) {
    environment = workspace.surroundings.environment
    programs = workspace.surroundings.programs
    let settings = Dictionary(
      workspace.settings.sources.map { ($0.name, $0.featureCommand) }, uniquingKeysWith: { first, _ in first }
    )
    for source in workspace.sources {
      if let command = settings[source.name], !command.isEmpty { commands[source.id] = command }
    }
  }

  /// Runs it for what time and channels switched.
  func run(_ due: [(source: SourceID, change: FeatureChange)]) async -> [String] {
    var troubles: [String] = []
    for (source, change) in due { troubles += await run([change], of: source) }
    return troubles
  }

  /// Runs it with `on` or `off`, the feature's name, and its data as JSON (`null` without), one argument each: one after
  /// the other, in the order in which the features were switched.
  ///
  /// - Returns: what went wrong, a line each.
  func run(_ changes: [FeatureChange], of source: SourceID) async -> [String] {
    guard let command = commands[source] else { return [] }
    var troubles: [String] = []
    for change in changes.prefix(Limits.featureRunsPerPoll) {
      // A program would take such a name for one of its options.
      guard !change.name.hasPrefix("-") else {
        troubles.append(
          "feature_command is not run for the feature \(change.name): its name begins with a hyphen")
        continue
      }
      // What follows a shell's text is its $1, $2, $3.
      let isShell = command.count == 3 && command.starts(with: ["/bin/sh", "-c"])
      let words = [change.isEnabled ? "on" : "off", change.name, change.data ?? "null"]
      let program = Program(
        command + (isShell ? ["reddot"] : []) + words, environment: environment,
        outputLimit: Limits.featureOutputBytes, deadline: Limits.featureTime)
      do throws(ProgramFailure) {
        _ = try await programs.run(program)
      } catch {
        troubles.append("feature_command for the feature \(change.name) \(error.words)")
        if error == .cancelled { break }
      }
    }
    let rest = changes.count - Limits.featureRunsPerPoll
    if rest > 0 { troubles.append("feature_command is not run for \(rest) more features of the same poll") }
    return troubles
  }
}
