import Basics
import Foundation
import Testing

@testable import Hub

/// Webhooks with the secret `sesame-sesame-sesame`, and deliveries written after the senders' documentation.
enum HookSamples {
  static let secret = "sesame-sesame-sesame"
  static let now = Date(timeIntervalSince1970: 1_795_000_000)

  static func hook(_ kind: HookKind, secrets: [String] = [secret]) throws -> Hook {
    let name = try #require(FeedName(kind.rawValue))
    var hook = Hook(
      name: name, kind: kind, feed: HubPremises.ops,
      secrets: try secrets.map { try #require(HookSecret($0)) })
    var templates = HookTemplates()
    func set(_ name: String, _ text: String) throws {
      let template = try #require(HookTemplate(text))
      templates.texts[name] = template
    }
    if kind == .standard {
      try set("key", "invoice/{data.id}")
      try set("title", "{type}: {data.lines[0].name}{data.nothing}")
      try set("time", "{timestamp}")
    } else if kind == .json {
      templates.each = HookPath("checks")
      templates.priorities = ["bad": 5]
      templates.done = HookTemplates.Condition("state=closed")
      try set("key", "check/{id}")
      try set("title", "{name} {{{$.source}}}")
      try set("priority", "{level}")
      try set("time", "{at}")
      try set("tags", "{$.source},{state}")
    }
    if kind.hasTemplates { hook.templates = templates }
    return hook
  }

  static func all() throws -> [Hook] { try HookKind.allCases.map { try hook($0) } }

  static func bytes(_ name: String) throws -> Data {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Deliveries")
    return try Data(contentsOf: folder.appending(path: "\(name).http"))
  }

  static func delivery(_ name: String) throws -> HookDelivery { HookDelivery(recorded: try bytes(name)) }

  /// Returns the fields with which a sender proves its identity.
  static func proof(
    _ kind: HookKind, _ body: Data, secret: String = secret, time: Date = now
  ) -> [(name: String, value: String)] {
    let seconds = Int(time.timeIntervalSince1970)
    func hex(_ message: Data) -> String {
      HMAC.sha256(message.bytes, key: Array(secret.utf8)).hex
    }
    switch kind {
    case .alertmanager, .json, .kuma: return [("Authorization", "Bearer \(secret)")]
    case .ntfy: return [("Authorization", "Basic \(Data("any:\(secret)".utf8).base64EncodedString())")]
    case .gotify: return [("X-Gotify-Key", secret)]
    case .github: return [("X-Hub-Signature-256", "sha256=\(hex(body))")]
    case .forgejo, .gitea: return [("X-Gitea-Signature", hex(body))]
    case .grafana: return [("X-Grafana-Alerting-Signature", hex(body))]
    case .gitlab, .standard:
      let message = Data("msg_1.\(seconds).".utf8) + body
      let signed = HMAC.sha256(message.bytes, key: Array(secret.utf8))
      return [
        ("webhook-id", "msg_1"), ("webhook-timestamp", "\(seconds)"),
        ("webhook-signature", "v1,AAAA v1,\(Data(signed).base64EncodedString())"),
      ]
    }
  }
}
