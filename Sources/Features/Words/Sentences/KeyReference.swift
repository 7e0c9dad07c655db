import Screen

/// The table of commands as text, for the page about keys.
package enum KeyReference {
  /// Returns a Markdown table of keys, names in the settings, and descriptions.
  package static func markdown(words: Words) -> String {
    var lines = ["| key | command | |", "|---|---|---|"]
    for command in Command.allCases {
      let keys = command.row.keys.map { "`\($0)`" }.joined(separator: " ")
      lines.append("| \(keys) | `\(command.rawValue)` | \(words.help(command).text) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
