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
    abstract: "Poll once, and print the results; for cron.",
    discussion: """
      Without arguments, this polls the sources that are due: by the interval, the rate limits of servers, and the \
      backoff after failures, like the inbox, so that cron can call it every minute. A failure is reported \
      when it begins and when it has ended. With sources or --all, polls those that were not polled within \
      their grace period; with --force, all of them. Exits with 1 if a source failed.

      EXAMPLES:
        reddot poll
        reddot poll team builds --force
        * * * * * reddot poll >/dev/null      in a crontab
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help: "Sources or folders (default: all sources that are due).", completion: .placeNames)
  var sources: [String] = []
  @Flag(help: "Poll all sources before they are due; never within the grace period.") var all = false
  @Flag(help: "Poll even within the grace period; never against a server's Retry-After.") var force = false
  @Flag(help: "Print one JSON object per source.") var json = false

  /// Returns the sources with these names, and those in folders with these names, without duplicates.
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
    // This includes sources that are followed because other machines do.
    if profile.settings.sync.place != nil { profile = try profile.reopened() }
    // Its changes go to services with this poll.
    if let trouble = await profile.readPhone() { Complaint.print(trouble) }
    let chosen = sources.isEmpty ? profile.sources : try Self.chosen(sources, profile.lookup())
    if chosen.isEmpty {
      throw Complaint("nothing to poll; add a source with reddot add URL")
    }
    // Only for a user who waits; cron would send it as mail.
    let isWatched = isatty(STDERR_FILENO) == 1
    var troubles: [String] = []
    let report = try await profile.arrival(trouble: { troubles.append($0) }) { arrival in
      let report = try await arrival.poll(chosen, trigger) { if isWatched { ErrorOutput.write($0 + "\n") } }
      for line in report.lines(json: json) { try Answer.print(line) }
      return report
    }
    for line in troubles + report.warnings + report.failures + report.recoveries { Complaint.print(line) }
    // A service manager may end all processes of a poll run together with this one.
    if troubles.isEmpty { try await profile.waitForNotices() }
    if report.hasFailures || !troubles.isEmpty { throw ExitCode.failure }
  }
}
