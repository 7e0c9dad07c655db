import ArgumentParser
import Basics
import Foundation
import Markup
import Messages
import Platform
import Profile
import Words

/// `reddot help` and `reddot help TOPIC`. The parser's own `help COMMAND` stays what it is.
struct HelpCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "help-page", abstract: "A page of the manual.", shouldDisplay: false)

  @Argument(completion: .topics) var topic: HelpTopic?

  /// The arguments by which this command is run, if they ask for a page.
  static func words(for arguments: [String]) -> [String]? {
    guard arguments.first == "help", arguments.count < 3 else { return nil }
    guard arguments.count == 2 else { return [configuration.commandName ?? ""] }
    return HelpTopic(rawValue: arguments[1]).map { [configuration.commandName ?? "", $0.rawValue] }
  }

  /// Why `reddot help WORD` shows nothing; `nil` if the word is a topic or a command.
  static func mistake(in arguments: [String]) -> String? {
    guard arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
    let word = arguments[1]
    let topics = HelpTopic.allCases.map(\.rawValue)
    if topics.contains(word) || NearestCommand.isCommand(word) { return nil }
    let meant = NearestName.question(word, in: topics + NearestCommand.names)
    return
      "\"\(SafeOutput.line(word))\" is neither a page of the manual nor a command\(meant.isEmpty ? ";" : meant)"
      + " reddot help lists the pages"
  }

  func run() async throws {
    guard let topic else {
      for line in Self.topics { try Answer.print(line) }
      return
    }
    let environment = Composition.environment()
    let size = OutputTerminal.size
    let lines = HelpPage.lines(
      topic.text, columns: size?.columns ?? 80, theme: environment.isUTF8 ? .standard : .ascii)
    if let size, lines.count >= size.rows {
      return try await Self.page(lines, variables: environment.variables)
    }
    for line in lines { try Answer.print(line) }
  }

  private static var topics: [String] {
    let width = HelpTopic.allCases.map(\.rawValue.count).max() ?? 0
    let rows = HelpTopic.allCases.flatMap { topic in
      var lines = ["  " + topic.rawValue.padding(toLength: width, withPad: " ", startingAt: 0) + " "]
      for word in HelpTopic.summary(of: topic.text).split(exactly: " ") {
        if lines[lines.count - 1].count + word.count + 1 > 80 {
          lines.append(String(repeating: " ", count: width + 3))
        }
        lines[lines.count - 1] += " \(word)"
      }
      return lines
    }
    return ["The manual:"] + rows + [
      "",
      "reddot help TOPIC shows a page; man reddot-TOPIC too.",
      "reddot help COMMAND shows the options of a command; reddot --help lists them.",
    ]
  }

  /// Shows the lines in `PAGER`, else in less or more.
  private static func page(_ lines: [String], variables: [String: String]) async throws {
    var variables = variables
    // An editor is for a message that one keeps.
    variables["EDITOR"] = nil
    let pager = Pager(environment: variables)
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    let program = try pager.start(text, file: URL(fileURLWithPath: "/dev/null"))
    // They are the pager's, which reads the terminal until it ends.
    for signal in [SIGINT, SIGQUIT] { Foundation.signal(signal, SIG_IGN) }
    if let failure = await program.ending().failure() {
      throw Complaint("the pager \(pager.name) \(failure.words); set PAGER to another, or to cat")
    }
  }
}

extension HelpTopic: ExpressibleByArgument {}
