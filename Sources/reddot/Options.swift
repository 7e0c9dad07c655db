import ArgumentParser

/// Files that every command may be pointed at.
struct FileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Keep the messages in this file.", valueName: "file"))
  var database: String?
}
