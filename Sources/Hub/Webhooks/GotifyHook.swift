import Formats

/// Reads a message in Gotify's form.
enum GotifyHook {
  /// - Parameter name: the title of messages without one.
  static func item(_ body: JSONValue, name: FeedName) throws(HubFailure) -> HookItem {
    guard let message = body.at("message")?.shown else {
      throw HubFailure(.invalidItem, "is missing", at: "$.message")
    }
    var item = HookItem(key: nil)
    item.set("title", body.at("title")?.shown ?? name.text)
    item.setBody(message)
    item.setURL(body.at("extras", "client::notification", "click", "url")?.shown)
    if let priority = body.at("priority")?.numeric(orText: true)?.integer {
      switch priority {
      case ...0: item.setPriority(1)
      case 1...3: item.setPriority(2)
      case 4...7: item.setPriority(3)
      case 8...9: item.setPriority(4)
      default: item.setPriority(5)
      }
    }
    return item
  }
}
