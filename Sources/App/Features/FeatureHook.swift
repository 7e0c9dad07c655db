import Foundation
import Messages
import Storage

/// Starts the program that a source's settings name for each feature that the source switched (section 7).
struct FeatureHook: Sendable {
  /// Program and arguments, by source.
  private var commands: [SourceID: [String]] = [:]
  private var environment: [String: String]

  init(_ workspace: Workspace) {
    environment = workspace.surroundings.environment
    let settings = Dictionary(
      workspace.settings.sources.map { ($0.name, $0.featureCommand) }, uniquingKeysWith: { first, _ in first }
    )
    for source in workspace.sources {
      if let command = settings[source.name], !command.isEmpty { commands[source.id] = command }
    }
  }

  /// Starts it with `on` or `off`, the feature's name, and its data as JSON (`null` without), one argument each; how it
  /// ends is not waited for.
  ///
  /// - Returns: what could not be started, a line each.
  func run(_ recorded: RecordedPoll, of source: SourceID) -> [String] {
    guard let command = commands[source] else { return [] }
    return recorded.features.compactMap { change in
      // A program would take such a name for one of its options.
      guard !change.name.hasPrefix("-") else {
        return "feature_command is not run for the feature \(change.name): its name begins with a hyphen"
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // What follows a shell's text is its $1, $2, $3.
      let isShell = command.count == 3 && command.starts(with: ["/bin/sh", "-c"])
      process.arguments =
        command + (isShell ? ["reddot"] : []) + [
          change.isEnabled ? "on" : "off", change.name, change.data ?? "null",
        ]
      process.environment = environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      do {
        try process.run()
        return nil
      } catch {
        return "feature_command cannot be started: \(SystemReason.words(error))"
      }
    }
  }
}
