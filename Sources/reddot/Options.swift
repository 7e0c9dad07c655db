import ArgumentParser

/// The options of every command for its files.
struct FileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Keep the messages in this file.", valueName: "file"))
  var database: String?
}
