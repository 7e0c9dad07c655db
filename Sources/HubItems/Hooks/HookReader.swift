import Formats
package import Foundation

/// Makes items of deliveries (page "Hub", the table of webhooks).
package struct HookReader: Sendable {
  let hook: Hook
  /// What spans count from.
  let now: Date

  package init(_ hook: Hook, now: Date) { (self.hook, self.now) = (hook, now) }

  /// Throws `invalidItem` for what the sender doesn't send: no JSON, or a list that isn't there.
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
    case .ntfy: .items([try NtfyHook(now: now).item(delivery)])
    case .json, .standard:
      try hook.templates.map { (templates) throws(HubFailure) in try templates.read(try json(delivery)) }
        ?? .ignored
    }
  }

  /// The document, or that of the field `payload` of a form.
  private func json(_ delivery: HookDelivery) throws(HubFailure) -> JSONValue {
    var body = delivery.body
    if delivery.type == "application/x-www-form-urlencoded",
      let payload = FormFields.urlEncoded(body)?.first(where: { $0.name == "payload" })?.value
    {
      body = Data(payload.utf8)
    }
    return try Self.parse(body)
  }

  static func parse(_ body: Data) throws(HubFailure) -> JSONValue {
    do {
      return try JSONReader.parse(body)
    } catch {
      throw HubFailure(.invalidItem, "isn't JSON: \(error)", at: "$")
    }
  }

  /// Gotify takes JSON and both kinds of forms.
  private func message(_ delivery: HookDelivery) throws(HubFailure) -> JSONValue {
    let fields: [(name: String, value: String)]?
    switch delivery.type {
    case "application/x-www-form-urlencoded": fields = FormFields.urlEncoded(delivery.body)
    case "multipart/form-data":
      fields = FormFields.multipart(delivery.body, type: delivery.field("Content-Type") ?? "")
    default: return try Self.parse(delivery.body)
    }
    guard let fields else { throw HubFailure(.invalidItem, "isn't a form", at: "$") }
    return .object(JSONObject(fields.map { .init(key: $0.name, value: .string($0.value)) }))
  }
}
