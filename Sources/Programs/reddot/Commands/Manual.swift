import ArgumentParser
import Foundation
import Platform
import Settings
import Words

/// `reddot manual`: the tables of keys and settings and the sample, for `Resources/write-tables`, and the man pages.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the table of keys and their names in the settings.",
    discussion: """
      EXAMPLES:
        reddot manual
        reddot help keys
      """,
    shouldDisplay: false)

  @Flag(help: ArgumentHelp("The table of settings instead.", visibility: .hidden)) var settings = false
  @Flag(help: ArgumentHelp("The sample of a settings file instead.", visibility: .hidden)) var sample = false
  @Option(
    help: ArgumentHelp(
      "Write the man pages into a folder instead.", valueName: "folder", visibility: .hidden),
    completion: .directory, transform: WholePath.absolute)
  var man: String?

  func run() throws {
    if let man { return try Self.writeManPages(into: man) }
    let page =
      if sample {
        SettingsReference.sample
      } else if settings {
        SettingsReference.markdown
      } else {
        // The manual is in English.
        KeyReference.markdown(words: Words.inLanguage("en"))
      }
    try Answer.print(page, terminator: "")
  }

  /// Writes each page into the folder of its section, such as `man1`, where `man` finds it.
  private static func writeManPages(into folder: String) throws {
    for topic in HelpTopic.allCases {
      let (name, section) = topic.manual
      let directory = "\(folder)/man\(section)"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data(topic.manPage(version: Composition.version).utf8).write(
        to: URL(filePath: "\(directory)/\(name).\(section)"), options: .atomic)
    }
  }
}
