import ArgumentParser
import Messages
import Words

/// Suggests a command for a misspelled one.
enum NearestCommand {
  /// - Returns: nil if the first words are commands or options: then something else is wrong.
  static func sentence(for arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
    guard let command = commands(of: Reddot.self).first(where: { $0.name == word })?.type else {
      return sentence(word, in: Reddot.self, "reddot")
    }
    // Without a name that is near, it may be an argument of the command itself.
    guard let second = arguments.dropFirst().first, !second.hasPrefix("-") else { return nil }
    let names = commands(of: command).map(\.name)
    guard !names.contains(second), NearestName.of(second, in: names) != nil else { return nil }
    return sentence(second, in: command, "reddot \(word)")
  }

  /// The names of the commands that are listed.
  static var names: [String] { commands(of: Reddot.self).map(\.name) }

  static func isCommand(_ word: String) -> Bool {
    word == "help" || Reddot.configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  private static func sentence(
    _ word: String, in command: any ParsableCommand.Type, _ line: String
  ) -> String {
    let nearest = NearestName.of(word, in: commands(of: command).map(\.name))
    let meant = nearest.map { "; did you mean \"\($0)\"?" } ?? ";"
    return "\"\(SafeOutput.line(word))\" isn't a command\(meant) \(line) --help lists them"
  }

  private static func commands(
    of command: any ParsableCommand.Type
  ) -> [(name: String, type: any ParsableCommand.Type)] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { ($0.configuration.commandName ?? String(describing: $0).lowercased(), $0) }
  }
}
