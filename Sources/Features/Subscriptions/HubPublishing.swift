import Formats
import Foundation
import HTTP
package import Messages
import Platform
package import Profile
import Screen
import Services
import Settings
import Storage
import Words

/// Publishes messages to a hub, for `reddot push --hub`.
package struct HubPublishing: Sendable {
  /// The hub and the feed as the user typed them.
  package struct Target: Sendable {
    /// The name of a `[[hub]]` in the settings, or `nil` if the settings have only one.
    package var hub: String?
    package var feed: String

    package init(hub: String?, feed: String) { (self.hub, self.feed) = (hub, feed) }
  }

  /// A message to be published. Its times are in ISO 8601.
  package struct Message: Sendable {
    package var title: String
    package var body = ""
    /// The message's key: a later message with the same key replaces the message, and makes it unread again.
    package var key: String?
    package var url: String?
    package var priority: Int?
    package var tags: [String] = []
    package var actions: [MessageAction] = []
    package var group: String?
    package var channel: String?
    /// The time from which the message is shown, in ISO 8601.
    package var appears: String?
    package var expires: String?

    package init(title: String) { self.title = title }

    /// Returns the message as an item of a native feed, without an id.
    var item: JSONObject {
      func text(_ key: String, _ value: String?) -> [JSONObject.Member] {
        value.map { [.init(key: key, value: .string($0))] } ?? []
      }
      var members: [JSONObject.Member] = text("title", title)
      if !body.isEmpty { members += text("body", body) }
      members += text("key", key) + text("url", url)
      if let priority { members.append(.init(key: "priority", value: .number("\(priority)"))) }
      if !tags.isEmpty { members.append(.init(key: "tags", value: .array(tags.map { .string($0) }))) }
      if !actions.isEmpty {
        let list = actions.map { action in
          JSONValue.object(JSONObject(text("label", action.label) + text("url", action.url)))
        }
        members.append(.init(key: "actions", value: .array(list)))
      }
      members += text("group", group) + text("channel", channel)
      members += text("not_before", appears) + text("expires", expires)
      // As with a local message, pushing the same id again makes the message unread.
      if key != nil { members.append(.init(key: "news", value: .bool(true))) }
      return JSONObject(members)
    }
  }

  /// The reason why a message could not be published.
  package enum Refusal: UserFacingError {
    case none
    /// The settings have no hub with this name, or several hubs of which none was chosen. `there` contains
    /// the names of the existing hubs.
    case unknown(String, there: [String]), several([String])
    case badFeed(String), token(hub: String, reason: String)
    case failed(address: String, sentence: String)

    package var sentence: String {
      switch self {
      case .none: "no hub in the settings; add [[hub]] with name, url and token_command"
      case .unknown(let name, let there):
        "no hub named \"\(SafeOutput.line(name))\"; "
          + (there.isEmpty ? "add [[hub]] to the settings" : "hubs: \(Self.list(there))")
      case .several(let names): "there are several hubs; choose one with --hub: \(Self.list(names))"
      case .badFeed(let feed):
        "\(feed) cannot be the name of a feed; use lowercase letters, digits and hyphens, at most 63"
      case .token(let hub, let reason): "\(hub): \(reason)"
      case .failed(let address, let sentence): "\(UserInfo.removed(from: address)): \(sentence)"
      }
    }

    private static func list(_ names: [String]) -> String {
      SafeOutput.line(names.map { "\"\($0)\"" }.joined(separator: ", "))
    }
  }

  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// Returns the hub that the target names, from the settings.
  private func entry(_ target: Target) throws(Refusal) -> HubEntry {
    let hubs = profile.settings.hubs
    guard let name = target.hub else {
      guard hubs.count <= 1 else { throw .several(hubs.map(\.name)) }
      guard let hub = hubs.first else { throw .none }
      return hub
    }
    guard let hub = hubs.first(where: { $0.name == name }) else {
      throw .unknown(name, there: hubs.map(\.name))
    }
    return hub
  }

  /// Publishes a message.
  ///
  /// - Parameter requestKey: a different key for each message: the hub stores a repeated request with the same key only
  ///   once.
  /// - Returns: the hub's response, as one line of JSON.
  package func publish(_ message: Message, to target: Target, requestKey: String) async throws -> String {
    let environment = profile.environment
    let hub = try entry(target)
    guard HubClient.isName(target.feed) else { throw Refusal.badFeed(target.feed) }
    var token: String?
    if let origin = hub.credential {
      do throws(Credentials.Failure) {
        token = try await Credentials(environment: environment.variables, programs: environment.programs)
          .token(from: origin, within: profile.settings.sourceDefaults.tokenTimeout)
      } catch {
        throw Refusal.token(hub: hub.name, reason: error.reason)
      }
    }
    let transport = LiveTransport(environment.transportOptions(profile.settings))
    var options = SourceOptions()
    options.caFile = hub.caFile
    let client = HubClient(
      transport, address: hub.address, token: token, options: options, now: environment.now())
    let result: Result<JSONValue, HubClient.Failure>
    do throws(HubClient.Failure) {
      result = .success(
        try await client.publish(message.item, to: target.feed, key: requestKey) {
          wait throws(CancellationError) in
          do { try await ContinuousClock().sleep(for: wait) } catch { throw CancellationError() }
        })
    } catch {
      result = .failure(error)
    }
    await transport.shutdown()
    switch result {
    case .success(let answer): return answer.serialized()
    case .failure(let failure):
      throw Refusal.failed(
        address: client.address, sentence: failure.sentence(publishingTo: target.feed, profile))
    }
  }
}

extension HubClient.Failure {
  /// Whether the request may have arrived at the hub although there was no response.
  private func isUncertain(_ failure: FetchFailure) -> Bool {
    switch failure {
    case .timedOut(.waiting, _), .timedOut(.reading, _), .cutOff: true
    case _: false
    }
  }

  /// Returns a sentence about the failure.
  ///
  /// - Parameter feed: the feed to which a message was published, or `nil` if the list of feeds was requested.
  func sentence(publishingTo feed: String? = nil, _ profile: Profile) -> String {
    switch self {
    case .request(let failure):
      profile.words.sentence(failure).text
        + (feed != nil && isUncertain(failure) ? " Whether the hub has the message is not known." : "")
    case .notAHub(let status): "the response (\(status)) is not that of a hub"
    case .refused(let refusal, _, let wait):
      switch refusal.code {
      case "no_token":
        "the hub wants a token: "
          + (feed == nil
            ? "--token-file, --token-command or --token-env"
            : "token_command or token_file under its [[hub]] in the settings")
      case "bad_token": "the hub does not know this token, or the token has expired"
      case "not_found":
        feed.map { "there is no feed \($0) that this token may publish to" }
          ?? "the hub has nothing at this address for this token"
      case "slow_down":
        "too many requests" + (wait.map { "; try again in \($0.components.seconds) s" } ?? "")
      case "no_space": "the hub's disk is full; nothing was stored"
      case "store_away": "the hub's store cannot be reached; whether it has the message is not known"
      case "busy", "stopping": "the hub is \(refusal.code) and did not take the message; try again"
      case "idempotency_mismatch": "the hub already has another message with the key of this request"
      case "too_large": "the message is too large: \(SafeOutput.line(refusal.message))"
      default:
        "the hub refuses it: " + (refusal.at.map { SafeOutput.line($0) + " " } ?? "")
          + SafeOutput.line(refusal.message)
      }
    }
  }
}
