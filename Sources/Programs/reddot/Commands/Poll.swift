import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Polling
import Profile
import Settings
import Words

/// `reddot poll`
struct Poll: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "poll",
    abstract: "Poll once, and print what came; for cron.",
    discussion: """
      By itself it polls what is due: by the interval, what a server asked for, and the waits after failures, as the \
      inbox does, so that cron may call it each minute. A failure is said when it begins and when it is over. With \
      sources or --all it polls what was not polled within its grace; with --force all of them. Exits with 1 when a \
      source failed.

      EXAMPLES:
        reddot poll
        reddot poll team builds --force
        * * * * * reddot poll >/dev/null      in a crontab
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "Sources or folders; what is due of all sources where none is given.", completion: .placeNames)
  var sources: [String] = []
  @Flag(help: "Poll all sources, though they are not due yet; never within the grace.") var all = false
  @Flag(help: "Poll even within the grace; never against a server's Retry-After.") var force = false
  @Flag(help: "Print one JSON object a source.") var json = false

  /// Each source once, though a folder that holds it is given as well.
  private static func chosen(_ names: [String], _ lookup: SourceLookup) throws -> [Source] {
    var chosen: [Source] = []
    for source in try names.flatMap({ try lookup.sources($0) })
    where !chosen.contains(where: { $0.id == source.id && $0.name == source.name }) { chosen.append(source) }
    return chosen
  }

  func validate() throws {
    if all, !sources.isEmpty {
      throw ValidationError("--all is for all sources: leave the names out, or --all")
    }
  }

  private var trigger: PollTrigger {
    if force { return .forced }
    return all || !sources.isEmpty ? .soft : .periodic
  }

  func run() async throws {
    var profile = try Composition.profile(files).registered()
    await HookProgram.storeWaiting(files)
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    for line in try await Synchroniser(profile).runBeforePoll() { Complaint.print(SafeOutput.line(line)) }
    // With what is followed since other machines follow it.
    if profile.settings.sync.place != nil { profile = try profile.reopened() }
    let chosen = sources.isEmpty ? profile.sources : try Self.chosen(sources, profile.lookup())
    if chosen.isEmpty {
      throw Complaint("nothing to poll; add a source with reddot add URL")
    }
    // For a person who waits; cron would send it as mail.
    let isWatched = isatty(STDERR_FILENO) == 1
    var troubles: [String] = []
    let report = try await profile.arrival(trouble: { troubles.append($0) }) { arrival in
      let report = try await arrival.poll(chosen, trigger) { if isWatched { ErrorOutput.write($0 + "\n") } }
      for line in report.lines(json: json) { try Answer.print(line) }
      return report
    }
    for line in troubles + report.warnings + report.failures + report.recoveries { Complaint.print(line) }
    // A service manager may end all processes of a round with this one.
    if troubles.isEmpty { try await profile.waitForNotices() }
    if report.hasFailures || !troubles.isEmpty { throw ExitCode.failure }
  }
}
