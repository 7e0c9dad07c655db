import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Compares the page of commands with the commands in the program's help.
@Suite struct CommandReferenceTests {
  /// The subcommands that a help text lists.
  private static func listed(_ help: String) -> [String] {
    guard let list = help.components(separatedBy: "\nSUBCOMMANDS:\n").dropFirst().first else { return [] }
    return list.split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) }
    }
  }

  /// The help texts of all commands, those of `schedule`, `apns` and `banner` as two words, and their own as one.
  private static let helps = Result { try everyHelp() }

  private static func everyHelp() throws -> [(command: String, ran: Ran)] {
    let household = try Household()
    func help(_ words: String...) throws -> Ran { try household.run(words + ["--help"]) }
    var helps: [(command: String, ran: Ran)] = []
    for command in listed(try help().output) {
      let own = try help(command)
      helps.append((command, own))
      for name in listed(own.output) {
        let ran = try help(command, name)
        helps.append(("\(command) \(name)", ran))
      }
    }
    return helps
  }

  /// They are copied and pasted.
  @Test func noExampleIsBrokenAt80Columns() throws {
    func examples(_ help: String) -> String {
      help.components(separatedBy: "\nEXAMPLE").last?.components(separatedBy: "\nUSAGE: ").first ?? ""
    }
    let household = try Household()
    for (command, ran) in try Self.helps.get() {
      let words = command.split(separator: " ").map(String.init) + ["--help"]
      let wide = try household.run(words, environment: ["COLUMNS": "400"])
      #expect(examples(ran.output) == examples(wide.output), "\(command)")
    }
  }

  @Test func thePageHasExactlyTheCommandsAndEachOnesHelpHasExamples() throws {
    let helps = try Self.helps.get()
    for (command, ran) in helps {
      #expect(ran.exit == .status(0) && ran.output.contains(#/\nEXAMPLES?:\n/#), "\(command)")
    }
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Commands.md")
    let section = try #require(
      page.components(separatedBy: "\n## Commands\n").last?.components(separatedBy: "\n## ").first)
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("- `") }.flatMap { line in
      line.matches(of: /`([a-z]+(?: [a-z]+)*)/).map { String($0.1) }
    }
    #expect(listed.count == Set(listed).count)
    // The inbox is what reddot does without a command; what has commands of its own is none.
    let commands = helps.filter { Self.listed($0.ran.output).isEmpty }.map(\.command)
    #expect(Set(listed.map { $0 == "reddot" ? "inbox" : $0 }) == Set(commands))
  }
}
