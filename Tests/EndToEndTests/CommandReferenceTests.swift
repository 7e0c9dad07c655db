import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Compares the page of commands with the commands in the program's help.
@Suite struct CommandReferenceTests {
  /// The commands that a help text lists, in all groups.
  static func listed(_ help: String) -> [String] {
    var isList = false
    return help.split(separator: "\n").compactMap { line in
      if line.wholeMatch(of: #/[A-Z ]+:/#) != nil {
        isList = !["ARGUMENTS:", "OPTIONS:", "EXAMPLES:", "EXAMPLE:"].contains(line)
      }
      return isList ? line.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) } : nil
    }
  }

  /// The help of all commands with their complete words, including commands that only have subcommands.
  private static let helps = Result { try helps(below: "", Household()) }

  private static func helps(
    below command: String, _ household: Household
  ) throws -> [(command: String, ran: Ran)] {
    let words = command.split(separator: " ").map(String.init)
    let ran = try household.run(words + ["--help"])
    let below = try listed(ran.output).flatMap {
      try helps(below: command.isEmpty ? $0 : "\(command) \($0)", household)
    }
    return (command.isEmpty ? [] : [(command, ran)]) + below
  }

  /// Users copy and paste examples.
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
    // The inbox is the command without a name; commands with subcommands are not one.
    let commands = helps.filter { Self.listed($0.ran.output).isEmpty }.map(\.command)
    #expect(Set(listed.map { $0 == "reddot" ? "inbox" : $0 }) == Set(commands))
  }
}
