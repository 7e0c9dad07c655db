import ArgumentParser

/// The commands that run most often, from prompts, bars and cron, recognised without the argument parser: that looks through
/// all commands and their options first, which takes as long as opening the database.
enum FrequentCommand {
  /// - Parameter words: the arguments.
  /// - Returns: nil where the words have any other form than a command with its plain options; the parser decides then.
  static func recognised(_ words: [String]) -> (any AsyncParsableCommand)? {
    var rest = words[...]
    let name = rest.first.map { $0.utf8.first == UInt8(ascii: "-") } == false ? rest.removeFirst() : nil
    var given: [String: String] = [:]
    var isForced = false
    while let word = rest.popFirst() {
      switch word {
      case "--config", "--database":
        guard let value = rest.popFirst(), value.utf8.first.map({ $0 != UInt8(ascii: "-") }) == true,
          given.updateValue(value, forKey: word) == nil
        else { return nil }
      case "--force" where name == "poll" && !isForced: isForced = true
      default: return nil
      }
    }
    var files = FileOptions()
    files.config = given["--config"]
    files.database = given["--database"]
    switch name {
    case nil, "inbox":
      var command = Inbox()
      command.files = files
      return command
    case "poll":
      var command = Poll()
      command.files = files
      command.sources = []
      command.force = isForced
      command.json = false
      return command
    case "status":
      var command = Status()
      command.files = files
      (command.check, command.json, command.watch) = (false, false, false)
      command.format = nil
      return command
    default: return nil
    }
  }
}
