import Basics
import Formats
import Messages

/// Reads Uptime Kuma's webhook with a JSON body.
enum KumaHook {
  static func read(_ body: JSONValue) throws(HubFailure) -> HookReading {
    let message = body.at("msg")?.shown
    guard let heartbeat = body.at("heartbeat") else {
      // This is its test, or a report without a heartbeat: a certificate that expires soon.
      guard let message else { throw HubFailure(.invalidItem, "is missing", at: "$.msg") }
      var item = HookItem(key: "kuma/message/\(SHA256.digest(message).prefix(8).hex)")
      item.set("title", message)
      item.setPriority(3)
      return .items([item])
    }
    let number = (body.at("monitor", "id") ?? heartbeat.at("monitorID"))?.shown
    guard let number, let status = heartbeat.at("status")?.integer else {
      throw HubFailure(.invalidItem, "has no monitor, or no status", at: "$.heartbeat")
    }
    var item = HookItem(key: "kuma/\(number)")
    item.set("title", body.at("monitor", "name")?.shown ?? "Monitor \(number)")
    item.setBody(heartbeat.at("msg")?.shown ?? message)
    // A monitor without a URL has one of these.
    if let url = body.at("monitor", "url")?.shown, url != "https://", url != "http://" { item.setURL(url) }
    item.set("time", HookTime.text(HookTime.parse(heartbeat.at("time")?.text)))
    switch status {
    case 0: item.setPriority(5)
    case 1:
      item.setPriority(3)
      item.setDone()
    default: item.setPriority(2)
    }
    item.succession = .newest
    return .items([item])
  }
}
