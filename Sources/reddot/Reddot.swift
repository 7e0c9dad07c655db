import App
import ArgumentParser
import Foundation

/// The command line: parses, hands to the commands, and turns what went wrong into one line and an exit code.
@main
struct Reddot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reddot",
    abstract: "A notification center for the terminal.",
    discussion: """
      Polls feeds, team boards, build servers and local scripts politely, keeps everything in one local \
      database, and shows one list with a red dot for what is unread.

      EXAMPLES:
        reddot demo                                  see it work, without network or settings
        reddot add https://www.swift.org/atom.xml    follow a feed
        reddot                                       open the inbox
        reddot poll                                  one round of polls, for cron
        reddot status                                a line for a prompt: nothing, or ● 3
        reddot run -- make test                      how a program ended, in the inbox
      """,
    version: Composition.version,
    subcommands: [
      Inbox.self, Demo.self, Add.self, Remove.self, Sources.self, Poll.self, List.self, Show.self, Mark.self,
      Snooze.self, Undo.self, Push.self, Remind.self, Run.self, Prune.self, Status.self, Why.self,
      Inspect.self,
      Features.self, Schedule.self, Banner.self, APNs.self, Import.self, Export.self, Manual.self, Names.self,
      ScriptHostCommand.self,
    ],
    defaultSubcommand: Inbox.self)

  static func main() async {
    Allocator.keepSmall()
    // A pipe that nobody reads any more is an error to answer, not a reason to die: the terminal may have to be given back.
    signal(SIGPIPE, SIG_IGN)
    var code = ExitCode.success
    do {
      var command = try parseAsRoot(ArgumentWords.split(Array(CommandLine.arguments.dropFirst())))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      code = told(error)
    }
    do throws(OutputFailure) {
      try Answer.flush()
    } catch {
      code = told(error)
    }
    Foundation.exit(code.rawValue)
  }

  /// Ends the process where there is nobody to throw to.
  static func end(_ error: any Error) -> Never { Foundation.exit(told(error).rawValue) }

  /// Says what went wrong, or what the argument parser has to say: help, version, wrong usage.
  private static func told(_ error: any Error) -> ExitCode {
    switch error {
    case let code as ExitCode: return code
    case let failure as OutputFailure:
      // As any program that knows nothing of closed pipes.
      if failure.isClosedPipe { InboxRun.die(of: SIGPIPE) }
      Complaint.print("the answer could not be written: \(SystemReason.words(errno: failure.code))")
      return .failure
    case _: break
    }
    if let sentence = Complaint.sentence(error) {
      Complaint.print(sentence)
      return .failure
    }
    let nearest = NearestCommand.sentence(for: Array(CommandLine.arguments.dropFirst()))
    let error: any Error = nearest.map { ValidationError($0) } ?? error
    let code = exitCode(for: error)
    // It quotes what was typed, which may come from anywhere.
    let message = SafeOutput.message(fullMessage(for: error))
    guard !message.isEmpty else { return code }
    guard code == .success else {
      FileHandle.standardError.write(Data("\(message)\n".utf8))
      return code
    }
    do throws(OutputFailure) {
      try Answer.print(message)
      return code
    } catch {
      return told(error)
    }
  }
}
