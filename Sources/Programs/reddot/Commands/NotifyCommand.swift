import ArgumentParser
import Formats
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Screen
import Terminal
import Words

/// `reddot notify`
struct Notify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Try the channels of notifications.",
    discussion: """
      EXAMPLES:
        reddot notify test                           try each channel
        reddot quiet 2h                              no notifications for a while
      """,
    subcommands: [NotifyTest.self],
    defaultSubcommand: NotifyTest.self)
}

/// `reddot notify test`
struct NotifyTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Show a notification on each working channel.",
    discussion: """
      Other channels are listed with the reason. Exits with 1 if none of the channels in notify_via works. \
      Quiet hours do not count.

      EXAMPLES:
        reddot notify test
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() async throws {
    // The phone's key is stored when it is first used.
    var profile = try Composition.profileToRead(files)
    if profile.hasPhone { profile = try Composition.profile(files) }
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    let test = NoticeTest(profile)
    let support = NoticeSupport(in: profile.environment.variables)
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = [
      terminal(support, isTerminal, test), await Self.desktop(test),
      test.line(
        of: .bell, way: "the terminal decides what it does",
        problem: isTerminal ? nil : "standard output is not a terminal"),
      await test.command(), await test.phone(),
    ]
    let report = Report(lines, Self.columns)
    let works = lines.contains { $0.isChosen && $0.problem == nil }
    if json {
      let object = JSONObject(pairs: [("works", .bool(works)), ("channels", .array(report.objects))])
      try Answer.print(SafeOutput.json(.object(object)))
    } else {
      try Answer.print(report, json: false, OutputStyles(profile))
    }
    try Answer.flush()
    if isTerminal {
      let notice = ScreenNotice(
        id: "reddot-test", title: SafeText(untrusted: NoticeTest.title),
        body: SafeText(untrusted: NoticeTest.body))
      try Answer.print(support.sequence(for: notice) + "\u{7}", terminator: "")
    }
    if !works { throw ExitCode.failure }
  }

  private static var columns: [Column<NoticeTest.Line>] {
    let (good, bad) = (Style(roles: .accent), Style(roles: .error))
    return [
      Column(
        "channel", gap: 0, style: .bold, text: \.channel.rawValue, json: { .string($0.channel.rawValue) }),
      Column(
        "works", gap: 0,
        styled: {
          StyledText(": ")
            + StyledText(
              $0.problem == nil ? "works" : "does not work", style: $0.problem == nil ? good : bad)
        }, json: { .bool($0.problem == nil) }),
      Column(
        "chosen", gap: 0, style: Style(roles: .dim), text: { $0.isChosen ? "" : " (not in notify_via)" },
        json: { .bool($0.isChosen) }),
      Column("way", json: { .string($0.way) }),
      Column("problem", text: { ": \($0.problem ?? $0.way)" }, json: { MessageJSON.text($0.problem) }),
    ]
  }

  private func terminal(_ support: NoticeSupport, _ isTerminal: Bool, _ test: NoticeTest) -> NoticeTest.Line {
    var way =
      support.code.map { $0.rawValue } ?? "the bell, since this terminal is not known to show notifications"
    if support.isInTmux {
      way += ", and the bell: inside tmux it needs \"set -g allow-passthrough on\""
    }
    return test.line(
      of: .terminal, way: way, problem: isTerminal ? nil : "standard output is not a terminal")
  }

  private static func desktop(_ test: NoticeTest) async -> NoticeTest.Line {
    await Blocking.run(test.desktop)
  }
}

/// `reddot quiet`
struct QuietCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quiet",
    abstract: "Stop notifications for a while, except urgent ones.",
    discussion: """
      Messages still arrive, and the dot appears. At the end, one notification summarises them. Without an \
      argument, prints whether it is quiet now, by this command or by [[quiet]] in the settings.

      EXAMPLES:
        reddot quiet 2h
        reddot quiet until 9:00
        reddot quiet off
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The duration, the end, or off.") var time: [String] = []
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let profile = time.isEmpty ? try Composition.profileToRead(files) : try Composition.profile(files)
    let sentence = try profile.quiet(time.isEmpty ? nil : time.joined(separator: " "))
    guard json else { return try Answer.print(sentence) }
    try Answer.print(SafeOutput.json(.object(JSONObject(pairs: QuietTime.json(try profile.quietTime())))))
  }
}

/// The process that shows notifications for the others; started by reddot itself.
struct NoticeHostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notice-host", abstract: "Show notifications for other processes.", shouldDisplay: false)

  @OptionGroup var files: FileOptions

  func run() async throws {
    let profile = try Composition.profile(files)
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    await NoticeHost(profile).run()
  }
}
