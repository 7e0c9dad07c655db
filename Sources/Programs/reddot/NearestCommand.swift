import ArgumentParser
import Messages
import Words

/// Suggests a command for a misspelled one.
enum NearestCommand {
  /// Returns a sentence about the first word that is not a command.
  ///
  /// - Returns: `nil` if the first words are commands or options: then something else is wrong.
  static func sentence(for arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), first != "help" else { return nil }
    var (command, line): (any ParsableCommand.Type, String) = (Reddot.self, "reddot")
    for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
      let known = commands(of: command)
      if let next = known.first(where: { $0.name == word }) {
        (command, line) = (next.type, "\(line) \(word)")
        continue
      }
      // If no name is similar, it may be an argument of the command itself.
      let isMeant = line == "reddot" || NearestName.of(word, in: known.map(\.name)) != nil
      return isMeant ? sentence(word, in: command, line) : nil
    }
    return nil
  }

  /// The names of the commands that the help lists.
  static var names: [String] { commands(of: Reddot.self).map(\.name) }

  static func isCommand(_ word: String) -> Bool {
    word == "help" || Reddot.configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  private static func sentence(
    _ word: String, in command: any ParsableCommand.Type, _ line: String
  ) -> String {
    let nearest = NearestName.of(word, in: commands(of: command).map(\.name))
    let meant = nearest.map { "; did you mean \"\($0)\"?" } ?? ";"
    return "\"\(SafeOutput.line(word))\" is not a command\(meant) \(line) --help lists them"
  }

  private static func commands(
    of command: any ParsableCommand.Type
  ) -> [(name: String, type: any ParsableCommand.Type)] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { ($0.configuration.commandName ?? String(describing: $0).lowercased(), $0) }
  }
}
