package import Platform

/// How the programs of `command` sources are started.
package struct CommandPrograms: Sendable {
  package var runner: ProgramRunner
  /// reddot's own environment, which theirs begins with.
  package var environment: [String: String]
  /// Their working directory: the folder of the settings file, so that `./checks` is beside it.
  package var directory: String

  package init(runner: ProgramRunner, environment: [String: String], directory: String) {
    self.runner = runner
    self.environment = environment
    self.directory = directory
  }
}
