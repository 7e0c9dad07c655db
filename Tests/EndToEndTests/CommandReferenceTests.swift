import Foundation
import TerminalHarness
import Testing

/// Compares README and man page with the commands in the program's help.
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

  @Test func everyCommandHasARowInTheReadmeAndEveryRowIsACommand() throws {
    let section = try #require(try Self.text("README.md").components(separatedBy: "\n## Commands\n").last)
    let rows = section.split(separator: "\n").drop { !$0.hasPrefix("| command |") }.dropFirst(2)
      .prefix { $0.hasPrefix("| ") }
    let told = rows.flatMap { row in
      row.replacing("\\|", with: "/").split(separator: "|")[0].split(separator: "`").compactMap { text in
        // The words before the arguments.
        text.firstMatch(of: /^[a-z]+(?: [a-z]+)*/).map { String($0.0) }
      }
    }
    #expect(told.count == Set(told).count)
    // The inbox is what reddot does without a command.
    #expect(Set(told.map { $0 == "reddot" ? "inbox" : $0 }) == (try Self.commands()))
  }

  @Test func theManPageHasExactlyTheCommands() throws {
    let page = try Self.text("Resources/man/reddot.1")
    let section = try #require(
      page.components(separatedBy: "\n.SH COMMANDS\n").last?
        .components(separatedBy: "\n.SH ").first)
    let heads = section.components(separatedBy: ".TP\n").dropFirst().compactMap {
      $0.split(separator: "\n").first
    }
    let told = heads.flatMap { head -> [String] in
      let plain = head.replacing(/\\f[BIR]/, with: "")
      return plain.components(separatedBy: ", ").flatMap { text -> [String] in
        // `schedule preview|check FILE` is two commands.
        guard let match = text.firstMatch(of: /^([a-z]+)(?: ([a-z|]+))?/) else { return [] }
        return match.2.map { $0.split(separator: "|").map { "\(match.1) \($0)" } } ?? [String(match.1)]
      }
    }
    #expect(told.count == Set(told).count)
    #expect(Set(told + ["inbox"]) == (try Self.commands()))
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
