import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Screen
import Terminal

/// `reddot notify`
struct Notify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "See how you are told of messages.",
    discussion: """
      EXAMPLES:
        reddot notify test                           show a notice by each channel
        reddot quiet 2h                              be told of nothing for a while
      """,
    subcommands: [NotifyTest.self],
    defaultSubcommand: NotifyTest.self)
}

/// `reddot notify test`
struct NotifyTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Show a notice by each channel that works here, and say why others do not.",
    discussion: """
      Exits with 1 if none of the channels in notify_via works. Quiet hours do not count.

      EXAMPLES:
        reddot notify test
      """)

  @OptionGroup var files: FileOptions

  func run() async throws {
    let profile = try Composition.profileToRead(files)
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    let test = NoticeTest(profile)
    let support = NoticeSupport(in: profile.environment.variables)
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = [
      terminal(support, isTerminal, test), await Self.desktop(test),
      test.line(
        of: .bell, way: "the terminal decides what it does",
        problem: isTerminal ? nil : "standard output isn't a terminal"),
      await test.command(),
    ]
    for line in lines { try Answer.print(SafeText(untrusted: line.text).text) }
    try Answer.flush()
    if isTerminal {
      let notice = ScreenNotice(
        id: "reddot-test", title: SafeText(untrusted: NoticeTest.title),
        body: SafeText(untrusted: NoticeTest.body))
      try Answer.print(support.sequence(for: notice) + "\u{7}", terminator: "")
    }
    if !lines.contains(where: { $0.isChosen && $0.problem == nil }) { throw ExitCode.failure }
  }

  private func terminal(_ support: NoticeSupport, _ isTerminal: Bool, _ test: NoticeTest) -> NoticeTest.Line {
    var way = support.code.map { $0.rawValue } ?? "the bell, since this terminal isn't known to show notices"
    if support.isInTmux {
      way += ", and the bell: inside tmux it needs \"set -g allow-passthrough on\""
    }
    return test.line(
      of: .terminal, way: way, problem: isTerminal ? nil : "standard output isn't a terminal")
  }

  private static func desktop(_ test: NoticeTest) async -> NoticeTest.Line {
    await Blocking.run(test.desktop)
  }
}

/// `reddot quiet`
struct QuietCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quiet",
    abstract: "No notices for a while, except urgent ones.",
    discussion: """
      Messages arrive as ever, and the dot shows. At the end one notice sums up. Without an argument it says whether it is \
      quiet now, by this command or by [[quiet]] in the settings.

      EXAMPLES:
        reddot quiet 2h
        reddot quiet until 9:00
        reddot quiet off
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "For how long, until when, or off.") var time: [String] = []

  func run() throws {
    let profile = time.isEmpty ? try Composition.profileToRead(files) : try Composition.profile(files)
    try Answer.print(try profile.quiet(time.isEmpty ? nil : time.joined(separator: " ")))
  }
}

/// The process that shows notices for the others; started by reddot itself.
struct NoticeHostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notice-host", abstract: "Show notices for other processes.", shouldDisplay: false)

  @OptionGroup var files: FileOptions

  func run() async throws {
    let profile = try Composition.profile(files)
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    await NoticeHost(profile).run()
  }
}
