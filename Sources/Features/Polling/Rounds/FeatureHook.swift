import Basics
import Messages
import Notifications
import Platform
package import Profile
import Settings
package import Storage

/// Runs a source's `feature_command` for each feature that the source has turned on or off.
package struct FeatureHook: Sendable {
  /// The program of `feature_command` and its arguments, by source.
  private var commands: [SourceID: [String]] = [:]
  private var environment: [String: String]
  private let programs: ProgramRunner
  /// A clock that never goes back, with any origin.
  private let uptime: @Sendable () -> Duration

  package init(_ profile: Profile, uptime: (@Sendable () -> Duration)? = nil) {
    self.uptime = uptime ?? profile.environment.timer.stopwatch()
    environment = profile.environment.variables
    programs = profile.environment.programs
    for entry in profile.settings.sources {
      let command = entry.featureCommand
      if command.isEmpty { continue }
      for source in profile.sources where source.name == entry.name { commands[source.id] = command }
    }
  }

  /// Runs the command for all pending changes of features, including those of other processes, in their order. If
  /// another process is running the command, the changes are left to that process.
  ///
  /// - Returns: one sentence for each failure.
  package func runWaiting(in store: Store) async -> [String] {
    var troubles: [String] = []
    let end = uptime() + Limits.featureTimeInAll
    do {
      // If the lock is taken, the changes are left to its holder, which checks again after releasing it.
      while !(try await waiting(in: store)).isEmpty, let lock = try store.tryLock(.featureCalls) {
        defer { lock.release() }
        let (new, isFinished) = try await run(try await waiting(in: store), until: end) { ended in
          try await store.inBackground { store throws(StoreFailure) in try store.features.removeCalls(ended) }
        }
        troubles += new
        if !isFinished { break }
      }
    } catch {
      troubles.append("feature_command: \((error as? any UserFacingError)?.sentence ?? "\(error)")")
    }
    return troubles
  }

  /// Returns the changes for which the command has not been run.
  private func waiting(in store: Store) async throws -> [FeatureCall] {
    try await store.inBackground { store throws(StoreFailure) in try store.features.waitingCalls() }
  }

  /// Runs the command with three arguments for each change, one change after another: `on` or `off`, the
  /// feature's name, and its data as JSON (`null` if there is none).
  ///
  /// - Parameters:
  ///   - end: the `uptime` after which no more commands are started; `nil` for no limit.
  ///   - ended: called with each change that must not be run again.
  /// - Returns: one sentence for each failure; and `false` for `isFinished` if this process is ending, so
  ///   that the remaining changes, and the one whose command was ended, are run later.
  func run(
    _ calls: [FeatureCall], until end: Duration? = nil, ended: ([FeatureCall]) async throws -> Void
  ) async throws -> (troubles: [String], isFinished: Bool) {
    var troubles: [String] = []
    var failures = 0
    var runs: [SourceID: Int] = [:]
    var (rest, late) = (0, 0)
    var passed: [FeatureCall] = []
    for call in calls {
      guard let command = commands[call.source] else {
        passed.append(call)
        continue
      }
      guard runs[call.source, default: 0] < Limits.featureRunsPerPoll else {
        rest += 1
        passed.append(call)
        continue
      }
      if let end, uptime() >= end {
        late += 1
        passed.append(call)
        continue
      }
      runs[call.source, default: 0] += 1
      let failure = await run(command, call.change)
      if failure == .cancelled { return (troubles, false) }
      if let failure {
        failures += 1
        if failures <= Limits.featureFailures { troubles.append(Self.sentence(failure, call.change)) }
      }
      try await ended([call])
    }
    try await ended(passed)
    if failures > Limits.featureFailures {
      troubles.append("feature_command failed for \(failures - Limits.featureFailures) more features")
    }
    if late > 0 {
      troubles.append(
        "feature_command is not run for \(late) more features: it took "
          + "\(Limits.featureTimeInAll.components.seconds) s for those before")
    }
    if rest > 0 { troubles.append("feature_command is not run for \(rest) more features of the same poll") }
    return (troubles, true)
  }

  private enum Failure: Hashable {
    /// `hyphen`: the feature's name begins with a hyphen, so the command isn't run.
    case cancelled, hyphen
    case program(String)
  }

  /// Runs the command for one change, and returns the failure, or `nil` if it succeeded.
  private func run(_ command: [String], _ change: FeatureChange) async -> Failure? {
    // A program would read such a name as an option.
    guard change.name.utf8.first != UInt8(ascii: "-") else { return .hyphen }
    // Arguments after the code of `sh -c` become $1, $2, $3.
    let isShell = command.count == 3 && command.starts(with: ["/bin/sh", "-c"])
    let words = [change.isEnabled ? "on" : "off", change.name, change.data ?? "null"]
    let program = Program(
      command + (isShell ? ["reddot"] : []) + words, environment: environment,
      outputLimit: Limits.featureOutputBytes, deadline: Limits.featureTime)
    do throws(ProgramFailure) {
      _ = try await programs.run(program)
      return nil
    } catch {
      return error == .cancelled ? .cancelled : .program(error.words)
    }
  }

  private static func sentence(_ failure: Failure, _ change: FeatureChange) -> String {
    switch failure {
    case .cancelled: ""
    case .hyphen: "feature_command is not run for the feature \(change.name): its name begins with a hyphen"
    case .program(let words): "feature_command for the feature \(change.name) \(words)"
    }
  }
}
