import Messages

/// A command with its argument: the input of its prompt, a number, or one of a few names.
package struct CommandCall: Hashable, Sendable {
  /// The reason why a string is not a command with a valid argument.
  package enum Problem: Error, Hashable, Sendable {
    case unknown(String, nearest: String?)
    /// There is text after a command that takes none.
    case takesNothing(Command)
    case notANumber(String, Command)
    /// The text is none of the names that the command accepts.
    case notAllowed(String, Command, allowed: [String], nearest: String?)
  }

  package var command: Command
  /// The argument; empty if there is none.
  package var argument: String

  package init(_ command: Command, _ argument: String = "") {
    (self.command, self.argument) = (command, argument)
  }

  /// Reads the name of a command, in any case and with spaces or hyphens for underscores, and the text after it.
  package static func parse(_ text: String) -> Result<CommandCall, Problem> {
    let (name, argument) = parts(of: text)
    guard let command = Command(rawValue: name) else {
      return .failure(.unknown(name, nearest: NearestName.of(name, in: Command.allCases.map(\.rawValue))))
    }
    return check(command, argument)
  }

  /// Returns the command that the text begins with, and the rest as its argument. Returns `nil` if there is no such
  /// command, or if it takes no argument.
  package static func beginning(of text: String) -> CommandCall? {
    let (name, argument) = parts(of: text)
    guard let command = Command(rawValue: name), command.argument != .nothing else { return nil }
    return CommandCall(command, argument)
  }

  private static func check(_ command: Command, _ argument: String) -> Result<CommandCall, Problem> {
    if argument.isEmpty { return .success(CommandCall(command)) }
    switch command.argument {
    case .text: break
    case .nothing: return .failure(.takesNothing(command))
    case .number:
      guard let number = Int(argument), (1...99_999).contains(number) else {
        return .failure(.notANumber(argument, command))
      }
    case .oneOf(let names):
      let meant = argument.lowercased()
      guard names.contains(meant) else {
        return .failure(
          .notAllowed(argument, command, allowed: names, nearest: NearestName.of(meant, in: names)))
      }
      return .success(CommandCall(command, meant))
    }
    return .success(CommandCall(command, argument))
  }

  /// Splits a string into the name of a command and its argument.
  private static func parts(of text: String) -> (name: String, argument: String) {
    let parts = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    let name = String((parts.first ?? "").lowercased().map { $0 == "-" ? "_" : $0 })
    var argument = parts.count > 1 ? parts[1][...] : ""
    while argument.last?.isWhitespace == true { argument.removeLast() }
    return (name, String(argument.drop(while: \.isWhitespace)))
  }

  /// The text in the form in which a user types it.
  package var text: String { argument.isEmpty ? command.rawValue : command.rawValue + " " + argument }
}

extension Command {
  /// The kind of text that may follow the command's name.
  package enum Argument: Hashable, Sendable {
    case nothing
    /// Any text that the command's prompt accepts.
    case text
    /// The number that is otherwise typed before the command's key.
    case number
    case oneOf([String])
  }

  package var argument: Argument {
    switch self {
    case .snooze, .quiet, .pipe, .save, .search, .searchAll, .saveSearch, .find, .addSource, .importFeeds:
      .text
    case .openLink, .copyLink: .number
    case .sort: .oneOf(ListOrder.allCases.map(\.rawValue))
    case .sortSources: .oneOf(["file", "name", "unread"])
    case _: .nothing
    }
  }
}

extension CommandCall.Problem {
  /// The error in English, for the settings.
  package var sentence: String {
    switch self {
    case .unknown(let name, let nearest):
      "\"\(name)\" is not a command\(Self.question(nearest)); run reddot help keys to list the commands"
    case .takesNothing(let command): "\"\(command.rawValue)\" takes no value"
    case .notANumber(let text, let command):
      "\"\(command.rawValue)\" takes a number, not \"\(text)\""
    case .notAllowed(let text, let command, let allowed, let nearest):
      "\"\(command.rawValue)\" takes \(allowed.joined(separator: ", ")), not \"\(text)\"\(Self.question(nearest))"
    }
  }

  private static func question(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }
}
