/// The commands that run most often, from prompts, bars and cron, in their plain forms. They are recognised without the argument
/// parser: that looks through all commands and their options first, which takes as long as opening the database.
enum FrequentCommand {
  case inbox(GivenFiles)
  case poll(GivenFiles, isForced: Bool)
  case status(GivenFiles)

  /// - Parameter words: the arguments.
  /// - Returns: nil where the words have any other form than a command with its plain options; the parser decides then.
  init?(_ words: [String]) {
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
    let files = GivenFiles(config: given["--config"], database: given["--database"])
    switch name {
    case nil, "inbox": self = .inbox(files)
    case "poll": self = .poll(files, isForced: isForced)
    case "status": self = .status(files)
    default: return nil
    }
  }

  @MainActor
  func run() async throws {
    switch self {
    case .inbox(let files): try await Inbox.open(files)
    case .poll(let files, let isForced): try await Poll.poll(files, isForced: isForced)
    case .status(let files): try Status.printLine(files)
    }
  }
}
