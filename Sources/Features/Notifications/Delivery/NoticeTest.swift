import Foundation
import HTTP
package import Messages
package import Profile
import Settings

/// `reddot notify test`: one notification on each channel, and the reasons why others do not work.
package struct NoticeTest: Sendable {
  /// The result of testing one channel.
  package struct Line: Hashable, Sendable {
    package var channel: NoticeChannel
    /// The reason why the channel does not work, or `nil` if it works.
    package var problem: String?
    /// A description of the way in which the channel works, for example the name of the notification daemon.
    package var way: String
    /// Whether the settings include the channel.
    package var isChosen: Bool
  }

  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  private static let sample = NoticeContent(
    id: NoticeID(0), form: .message, title: "reddot", body: ["This is a test notification."])

  package static var title: String { sample.title }
  package static var body: String { sample.body.joined() }

  private func line(_ channel: NoticeChannel, _ way: String, problem: String? = nil) -> Line {
    Line(
      channel: channel, problem: problem, way: way,
      isChosen: profile.settings.telling.channels.contains(channel))
  }

  /// Returns the result for a channel that the caller itself has tested.
  package func line(of channel: NoticeChannel, way: String, problem: String?) -> Line {
    line(channel, way, problem: problem)
  }

  /// Shows a notification on the desktop; blocks the thread.
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

  /// Sends a notification to the phone.
  package func phone() async -> Line {
    let transport = LiveTransport(profile.environment.transportOptions(profile.settings))
    let found = await PhoneDelivery(profile, transport: transport).test { line(.phone, $0, problem: $1) }
    await transport.shutdown()
    return found
  }

  package func command() async -> Line {
    guard !profile.settings.telling.command.isEmpty else {
      return line(.command, "", problem: "notify_command is not in the settings")
    }
    let failure = await NoticeCommand(profile).run([Self.sample])
    return line(.command, profile.settings.telling.command[0], problem: failure)
  }
}
