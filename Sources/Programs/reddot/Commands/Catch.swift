import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Polling
import Profile
import Settings

/// `reddot catch`
struct Catch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catch",
    abstract: "Keep other programs' desktop notices, until it is stopped.",
    discussion: """
      What programs show on this desktop comes into the sources of kind desktop in the settings, beside the notification \
      daemon, which shows it as ever. The open inbox does the same; of several processes one does it, and another goes on \
      when that one ends. Changed settings hold at once. Exits with 1 without such a source, or without a session bus.

      EXAMPLES:
        reddot catch
        systemctl --user enable --now reddot-catch     from login to logout
      """)

  @OptionGroup var files: FileOptions

  func run() async throws {
    var profile = try Composition.profile(files).registered()
    guard profile.sources.contains(where: { $0.kind == .desktop }) else {
      throw Complaint(
        "no source is of kind desktop; [[source]] with name = \"desktop\" and kind = \"desktop\" in the settings makes one"
      )
    }
    if let problem = profile.desktopProblem { throw Complaint(problem) }
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    let events = FileEvents(watching: profile.settingsFile.paths)
    var changes = events?.changes.makeAsyncIterator()
    while true {
      let running = Self.start(profile)
      guard await changes?.next() != nil else { return await running.value }
      do {
        profile = try profile.reopened()
      } catch {
        // The last good settings hold.
        Complaint.print(Complaint.sentence(error) ?? "\(error)")
      }
      running.cancel()
      await running.value
    }
  }

  private static func start(_ profile: Profile) -> Task<Void, Never> {
    Task {
      await profile.arrivals(trouble: { Complaint.print($0) }) { arrival in
        await NoticeCatch(arrival) { news in
          switch news {
          case .listening(let isDaemon):
            ErrorOutput.write(
              isDaemon
                ? "reddot: keeping notices, in the place of a notification daemon\n"
                : "reddot: keeping notices, beside the notification daemon\n")
          case .trouble(let reason):
            Complaint.print("notifications of other programs cannot be received: \(reason)")
          }
        }.run()
      }
    }
  }
}
