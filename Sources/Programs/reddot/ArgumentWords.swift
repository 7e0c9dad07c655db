import ArgumentParser
import Messages
import Words

/// Prepares the arguments for the argument parser.
enum ArgumentWords {
  private static let fileOptions: Set = ["--config", "--database"]

  /// Orders the words for the parser, which accepts the options of a command only after the command's name. The user
  /// may also write the options for files before the name.
  static func ordered(_ words: [String]) -> [String] {
    var path: [String] = []
    var options: [String] = []
    var commands = Reddot.configuration.subcommands
    var rest = words[...]
    if rest.first == "help" { return ["help"] + CommandGroups.current(Array(rest.dropFirst())) }
    while let word = rest.first {
      if fileOptions.contains(word), rest.count > 1 {
        options += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if fileOptions.contains(where: { word.hasPrefix($0 + "=") }) {
        options.append(word)
        rest = rest.dropFirst()
      } else if path.isEmpty, CommandGroups.moved.contains(word) {
        path.append("publisher")
        commands = PublisherCommand.configuration.subcommands
      } else if let command = commands.first(where: { $0.configuration.commandName == word }) {
        path.append(word)
        commands = command.configuration.subcommands
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return path + options + rest
  }

  /// Returns the reason why a word before `--` is not an option, or `nil` if there is no such word. The parser would
  /// read the letters of `-host down` as options, of which `-h` prints the help.
  static func mistake(in words: [String]) -> String? {
    // The words after the program's name belong to that program.
    let end = words.first == "run" ? 0 : words.firstIndex(of: "--") ?? words.endIndex
    for (place, word) in words[..<end].enumerated()
    where word.hasPrefix("-") && !word.hasPrefix("--") && word.utf8.count > 1 && word != "-h" {
      let before = place > 0 ? words[place - 1] : ""
      if optionsWithDashes.contains(before) { continue }
      let value = before.hasPrefix("--") ? ", or \(SafeOutput.line(before))=\"\(SafeOutput.line(word))\"" : ""
      return
        "\"\(SafeOutput.line(word))\" begins with a dash and is not an option; write -- in front of it\(value)"
    }
    return nil
  }

  /// The options whose value may begin with a dash.
  private static let optionsWithDashes: Set = ["--query"]

  /// Splits `--option=value` into two arguments with the same meaning if a combining mark follows the `=`: the parser
  /// searches for `=` as a grapheme, and would not find it. Also joins ids, as `joined` does.
  static func split(_ words: [String]) -> [String] {
    // The arguments of `run` belong to another program.
    let end = words.first == "run" ? 0 : words.firstIndex(of: "--") ?? words.endIndex
    return joined(words[..<end].flatMap(split) + words[end...])
  }

  /// Joins consecutive ids into one list, `42,43`, for commands with lists of ids. The parser's time grows with the
  /// square of the number of arguments: 7 s for 20,000 ids.
  private static func joined(_ words: [String]) -> [String] {
    guard words.count > fewest, let command = words.firstIndex(where: { commandsWithIDs.contains($0) }) else {
      return words
    }
    var result = Array(words[...command])
    var rest = words[(command + 1)...]
    while let word = rest.popFirst() {
      result.append(word)
      // This word may be the value of an option.
      guard isID(word) else { continue }
      let ids = rest.prefix(while: isID)
      rest = rest.dropFirst(ids.count)
      if ids.count > fewest { result.append(ids.joined(separator: ",")) } else { result += ids }
    }
    return result
  }

  private static let commandsWithIDs: Set = ["mark", "show"]
  /// The number of words up to which ids are not joined.
  private static let fewest = 50

  private static func isID(_ word: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (1...18).contains(word.utf8.count) && word.utf8.allSatisfy(digits.contains)
  }

  private static func split(_ word: String) -> [String] {
    let scalars = word.unicodeScalars
    guard word.utf8.starts(with: "--".utf8), let place = scalars.firstIndex(of: "="),
      place != word.firstIndex(of: "=")
    else { return [word] }
    let value = String(scalars[scalars.index(after: place)...])
    return [String(scalars[..<place]), value]
  }
}
