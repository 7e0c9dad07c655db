import Foundation
package import Messages
package import Profile
import Settings

/// `reddot notify test`: one notice by each channel, and why others do not work.
package struct NoticeTest: Sendable {
  /// What became of one channel.
  package struct Line: Hashable, Sendable {
    package var channel: NoticeChannel
    /// nil: it works.
    package var problem: String?
    /// How it works.
    package var way: String
    /// Whether the settings choose it.
    package var isChosen: Bool

    package var text: String {
      let mark = problem == nil ? "works" : "doesn't work"
      let chosen = isChosen ? "" : " (not in notify_via)"
      return "\(channel.rawValue): \(mark)\(chosen): \(problem ?? way)"
    }
  }

  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  private static let sample = NoticeContent(
    id: NoticeID(0), form: .message, title: "reddot", body: ["This is what a notice looks like."])

  package static var title: String { sample.title }
  package static var body: String { sample.body.joined() }

  private func line(_ channel: NoticeChannel, _ way: String, problem: String? = nil) -> Line {
    Line(
      channel: channel, problem: problem, way: way,
      isChosen: profile.settings.telling.channels.contains(channel))
  }

  /// A channel of the caller's.
  package func line(of channel: NoticeChannel, way: String, problem: String?) -> Line {
    line(channel, way, problem: problem)
  }

  /// Shows one on the desktop. Blocks.
  package func desktop() -> Line {
    let desktop = DesktopChannel(profile.environment)
    do throws(BusFailure) {
      try desktop.connect()
      _ = try desktop.show(Self.sample, replacing: nil)
      return line(.desktop, desktop.summary)
    } catch {
      return line(.desktop, "", problem: error.sentence)
    }
  }

  package func command() async -> Line {
    guard !profile.settings.telling.command.isEmpty else {
      return line(.command, "", problem: "notify_command isn't in the settings")
    }
    let failure = await NoticeCommand(profile).run([Self.sample])
    return line(.command, profile.settings.telling.command[0], problem: failure)
  }
}
