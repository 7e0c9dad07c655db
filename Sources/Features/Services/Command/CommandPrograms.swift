package import Platform

/// The means to run the programs of `command` sources.
package struct CommandPrograms: Sendable {
  package var runner: ProgramRunner
  /// The environment of reddot, to which variables for the program are added.
  package var environment: [String: String]
  /// The working directory: the folder of the settings file, so that `./checks` is a program next to that file.
  package var directory: String

  package init(runner: ProgramRunner, environment: [String: String], directory: String) {
    self.runner = runner
    self.environment = environment
    self.directory = directory
  }
}
