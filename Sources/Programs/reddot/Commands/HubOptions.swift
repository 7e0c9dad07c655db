import ArgumentParser
import Basics
import Foundation
import Profile
import Subscriptions

/// The options of `push` for a hub.
struct HubOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Publishes to this feed of a hub instead.", valueName: "name"))
  var feed: String?
  @Option(
    help: ArgumentHelp(
      "With --feed: the name of the [[hub]]; not needed if the settings have one.", valueName: "name"),
    completion: .hubNames)
  var hub: String?
  @Option(help: ArgumentHelp("With --feed: the message's channel.", valueName: "name"))
  var channel: String?

  func validate() throws {
    if feed == nil, hub != nil { throw ValidationError("say with --feed to which feed of the hub") }
    if feed == nil, channel != nil { throw ValidationError("--channel goes with --feed") }
  }

  /// nil: the inbox.
  var target: HubPublishing.Target? { feed.map { HubPublishing.Target(hub: hub, feed: $0) } }
}

extension MessageOptions {
  /// What of a message a hub has no place for.
  func validateForHub() throws {
    if markdown { throw ValidationError("--markdown isn't for a hub: its readers show text") }
    if source != nil { throw ValidationError("--source is for messages of this machine, not of a hub") }
  }

  /// Publishes a message; with `--json` the hub's answer is printed.
  ///
  /// - Parameter at: when it appears, as typed; nil is at once.
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
