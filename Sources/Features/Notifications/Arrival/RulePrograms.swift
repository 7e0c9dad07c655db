import Basics
import Foundation
import Messages
import Platform
package import Profile
import Settings
package import Storage

/// Runs the programs of rules: one at a time, each with one message as JSON on standard input.
package struct RulePrograms: Sendable {
  private let commands: [String: [String]]
  private let environment: [String: String]
  private let programs: ProgramRunner
  private let printer: MessagePrinter
  private let now: @Sendable () -> Date

  package init(_ profile: Profile) {
    let rules = profile.settings.rules.filter { $0.rule != nil }
    commands = Dictionary(rules.map { ($0.name, $0.command) }, uniquingKeysWith: { first, _ in first })
    environment = profile.environment.variables
    programs = profile.environment.programs
    printer = MessagePrinter(profile)
    now = profile.environment.now
  }

  /// Runs the programs of rules for all messages that still wait for this, whichever process stored the
  /// messages. If another process is running such programs, all are left to that process.
  ///
  /// - Returns: a sentence for each failure.
  package func runWaiting(in store: Store) async -> [String] {
    var troubles: [String] = []
    do {
      while !(try await waiting(in: store)).isEmpty, let lock = try store.tryLock(.ruleRuns) {
        defer { lock.release() }
        for run in try await store.inBackground({ store throws(StoreFailure) in
          try store.rules.dropAbandonedRuns()
        }) {
          troubles.append(
            "the program of the rule \"\(run.rule)\" was cut off at message \(run.message.rawValue)")
        }
        while let run = try await waiting(in: store).first {
          guard try await perform(run, in: store, &troubles) else { return troubles }
        }
      }
    } catch {
      troubles.append("rules: \((error as? any UserFacingError)?.sentence ?? "\(error)")")
    }
    return troubles
  }

  private func waiting(in store: Store) async throws -> [RuleRun] {
    try await store.inBackground { store throws(StoreFailure) in try store.rules.waitingRuns(limit: 1) }
  }

  /// Runs the program of a rule for a message, unless another process has claimed the run.
  ///
  /// - Returns: `false` if this process is ending.
  private func perform(_ run: RuleRun, in store: Store, _ troubles: inout [String]) async throws -> Bool {
    let now = now()
    let message = try await store.inBackground { store throws(StoreFailure) in
      try store.rules.claim(run, at: now) ? try store.messages.find(run.message) : nil
    }
    var isCancelled = false
    if let message, let command = commands[run.rule], !command.isEmpty {
      var program = Program(
        command, environment: environment, outputLimit: Limits.featureOutputBytes,
        deadline: Limits.ruleProgramTime)
      program.input = Array((printer.json(message) + "\n").utf8)
      do throws(ProgramFailure) {
        _ = try await programs.run(program)
      } catch {
        isCancelled = error == .cancelled
        if !isCancelled {
          troubles.append("the program of the rule \"\(run.rule)\" \(error.words)")
        }
      }
    }
    if !isCancelled {
      try await store.inBackground { store throws(StoreFailure) in try store.rules.removeRun(run) }
    }
    return !isCancelled
  }
}
