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
        make test; reddot push "Tests done" --body "exit $?"
      """,
    version: Composition.version,
    subcommands: [
      Inbox.self, Demo.self, Add.self, Remove.self, Sources.self, Poll.self, List.self, Show.self, Mark.self,
      Snooze.self, Undo.self, Push.self, Status.self, Why.self, Inspect.self, Features.self, Schedule.self,
      Banner.self, APNs.self, Import.self, Export.self, Manual.self, ScriptHostCommand.self,
    ],
    defaultSubcommand: Inbox.self)

  static func main() async {
    Allocator.keepSmall()
    // A pipe that nobody reads any more is an error to answer, not a reason to die.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      if let sentence = Complaint.sentence(error) {
        Complaint.print(sentence)
        exit(withError: ExitCode.failure)
      }
      // Help, version, and what the argument parser has to say.
      exit(withError: error)
    }
  }
}
