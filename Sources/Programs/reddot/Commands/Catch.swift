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
    abstract: "Store other programs' desktop notifications until stopped.",
    discussion: """
      Notifications that programs show on this desktop are stored in the sources of kind desktop in the \
      settings. The notification daemon still shows them. The open inbox does the same. Only one of several \
      processes does it, and another continues when it ends. Changed settings take effect immediately. Exits \
      with 1 without such a source, or without a session bus.

      EXAMPLES:
        reddot catch
        systemctl --user enable --now reddot-catch     from login to logout
      """)

  @OptionGroup var files: FileOptions

  func run() async throws {
    var profile = try Composition.profile(files).registered()
    guard profile.sources.contains(where: { $0.kind == .desktop }) else {
      throw Complaint(
        "no source of kind desktop; add [[source]] with name = \"desktop\" and kind = \"desktop\" to the settings"
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
        // The last valid settings still apply.
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
