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
    abstract: "Run a program, and put how it ended into the inbox.",
    discussion: """
      Its input and output are passed through as they come. The message says its exit status, how long it took, and its \
      last lines; reddot exits as the program did. Options before the program are reddot's; -- ends them. With --id the next run updates the message of the last one.

      EXAMPLES:
        reddot run -- make test
        reddot run --only-failures --id backup -- restic backup ~
        reddot run --title "Nightly build" -- ./build --release
      """)

  @OptionGroup var files: FileOptions
  @Option(
    help: ArgumentHelp("The program's name in the message; by default its command line.", valueName: "text"))
  var title: String?
  @Flag(help: "Put nothing into the inbox if it ends with status 0.") var onlyFailures = false
  @Option(help: ArgumentHelp("Updates the message that was pushed with this id before.", valueName: "id"))
  var id: String?
  @Option(help: ArgumentHelp("The local source to put it into.", valueName: "name"), completion: .sourceNames)
  var source: String?
  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program and its arguments.", valueName: "program"))
  var program: [String] = []

  /// The names of its options, from its usage line.
  private static var optionNames: [String] {
    usageString().split { !($0.isLetter || $0 == "-") }.map(String.init).filter {
      $0.hasPrefix("--") && $0 != "--"
    }
  }

  private var words: [String] { Array(program.first == "--" ? program.dropFirst() : program[...]) }

  func validate() throws {
    // The parser takes the first word that isn't an option it knows, and all after it, for the program.
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
    var message = IncomingMessage(
      remoteID: RemoteID(id ?? UUID().uuidString.lowercased()), kind: .local,
      title: report.title(title ?? words.joined(separator: " ")), body: report.body)
    message.priority = report.priority
    let own = await Panes(profile.environment).own()
    if let pane = own.pane { message.extras = MessageExtras(pane: pane) }
    message.isQuiet = own.isLookedAt
    try await profile.arrival(trouble: Complaint.print) { [message] arrival in
      _ = try arrival.push(message, into: source)
    }
  }
}
