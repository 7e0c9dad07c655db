import ArgumentParser
import Platform
import Workspace

/// Suggests a command for a misspelled one.
enum NearestCommand {
  /// - Returns: nil if the first word is a command or an option: then something else is wrong.
  static func sentence(for arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), !names.contains(word), word != "help" else {
      return nil
    }
    guard let nearest = names.min(by: { EditDistance.between($0, word) < EditDistance.between($1, word) })
    else { return nil }
    return
      "\"\(SafeOutput.line(word))\" isn't a command; did you mean \"\(nearest)\"? reddot --help lists them"
  }

  private static let names: [String] = Reddot.configuration.subcommands
    .filter { $0.configuration.shouldDisplay }
    .map { $0.configuration.commandName ?? String(describing: $0).lowercased() }
}
