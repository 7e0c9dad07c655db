import ArgumentParser
import Basics
import Foundation
import Markup
import Messages
import Platform
import Profile
import Screen
import Words

/// `reddot help` and `reddot help TOPIC`. The parser's own `help COMMAND` is unchanged.
struct HelpCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "help-page", abstract: "Show a page of the manual.", shouldDisplay: false)

  @Argument(completion: .topics) var topic: HelpTopic?

  /// Returns the arguments that run this command, or `nil` if the given arguments request no page.
  static func words(for arguments: [String]) -> [String]? {
    guard arguments.first == "help", arguments.count < 3 else { return nil }
    guard arguments.count == 2 else { return [configuration.commandName ?? ""] }
    return HelpTopic.named(arguments[1]).map { [configuration.commandName ?? "", $0.rawValue] }
  }

  /// Returns the reason why `reddot help WORD` shows nothing, or `nil` if the word is a topic or a command.
  static func mistake(in arguments: [String]) -> String? {
    guard arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
    let word = arguments[1]
    let topics = HelpTopic.allCases.map(\.rawValue)
    if HelpTopic.named(word) != nil || NearestCommand.isCommand(word) { return nil }
    let meant = NearestName.question(word, in: topics + NearestCommand.names)
    return
      "\"\(SafeOutput.line(word))\" is neither a page of the manual nor a command\(meant.isEmpty ? ";" : meant)"
      + " reddot help lists the pages"
  }

  func run() async throws {
    let environment = Composition.environment()
    let styles = OutputStyles(environment)
    guard let topic else { return try Answer.print(Self.topics, styles) }
    let size = OutputTerminal.size
    let lines = HelpPage.lines(
      topic.text, columns: size?.columns ?? 80, theme: environment.isUTF8 ? .standard : .ascii)
    if let size, lines.count >= size.rows {
      return try await Self.page(lines, styles, variables: environment.variables)
    }
    try Answer.print(lines, styles)
  }

  /// The list of topics, each with a summary.
  private static var topics: [StyledText] {
    let width = HelpTopic.allCases.map(\.rawValue.count).max() ?? 0
    let rows = HelpTopic.allCases.flatMap { topic in
      StyledText(SafeText(untrusted: HelpTopic.summary(of: topic.text))).wrapped(to: 80 - width - 4)
        .enumerated().map { index, line in
          let name: SafeText = index == 0 ? SafeText(untrusted: topic.rawValue) : .empty
          return StyledText("  \(name.padded(to: width))  ", style: Style(attributes: .bold, roles: .key))
            + line
        }
    }
    return [StyledText("The manual:", style: .bold)] + rows
      + [
        "",
        "reddot help TOPIC shows a page; man reddot-TOPIC too.",
        "reddot help COMMAND shows the options of a command; reddot --help lists them.",
      ].map { StyledText($0) }
  }

  /// Shows the lines in `PAGER`, or in less or more if it is not set.
  private static func page(
    _ lines: [StyledText], _ styles: OutputStyles, variables: [String: String]
  ) async throws {
    var variables = variables
    // An editor is for messages that the user wants to keep.
    variables["EDITOR"] = nil
    let pager = Pager(environment: variables)
    let text = Array(lines.map { (pager.showsStyles ? styles.text($0) : $0.plain) + "\n" }.joined().utf8)
    let program = try pager.start(text, file: URL(fileURLWithPath: "/dev/null"))
    // These signals are the pager's, which reads the terminal until it exits.
    for signal in [SIGINT, SIGQUIT] { Foundation.signal(signal, SIG_IGN) }
    if let failure = await program.ending().failure() {
      throw Complaint("the pager \(pager.name) \(failure.words); set PAGER to another, or to cat")
    }
  }
}

extension HelpTopic: ExpressibleByArgument {}
