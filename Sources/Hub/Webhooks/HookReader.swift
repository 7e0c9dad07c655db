import Formats
package import Foundation

/// Creates items from deliveries (page "Hub", the table of webhooks).
package struct HookReader: Sendable {
  let hook: Hook
  /// The time from which spans such as `30m` count.
  let now: Date

  package init(_ hook: Hook, now: Date) { (self.hook, self.now) = (hook, now) }

  /// Returns the items. Throws `invalidItem` for anything that the sender never sends: no JSON, or a missing list.
  package func read(_ delivery: HookDelivery) throws(HubFailure) -> HookReading {
    switch hook.kind {
    case .alertmanager, .grafana: try AlertHook(kind: hook.kind, body: json(delivery)).read()
    case .github:
      try ForgeHook(kind: hook.kind, event: delivery.field("X-GitHub-Event"), body: json(delivery)).read()
    case .forgejo, .gitea:
      try ForgeHook(kind: hook.kind, event: delivery.field("X-Gitea-Event"), body: json(delivery)).read()
    case .gitlab: try GitLabHook(body: json(delivery)).read()
    case .gotify: .items([try GotifyHook.item(message(delivery), name: hook.name)])
    case .kuma: try KumaHook.read(json(delivery))
    case .ntfy: try NtfyHook(now: now).read(delivery)
    case .json, .standard:
      try hook.templates.map { (templates) throws(HubFailure) in try templates.read(try json(delivery)) }
        ?? .ignored
    }
  }

  /// Returns the JSON document in the body, or in a field of a form: `payload` for GitHub and similar forges, `data`
  /// for Uptime Kuma.
  private func json(_ delivery: HookDelivery) throws(HubFailure) -> JSONValue {
    let document = fields(of: delivery)?.first { $0.name == "payload" || $0.name == "data" }?.value
    return try Self.parse(document.map { Data($0.utf8) } ?? delivery.body)
  }

  /// Returns the fields of a form, or `nil` if the body isn't a form, or can't be read as one.
  private func fields(of delivery: HookDelivery) -> [(name: String, value: String)]? {
    switch delivery.type {
    case "application/x-www-form-urlencoded": FormFields.urlEncoded(delivery.body)
    case "multipart/form-data":
      FormFields.multipart(delivery.body, type: delivery.field("Content-Type") ?? "")
    default: nil
    }
  }

  static func parse(_ body: Data) throws(HubFailure) -> JSONValue {
    do {
      return try JSONReader.parse(body)
    } catch {
      throw HubFailure(.invalidItem, "is not JSON: \(error)", at: "$")
    }
  }

  /// Returns the message of a delivery in Gotify's form, which is JSON or one of both kinds of forms.
  private func message(_ delivery: HookDelivery) throws(HubFailure) -> JSONValue {
    let types = ["application/x-www-form-urlencoded", "multipart/form-data"]
    guard types.contains(delivery.type) else { return try Self.parse(delivery.body) }
    guard let fields = fields(of: delivery) else { throw HubFailure(.invalidItem, "is not a form", at: "$") }
    return .object(JSONObject(fields.map { .init(key: $0.name, value: .string($0.value)) }))
  }
}
