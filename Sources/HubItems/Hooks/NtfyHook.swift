import Dates
import Formats
import Foundation
import Limits

/// A message as ntfy takes it: a body with fields or query items, or JSON at the address without a topic.
struct NtfyHook {
  let now: Date

  func item(_ delivery: HookDelivery) throws(HubFailure) -> HookItem {
    if let topic = delivery.topic { return try message(delivery, topic) }
    return try message(try HookReader.parse(delivery.body))
  }

  private func message(_ json: JSONValue) throws(HubFailure) -> HookItem {
    guard let topic = json.at("topic")?.text else {
      throw HubFailure(.invalidItem, "is missing", at: "$.topic")
    }
    var item = try start(topic, at: "$.topic")
    item.set("title", json.at("title")?.shown)
    item.setBody(json.at("message")?.shown ?? "triggered")
    item.setURL(json.at("click")?.shown)
    item.setTags(json.at("tags")?.elements?.map(\.text) ?? [])
    item.setPriority(try priority(json.at("priority")?.shown, at: "$.priority"))
    item.set("not_before", try delay(json.at("delay")?.shown, at: "$.delay"))
    item.set("actions", Self.actions(json.at("actions")?.elements ?? []))
    return item
  }

  private func message(_ delivery: HookDelivery, _ topic: String) throws(HubFailure) -> HookItem {
    func value(_ names: String...) -> String? {
      for name in names {
        if let text = delivery.field(name).map({ EncodedWords.decoded($0) })
          ?? delivery.query.first(where: { $0.name.lowercased() == name.lowercased() })?.value, !text.isEmpty
        {
          return text
        }
      }
      return nil
    }
    var item = try start(topic, at: "topic")
    guard let text = String(validating: delivery.body, as: UTF8.self) else {
      throw HubFailure(.invalidItem, "isn't text in UTF-8", at: "body")
    }
    item.set("title", value("X-Title", "Title", "ti", "t"))
    let message =
      text.isEmpty ? value("X-Message", "Message", "m")?.replacing(exactly: "\\n", with: "\n") : text
    item.setBody(message ?? "triggered")
    item.setURL(value("X-Click", "Click"))
    item.setTags(value("X-Tags", "Tags", "Tag", "ta").map { MessageFields.tags($0) } ?? [])
    let priorities = ["X-Priority", "Priority", "prio", "p"].lazy.compactMap { value($0) }
    item.setPriority(
      try priority(priorities.first { !MessageFields.isOfTransfer($0) }, at: "X-Priority"))
    item.set("not_before", try delay(value("X-Delay", "Delay", "X-At", "At", "X-In", "In"), at: "X-Delay"))
    if let actions = value("X-Actions", "Actions", "Action") {
      let json = (try? JSONReader.parse(actions))?.elements
      item.set("actions", Self.actions(json ?? NtfyActions.read(actions)))
    }
    return item
  }

  private func start(_ topic: String, at place: String) throws(HubFailure) -> HookItem {
    let isTopic = topic.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
    }
    guard (1...64).contains(topic.utf8.count), isTopic else {
      throw HubFailure(.invalidItem, "must have 1 to 64 letters, digits, hyphens or underscores", at: place)
    }
    var item = HookItem(key: nil)
    item.set("channel", topic)
    return item
  }

  private func priority(_ text: String?, at place: String) throws(HubFailure) -> Int? {
    guard let text else { return nil }
    guard let priority = MessageFields.priority(text) else {
      throw HubFailure(.invalidItem, "must be 1 to 5", at: place)
    }
    return priority
  }

  /// Seconds since 1970, or a span from now; ntfy's other words (tomorrow, 10am) aren't known.
  func delay(_ text: String?, at place: String) throws(HubFailure) -> String? {
    guard let text = text?.lowercased().trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Double(text), (0x1p29...0x1p33).contains(seconds) {
      return ISOInstant.text(Date(timeIntervalSince1970: seconds))
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
    let letter = unit.first.map { String($0) } ?? ""
    let known = ["s", "m", "h", "d"].contains(letter)
    let full =
      ["sec", "second", "min", "minute", "hour", "day"].flatMap { [$0, $0 + "s"] } + ["s", "m", "h", "d"]
    guard known, full.contains(unit), let moment = Span.moment(digits + letter, from: now) else {
      throw HubFailure(.invalidItem, "must be seconds since 1970, or a span like 30m or 2 hours", at: place)
    }
    return ISOInstant.text(moment)
  }

  /// Those that open an address.
  private static func actions(_ elements: [JSONValue]) -> JSONValue? {
    let actions = elements.prefix(Limits.hubHookTags).compactMap { element -> JSONValue? in
      guard element.at("action")?.text == "view", let url = element.at("url")?.shown,
        OpenableAddress.isOne(url)
      else { return nil }
      return .object(
        JSONObject([
          .init(key: "label", value: .string(element.at("label")?.shown ?? url)),
          .init(key: "url", value: .string(url)),
        ]))
    }
    return actions.isEmpty ? nil : .array(actions)
  }
}

/// ntfy's short form of actions: `view, Open, https://…; …`, also with `label=Open`, and with quotes.
enum NtfyActions {
  static func read(_ text: String) -> [JSONValue] {
    split(text, at: ";").map { action in
      var object = JSONObject()
      var names = ["action", "label", "url"][...]
      for part in split(action, at: ",") {
        let part = part.trimmingCharacters(in: .whitespaces)
        let sides = part.split(exactly: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if sides.count == 2, ["action", "label", "url", "clear"].contains(sides[0].lowercased()) {
          object[sides[0].lowercased()] = .string(unquoted(sides[1]))
          names = names.filter { $0 != sides[0].lowercased() }[...]
        } else if let name = names.popFirst() {
          object[name] = .string(unquoted(part))
        }
      }
      return .object(object)
    }
  }

  /// Not at a sign in quotes.
  private static func split(_ text: String, at sign: Character) -> [String] {
    var (parts, quote): ([String], Character?) = ([""], nil)
    for character in text {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      }
      if quote == nil, character == sign {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, let first = text.first, first == text.last, first == "\"" || first == "'" else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }
}
