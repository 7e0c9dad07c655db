import App
import ArgumentParser

/// Suggests a command for a misspelled one.
enum NearestCommand {
  /// - Returns: nil if the first word is a command or an option: then something else is wrong.
  static func sentence(for arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), !names.contains(word), word != "help" else {
      return nil
    }
    guard let nearest = names.min(by: { distance($0, word) < distance($1, word) }) else { return nil }
    return
      "\"\(SafeOutput.line(word))\" isn't a command; did you mean \"\(nearest)\"? reddot --help lists them"
  }

  private static let names: [String] = Reddot.configuration.subcommands
    .filter { $0.configuration.shouldDisplay }
    .map { $0.configuration.commandName ?? String(describing: $0).lowercased() }

  /// The edit distance: inserted, removed and changed letters.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased().prefix(64)), Array(b.lowercased().prefix(64)))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
