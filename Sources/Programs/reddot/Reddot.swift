import ArgumentParser
import Foundation
import Platform
import Words

@main
enum Main {
  @MainActor
  static func main() {
    StandardDescriptors.openClosed()
    Allocator.keepSmall()
    // A closed pipe must not end the process: the terminal may have to be restored first.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of `ulimit -f` fails and is reported; otherwise it would silently end the program.
    signal(SIGXFSZ, SIG_IGN)
    // The process that runs scripts is confined to one thread, and a task would start another.
    if Array(CommandLine.arguments.dropFirst()) == [ScriptHostCommand.name] {
      ScriptHostCommand().run()
      exit(0)
    }
    if let sentence = LeastOpenFiles.prepare() {
      Complaint.print(sentence)
      exit(1)
    }
    TaskThreads.install()
    Task { await Reddot.runAndExit() }
    MainLoop.run()
  }
}

/// The command line: parses it, runs the command, and reports a failure as one line and an exit code.
struct Reddot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reddot",
    abstract: "A notification center for the terminal.",
    discussion: """
      Polls feeds, team boards, build servers and local scripts politely, keeps everything in one local \
      database, and shows one list with a red dot for what is unread.

      EXAMPLES:
        reddot demo                                  see it work, without network
        reddot add https://www.swift.org/atom.xml    follow a feed
        reddot                                       open the inbox
        reddot poll                                  one round of polls, for cron
        reddot search 'is:unread newer:1d'           find messages
        reddot status                                for a prompt: nothing, or ● 3
        reddot run -- make test                      how a program ended, in the inbox
        reddot help                                  the manual, by topic
      """,
    version: Composition.version,
    groupedSubcommands: CommandGroups.all,
    defaultSubcommand: Inbox.self)

  @MainActor
  fileprivate static func runAndExit() async {
    var code = ExitCode.success
    do {
      let words = ArgumentWords.ordered(ArgumentWords.split(Array(CommandLine.arguments.dropFirst())))
      if let mistake = ArgumentWords.mistake(in: words) ?? HelpCommand.mistake(in: words) {
        throw ValidationError(mistake)
      }
      try await CommandThreads.run(try parseAsRoot(HelpCommand.words(for: words) ?? words))
    } catch {
      code = report(error)
    }
    do throws(OutputFailure) {
      try Answer.flush()
    } catch {
      code = report(error)
    }
    Foundation.exit(code.rawValue)
  }

  /// Reports an error and ends the process, for callers that cannot throw it.
  static func end(_ error: any Error) -> Never { Foundation.exit(report(error).rawValue) }

  /// Prints a response of the argument parser: help, version, completions.
  private static func printAnswer(_ text: String) throws(OutputFailure) {
    guard text.hasPrefix("OVERVIEW: ") else {
      return try Answer.print(CompletionScript.withNamesAsData(text))
    }
    let help = CommandGroups.withPlainTitles(text)
    let styles = OutputStyles(Composition.environment())
    guard styles.areShown else { return try Answer.print(help) }
    try Answer.print(HelpPage.styled(parserHelp: help), styles)
  }

  /// Reports a failure, or prints a response of the argument parser: help, version, wrong usage.
  private static func report(_ error: any Error) -> ExitCode {
    switch error {
    case let code as ExitCode: return code
    case let failure as OutputFailure:
      // This is the behaviour of a program that does not handle closed pipes.
      if failure.isClosedPipe { InboxRun.die(of: SIGPIPE) }
      Complaint.print("the output could not be written: \(SystemReason.words(errno: failure.code))")
      return .failure
    case _: break
    }
    if let sentence = Complaint.sentence(error) {
      Complaint.print(sentence)
      return .failure
    }
    let words = ArgumentWords.ordered(Array(CommandLine.arguments.dropFirst()))
    let nearest = error is ValidationError ? nil : NearestCommand.sentence(for: words)
    let error: any Error = nearest.map { ValidationError($0) } ?? error
    let code = exitCode(for: error)
    // The message quotes the arguments, which may come from anywhere.
    var message = SafeOutput.message(fullMessage(for: error))
    // The text is not in the configuration, which is made at every start, since it opens libcurl.
    if message == Composition.version { message = VersionText.text }
    guard !message.isEmpty else { return code }
    guard code == .success else {
      ErrorOutput.write("\(message)\n")
      return code
    }
    do throws(OutputFailure) {
      try printAnswer(message)
      return code
    } catch {
      return report(error)
    }
  }
}
