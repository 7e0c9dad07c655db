import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Polling
import Profile
import Words

/// `reddot run`
struct Run: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a program, and add a message with its result.",
    discussion: """
      The program's input and output are passed through unchanged. The message contains its exit status, its \
      duration, and its last lines; reddot exits with the program's status. Options before the program are \
      reddot's; -- ends them. With --id, the next run updates the message of the last one.

      EXAMPLES:
        reddot run -- make test
        reddot run --only-failures --id backup -- restic backup ~
        reddot run --title "Nightly build" -- ./build --release
      """)

  @OptionGroup var files: FileOptions
  @Option(
    help: ArgumentHelp("The program's name in the message (default: its command line).", valueName: "text"))
  var title: String?
  @Flag(help: "Add no message if the program exits with status 0.") var onlyFailures = false
  @Option(help: ArgumentHelp("Update the message that was pushed with this id before.", valueName: "id"))
  var id: String?
  @Option(help: ArgumentHelp("The local source of the message.", valueName: "name"), completion: .sourceNames)
  var source: String?
  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program and its arguments.", valueName: "program"))
  var program: [String] = []

  /// The names of this command's options, from its usage line.
  private static var optionNames: [String] {
    usageString().split { !($0.isLetter || $0 == "-") }.map(String.init).filter {
      $0.hasPrefix("--") && $0 != "--"
    }
  }

  private var words: [String] { Array(program.first == "--" ? program.dropFirst() : program[...]) }

  func validate() throws {
    // The parser treats the first word that isn't a known option, and all words after it, as the program.
    switch program.first {
    case "--": break
    case "--help", "-h": throw CleanExit.helpRequest(self)
    case "--version": throw CleanExit.message(Composition.version)
    case let option? where option.hasPrefix("-"):
      let name = option.prefix { $0 != "=" }
      let meant = NearestName.of(String(name), in: Self.optionNames).map { " Did you mean '\($0)'?" } ?? ""
      throw ValidationError(
        "unknown option '\(SafeOutput.line(String(name)))'; the program goes after --, such as: reddot run -- make test.\(meant)"
      )
    case _: break
    }
    if words.first?.isEmpty ?? true {
      throw ValidationError("give the program to run, such as: reddot run -- make test")
    }
  }

  func run() async throws {
    let report = ProgramReport.run(words, environment: Composition.environment().variables)
    if case .notStarted(let reason, _) = report.ending { Complaint.print("\(words[0]): \(reason)") }
    if !(onlyFailures && report.isSuccess) {
      do {
        try await push(report)
      } catch {
        // The exit status must still be the program's.
        Complaint.print(Complaint.sentence(error) ?? String(describing: error))
        if report.isSuccess { throw ExitCode.failure }
      }
    }
    switch report.ending {
    case .status(let status), .notStarted(_, let status): throw ExitCode(status)
    case .unknown: throw ExitCode.failure
    case .signal(let signal):
      ProgramReport.leaveNoCore()
      InboxRun.die(of: signal)
      throw ExitCode(128 + signal)
    }
  }

  private func push(_ report: ProgramReport) async throws {
    let profile = try Composition.profile(files)
    let name = title ?? words.joined(separator: " ")
    var message = IncomingMessage(
      remoteID: RemoteID(id ?? UUID().uuidString.lowercased()), kind: .local, title: report.title(name),
      body: report.body)
    message.priority = report.priority
    let own = await Panes(profile.environment).own()
    var extras = MessageExtras(pane: own.pane)
    extras.group = report.group(name, in: FileManager.default.currentDirectoryPath)
    message.extras = extras
    message.isQuiet = own.isLookedAt
    try await profile.arrival(trouble: Complaint.print) { [message] arrival in
      _ = try await arrival.push(message, into: source)
    }
  }
}
