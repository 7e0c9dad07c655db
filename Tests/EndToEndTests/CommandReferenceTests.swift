import Foundation
import TerminalHarness
import Testing

/// Compares the page of commands with the commands in the program's help.
@Suite struct CommandReferenceTests {
  private static func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The subcommands that a help text lists.
  private static func listed(_ help: String) -> [String] {
    guard let list = help.components(separatedBy: "\nSUBCOMMANDS:\n").dropFirst().first else { return [] }
    return list.split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) }
    }
  }

  /// All commands, those of `schedule`, `apns` and `banner` as two words.
  private static func commands() throws -> Set<String> {
    let household = try Household()
    var commands: Set<String> = []
    for command in listed(try household.run("--help").output) {
      let own = listed(try household.run(command, "--help").output)
      commands.formUnion(own.isEmpty ? [command] : own.map { "\(command) \($0)" })
    }
    return commands
  }

  @Test func thePageHasExactlyTheCommands() throws {
    let page = try Self.text("Sources/reddot/Documentation.docc/Commands.md")
    let section = try #require(
      page.components(separatedBy: "\n## Commands\n").last?.components(separatedBy: "\n## ").first)
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("- `") }.flatMap { line in
      line.matches(of: /`([a-z]+(?: [a-z]+)*)/).map { String($0.1) }
    }
    #expect(listed.count == Set(listed).count)
    // The inbox is what reddot does without a command.
    #expect(Set(listed.map { $0 == "reddot" ? "inbox" : $0 }) == (try Self.commands()))
  }

  @Test func everyCommandsHelpHasExamples() throws {
    let household = try Household()
    let commands = try Self.commands()
    for command in commands.union(commands.compactMap { $0.split(separator: " ").first.map(String.init) }) {
      let ran = try household.run(command.split(separator: " ").map(String.init) + ["--help"])
      #expect(ran.exit == .status(0) && ran.output.contains(#/\nEXAMPLES?:\n/#), "\(command)")
    }
  }
}
