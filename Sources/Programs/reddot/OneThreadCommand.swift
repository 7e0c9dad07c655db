import ArgumentParser
import Platform

/// An asynchronous command that can run on the main thread alone, if the system gives this process no other thread:
/// prompts and hooks must not fail or hang then. Requests to servers may fail then.
protocol OneThreadCommand: AsyncParsableCommand {
  /// Whether the command runs on one thread with these options.
  var needsOneThread: Bool { get }
}

extension OneThreadCommand {
  var needsOneThread: Bool { true }
}

enum CommandThreads {
  /// Runs a command on the threads that it needs.
  ///
  /// - Throws: `ThreadFailure` if there are too few, and the command's error.
  @MainActor
  static func run(_ command: any ParsableCommand) async throws {
    guard let given = command as? any AsyncParsableCommand else {
      var command = command
      return try command.run()
    }
    // Only this task uses it.
    nonisolated(unsafe) var command = given
    if let single = command as? any OneThreadCommand, single.needsOneThread {
      try await withTaskExecutorPreference(MainThread.executor) { try await command.run() }
    } else {
      try SystemThread.checkThatThereAreMany()
      try await command.run()
    }
  }
}
