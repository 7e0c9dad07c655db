import ArgumentParser
import Interface

/// `reddot manual`: the key table as Markdown, for the README and the man page.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the table of keys and their names in the settings.", shouldDisplay: true)

  func run() {
    print("| key | command | |")
    print("|---|---|---|")
    for command in Command.allCases {
      let keys = command.row.keys.map { "`\($0)`" }.joined(separator: " ")
      print("| \(keys) | `\(command.rawValue)` | \(command.row.help) |")
    }
  }
}
