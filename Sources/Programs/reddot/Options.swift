import ArgumentParser
import Platform

/// The options that name the files of settings and messages, which every command has.
struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Read the settings from this file.", valueName: "file"), transform: WholePath.absolute)
  var config: String?

  @Option(
    help: ArgumentHelp("Keep the messages in this file.", valueName: "file"), transform: WholePath.resolved)
  var database: String?
}
