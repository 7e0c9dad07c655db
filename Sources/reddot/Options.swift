import ArgumentParser

/// The options of every command for its files.
struct FileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Keep the messages in this file.", valueName: "file"))
  var database: String?

  var given: GivenFiles { GivenFiles(config: config, database: database) }
}

/// The files of a command that its arguments name; nil for those of the XDG folders.
struct GivenFiles {
  var config: String?
  var database: String?
}
