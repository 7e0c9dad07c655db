import App
import ArgumentParser
import Messages
import Programs

/// `reddot add`
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Follow a source.",
    discussion: """
      The address is looked at first: a web page that names its feed leads to that feed. What is added is appended to \
      the settings file; what stands there is kept, comments included.

      EXAMPLES:
        reddot add https://www.swift.org/atom.xml
        reddot add https://example.org --name example --interval 1h
        reddot add https://team.example/inbox --kind native --token-command "pass show team"
        reddot add ~/reminders.json --kind schedule
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "An http, https or file address, or the path of a file.") var url: String
  @Option(help: ArgumentHelp("What to call it; by default its own title.", valueName: "name")) var name:
    String?
  @Option(help: "\(SourceKind.words()); by default what the content is.") var kind: SourceKind?
  @Option(help: ArgumentHelp("From one poll to the next, such as 30m.", valueName: "time")) var interval:
    String?
  @Option(help: ArgumentHelp("A command that prints the token.", valueName: "command")) var tokenCommand:
    String?
  @Option(help: ArgumentHelp("A file that holds the token.", valueName: "file")) var tokenFile: String?
  @Option(help: ArgumentHelp("An environment variable that holds the token.", valueName: "name"))
  var tokenEnv: String?
  @Flag(help: "Add it even if it cannot be read now.") var force = false

  func validate() throws {
    if let interval, DurationText.parse(interval).map({ $0 > .zero }) != true {
      throw ValidationError("--interval must be a time such as 90s, 10m or 2h")
    }
    if [tokenCommand, tokenFile, tokenEnv].compactMap({ $0 }).count > 1 {
      throw ValidationError("give only one of --token-command, --token-file and --token-env")
    }
    if let name, !SourceName.isValid(name) {
      throw ValidationError("--name must be 1 to 64 visible characters")
    }
  }

  func run() async throws {
    let workspace = try Composition.workspace(files)
    let signals = EndingSignals(before: workspace.environment.programs.killAll)
    defer { signals.cancel() }
    var wish = SourceWish(address: url)
    wish.name = name
    wish.kind = kind
    wish.interval = interval
    wish.credential =
      if let tokenCommand {
        .command(["/bin/sh", "-c", tokenCommand])
      } else if let tokenFile {
        .file(tokenFile)
      } else {
        tokenEnv.map { .environment($0) }
      }
    wish.isUnchecked = force
    let added = try await SourceAdder(workspace).add(wish)
    _ = try await workspace.inBackground { try $0.reopened() }
    try Answer.print(added.sentence)
  }
}

extension SourceKind: ExpressibleByArgument {}
