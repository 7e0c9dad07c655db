import Screen

/// The table of commands as text, for the README and the man page.
package enum KeyReference {
  /// A Markdown table: keys, name in the settings, what it does.
  package static func markdown(words: Words) -> String {
    var lines = ["| key | command | |", "|---|---|---|"]
    for command in Command.allCases {
      let keys = command.row.keys.map { "`\($0)`" }.joined(separator: " ")
      lines.append("| \(keys) | `\(command.rawValue)` | \(words.help(command).text) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Paragraphs of the man page's section on keys (man(7)).
  package static func manual(words: Words) -> String {
    var lines = ["The name in italics is the command's in the settings' \\fB[keys]\\fR."]
    for command in Command.allCases {
      let keys = command.row.keys.map { "\\fB\(ManPage.escaped($0))\\fR" }.joined(separator: ", ")
      lines += [".TP", keys, "\(ManPage.escaped(words.help(command).text)) (\\fI\(command.rawValue)\\fR)."]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Text of a man page (man(7)).
package enum ManPage {
  package static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
