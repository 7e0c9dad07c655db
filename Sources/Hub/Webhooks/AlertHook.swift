import Basics
import Formats
import Foundation
import Messages

/// Reads Alertmanager's webhook (version 4 of its format), and Grafana's, which has additional fields. Each alert
/// becomes an item.
struct AlertHook {
  let kind: HookKind
  let body: JSONValue

  /// The seconds for which resolved alerts are kept for later readers.
  private static let resolvedSeconds: Double = 86_400

  func read() throws(HubFailure) -> HookReading {
    guard let alerts = body.at("alerts")?.elements else {
      if kind == .grafana, let rule = body.at("ruleId")?.shown { return .items([item(ofRule: rule)]) }
      throw HubFailure(.invalidItem, "must be an array of alerts", at: "$.alerts")
    }
    var (items, problems): ([HookItem], [FormatProblem]) = ([], [])
    for (index, alert) in alerts.prefix(Limits.hubHookItems).enumerated() {
      let place = JSONPath.index(index, under: "$.alerts")
      do throws(HubFailure) {
        var item = try item(alert, at: place)
        item.place = place
        items.append(item)
      } catch {
        problems.append(FormatProblem(at: error.at ?? place, message: error.message))
      }
    }
    let truncated = max(0, body.at("truncatedAlerts")?.integer ?? 0)
    let left = truncated.addingReportingOverflow(alerts.count - min(alerts.count, Limits.hubHookItems))
    if left.partialValue > 0, !left.overflow { items.append(rest(left.partialValue)) }
    if !problems.isEmpty { return .partial(items, problems) }
    return items.isEmpty ? .ignored : .items(items)
  }

  private func item(_ alert: JSONValue, at place: String) throws(HubFailure) -> HookItem {
    guard let object = alert.object else {
      throw HubFailure(.invalidItem, "must be an object, not \(alert.kindInWords)", at: place)
    }
    let given = alert.at("fingerprint")?.shown
    guard let fingerprint = given ?? object["labels"]?.object.flatMap(AlertFingerprint.of) else {
      throw HubFailure(.invalidItem, "has neither a fingerprint nor labels", at: place)
    }
    // The start decides which of two deliveries of an alert is later.
    if let start = alert.at("startsAt"), !HookTime.isReadable(start) {
      throw HubFailure(.invalidItem, "must be a time", at: JSONPath.key("startsAt", under: place))
    }
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
    // The URL is relative if Grafana does not know its own.
    if kind == .grafana, let silence = alert.at("silenceURL")?.shown, OpenableAddress.isOne(silence),
      silence.utf8.count <= Limits.hubHookAddressBytes
    {
      let action = JSONObject([
        .init(key: "label", value: .string("Silence")), .init(key: "url", value: .string(silence)),
      ])
      item.set("actions", .array([.object(action)]))
    }
    if alert.at("status")?.text == "resolved" {
      item.setDone()
      // The end is derived from the alert's own end, so that repeated deliveries are equal.
      let end = HookTime.parse(alert.at("endsAt")?.text)
      item.set("expires", HookTime.text(end?.addingTimeInterval(Self.resolvedSeconds)) ?? "24h")
    }
    item.succession = .newest
    return item
  }

  /// Returns the item for a delivery of Grafana before version 9, or of its legacy alerting up to version 10. Such a
  /// delivery is about one rule.
  private func item(ofRule rule: String) -> HookItem {
    var item = HookItem(key: "grafana/\(body.at("orgId")?.shown ?? "1")/rule/\(rule)")
    item.set("title", body.at("ruleName")?.shown ?? body.at("title")?.shown ?? "Alert")
    item.setBody(body.at("message")?.shown)
    item.setURL(body.at("ruleUrl")?.shown)
    switch body.at("state")?.text {
    case "alerting": item.setPriority(4)
    case "ok":
      item.setPriority(3)
      item.setDone()
    default: item.setPriority(3)
    }
    return item
  }

  /// Returns one more item for the alerts that exceed the delivery's limit.
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
