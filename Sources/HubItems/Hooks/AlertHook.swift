import Dates
import Digests
import Formats
import Foundation
import Limits
import Messages

/// Alertmanager's webhook (version 4 of its format), and Grafana's, which has more: an item for each alert.
struct AlertHook {
  let kind: HookKind
  let body: JSONValue

  /// For this long what is over stays for those who look later.
  private static let resolvedSeconds: Double = 86_400

  func read() throws(HubFailure) -> HookReading {
    guard let alerts = body.at("alerts")?.elements else {
      throw HubFailure(.invalidItem, "must be an array of alerts", at: "$.alerts")
    }
    var items = alerts.prefix(Limits.hubHookItems).compactMap(item)
    let truncated = max(0, body.at("truncatedAlerts")?.integer ?? 0)
    let left = truncated.addingReportingOverflow(alerts.count - min(alerts.count, Limits.hubHookItems))
    if left.partialValue > 0, !left.overflow { items.append(rest(left.partialValue)) }
    return items.isEmpty ? .ignored : .items(items)
  }

  private func item(_ alert: JSONValue) -> HookItem? {
    guard let fingerprint = alert.at("fingerprint")?.shown else { return nil }
    let organisation = body.at("orgId")?.shown ?? "1"
    var item = HookItem(
      key: kind == .grafana ? "grafana/\(organisation)/\(fingerprint)" : "alert/\(fingerprint)")
    let name = alert.at("labels", "alertname")?.shown
    item.set("title", alert.at("annotations", "summary")?.shown ?? name ?? "Alert")
    item.setBody(alert.at("annotations", "description")?.shown)
    item.setURL((alert.at("panelURL") ?? alert.at("generatorURL"))?.shown ?? alert.at("generatorURL")?.shown)
    let severity = alert.at("labels", "severity")?.shown
    item.setPriority(["critical": 5, "warning": 4, "info": 2][severity?.lowercased() ?? ""] ?? 3)
    item.setTags([name, severity])
    item.set("time", HookTime.text(HookTime.parse(alert.at("startsAt")?.text)))
    if kind == .grafana, let silence = alert.at("silenceURL")?.shown {
      let action = JSONObject([
        .init(key: "label", value: .string("Silence")), .init(key: "url", value: .string(silence)),
      ])
      item.set("actions", .array([.object(action)]))
    }
    if alert.at("status")?.text == "resolved" {
      item.setDone()
      // Of the alert's own end, so that the same again is the same.
      let end = HookTime.parse(alert.at("endsAt")?.text)
      item.set("expires", HookTime.text(end?.addingTimeInterval(Self.resolvedSeconds)) ?? "24h")
    }
    item.succession = .newest
    return item
  }

  /// One more item, for what the delivery has no room for.
  private func rest(_ count: Int) -> HookItem {
    let group = body.at("groupKey")?.shown ?? body.at("receiver")?.shown ?? ""
    let start = kind == .grafana ? "grafana" : "alert"
    var item = HookItem(key: "\(start)/truncated/\(SHA256.digest(group).prefix(8).hex)")
    item.set("title", "\(count) more alert\(count == 1 ? "" : "s")")
    item.setBody(
      "The delivery had no room for them. Receiver: \(body.at("receiver")?.shown ?? "unknown").")
    item.setURL(body.at("externalURL")?.shown)
    item.setPriority(3)
    if body.at("status")?.text == "resolved" { item.setDone() }
    return item
  }
}
