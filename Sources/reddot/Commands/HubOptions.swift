import ArgumentParser
import Dates
import Foundation
import Settings
import Subscriptions
import Workspace

/// The options of `push` for a hub.
struct HubOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publishes to a hub instead: its address, or the name of a source that is one of its feeds.",
      valueName: "hub"),
    completion: .sourceNames)
  var hub: String?
  @Option(
    help: ArgumentHelp("With --hub: to which feed; by default that of the source.", valueName: "name"))
  var feed: String?
  @Option(help: ArgumentHelp("With --hub: the message's channel.", valueName: "name")) var channel: String?
  @Option(
    help: ArgumentHelp(
      "With --hub: a command that prints the token; by default the source's token.", valueName: "command"))
  var tokenCommand: String?
  @Option(help: ArgumentHelp("With --hub: a file that holds the token.", valueName: "file"))
  var tokenFile: String?
  @Option(help: ArgumentHelp("With --hub: an environment variable that holds the token.", valueName: "name"))
  var tokenEnv: String?

  func validate() throws {
    let tokens = [tokenCommand, tokenFile, tokenEnv].compactMap { $0 }
    if hub == nil, feed != nil || channel != nil || !tokens.isEmpty {
      throw ValidationError(
        "--feed, --channel, --token-command, --token-file and --token-env go with --hub")
    }
    if tokens.count > 1 {
      throw ValidationError("give only one of --token-command, --token-file and --token-env")
    }
  }

  /// nil: the inbox.
  var target: HubPublishing.Target? {
    guard let hub else { return nil }
    let credential: CredentialOrigin? =
      if let tokenCommand {
        .command(["/bin/sh", "-c", tokenCommand])
      } else if let tokenFile {
        .file(tokenFile)
      } else {
        tokenEnv.map { .environment($0) }
      }
    return HubPublishing.Target(hub: hub, feed: feed, credential: credential)
  }
}

extension MessageOptions {
  /// What of a message a hub has no place for.
  func validateForHub() throws {
    if markdown { throw ValidationError("--markdown isn't for a hub: its readers show text") }
    if source != nil { throw ValidationError("--source is for messages of this machine, not of --hub") }
  }

  /// Publishes a message; with `--json` the hub's answer is printed.
  ///
  /// - Parameter at: when it appears, as typed; nil is at once.
  func publish(
    title: String, at: String?, to target: HubPublishing.Target, channel: String?, in workspace: Workspace
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
    message.appears = try at.map { ISOInstant.text(try workspace.instant($0)) }
    message.expires = try until.map { ISOInstant.text(try workspace.instant($0)) }
    let answer = try await HubPublishing(workspace).publish(
      message, to: target, requestKey: UUID().uuidString.lowercased())
    if json { try Answer.print(answer) }
  }
}
