import ArgumentParser
import Basics
import Foundation
import Profile
import Subscriptions

/// The options of `push` for a hub.
struct HubOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Publish to this feed of a hub instead.", valueName: "name"))
  var feed: String?
  @Option(
    help: ArgumentHelp(
      "With --feed: the name of the [[hub]]; not needed if the settings have one.", valueName: "name"),
    completion: .hubNames)
  var hub: String?
  @Option(help: ArgumentHelp("With --feed: the message's channel.", valueName: "name"))
  var channel: String?

  func validate() throws {
    if feed == nil, hub != nil { throw ValidationError("give the feed of the hub with --feed") }
    if feed == nil, channel != nil { throw ValidationError("--channel needs --feed") }
  }

  /// The feed of the hub, or `nil` for the inbox.
  var target: HubPublishing.Target? { feed.map { HubPublishing.Target(hub: hub, feed: $0) } }
}

extension MessageOptions {
  /// Refuses the options of a message that a hub does not support.
  func validateForHub() throws {
    if markdown { throw ValidationError("--markdown is not for a hub: its readers show text") }
    if source != nil { throw ValidationError("--source is for messages of this machine, not of a hub") }
  }

  /// Publishes a message; with `--json`, prints the hub's response.
  ///
  /// - Parameter at: the time at which the message appears, as typed, or `nil` for now.
  func publish(
    title: String, at: String?, to target: HubPublishing.Target, channel: String?, in profile: Profile
  ) async throws {
    var message = HubPublishing.Message(title: title)
    message.body = (try text() ?? "").trimmingCharacters(in: .newlines)
    message.key = id
    message.url = url
    message.priority = priority
    message.tags = tag
    message.actions = action
    message.group = group
    message.channel = channel
    message.appears = try at.map { ISOInstant.text(try profile.instant($0)) }
    message.expires = try until.map { ISOInstant.text(try profile.instant($0)) }
    let answer = try await HubPublishing(profile).publish(
      message, to: target, requestKey: UUID().uuidString.lowercased())
    if json { try Answer.print(answer) }
  }
}
