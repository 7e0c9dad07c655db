import Basics
import Calendars
import Formats
import Foundation

/// Reads a message in ntfy's form: a body with header fields or query items, or JSON at the URL without a topic.
struct NtfyHook {
  let now: Date
  /// The zone of times of day, which is the hub's, as in ntfy.
  var zone = ZoneClock.system

  func read(_ delivery: HookDelivery) throws(HubFailure) -> HookReading {
    guard let address = delivery.ntfy, let topic = address.topic else {
      return .items([try message(try HookReader.parse(delivery.body))])
    }
    switch address.order {
    case .publish: return .items([try message(delivery, topic, address.sequence)])
    case .clear:
      var item = try start(topic, address.sequence, at: "topic")
      item.succession = .clear
      return .items([item])
    case .withdraw:
      _ = try start(topic, address.sequence, at: "topic")
      return .withdrawal(key: Self.key(topic, address.sequence ?? ""))
    }
  }

  /// Returns the key for the messages of one sequence.
  private static func key(_ topic: String, _ sequence: String) -> String { "\(topic)/\(sequence)" }

  private func message(_ json: JSONValue) throws(HubFailure) -> HookItem {
    guard let topic = json.at("topic")?.text else {
      throw HubFailure(.invalidItem, "is missing", at: "$.topic")
    }
    var item = try start(topic, json.at("sequence_id")?.shown, at: "$.topic")
    item.set("title", json.at("title")?.shown)
    item.setBody(json.at("message")?.shown ?? "triggered")
    item.setURL(json.at("click")?.shown)
    item.setTags(json.at("tags")?.elements?.map(\.text) ?? [])
    item.setPriority(try priority(json.at("priority")?.shown, at: "$.priority"))
    item.set("not_before", try delay(json.at("delay")?.shown, at: "$.delay"))
    item.set(
      "actions",
      Self.actions(json.at("actions")?.elements ?? [], json.at("attach")?.shown, json.at("filename")?.shown))
    return item
  }

  private func message(
    _ delivery: HookDelivery, _ topic: String, _ sequence: String?
  ) throws(HubFailure) -> HookItem {
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
    let named = value("X-Sequence-ID", "Sequence-ID", "SID", "sequence_id")
    var item = try start(topic, sequence ?? named, at: "topic")
    guard let text = String(validating: delivery.body, as: UTF8.self) else {
      throw HubFailure(.invalidItem, "is not text in UTF-8", at: "body")
    }
    item.set("title", value("X-Title", "Title", "ti", "t"))
    let message =
      text.isEmpty ? value("X-Message", "Message", "m")?.replacingBytes("\\n", with: "\n") : text
    item.setBody(message ?? "triggered")
    item.setURL(value("X-Click", "Click"))
    item.setTags(value("X-Tags", "Tags", "Tag", "ta").map { MessageFields.tags($0) } ?? [])
    let priorities = ["X-Priority", "Priority", "prio", "p"].lazy.compactMap { value($0) }
    item.setPriority(
      try priority(priorities.first { !MessageFields.isOfTransfer($0) }, at: "X-Priority"))
    item.set("not_before", try delay(value("X-Delay", "Delay", "X-At", "At", "X-In", "In"), at: "X-Delay"))
    let actions = value("X-Actions", "Actions", "Action").map { text in
      (try? JSONReader.parse(text))?.elements ?? NtfyActions.read(text)
    }
    let file = value("X-Filename", "Filename", "File", "f")
    item.set("actions", Self.actions(actions ?? [], value("X-Attach", "Attach", "a"), file))
    return item
  }

  /// Creates an item of a topic, with the key of its sequence if there is one.
  private func start(_ topic: String, _ sequence: String?, at place: String) throws(HubFailure) -> HookItem {
    let isTopic = topic.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
    }
    guard (1...64).contains(topic.utf8.count), isTopic else {
      throw HubFailure(.invalidItem, "must have 1 to 64 letters, digits, hyphens or underscores", at: place)
    }
    var item = HookItem(key: sequence.map { Self.key(topic, $0) })
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

  /// Parses seconds since 1970, a span from now, or a time in words: `tomorrow, 10am`.
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
    let span = known && full.contains(unit) ? Span.moment(digits + letter, from: now) : nil
    guard let moment = span ?? SnoozeTime.parse(text, now: now, zone: zone) else {
      throw HubFailure(
        .invalidItem, "must be seconds since 1970, a span like 30m or 2 hours, or a time like tomorrow, 10am",
        at: place)
    }
    return ISOInstant.text(moment)
  }

  /// Returns the actions that open a URL, and one for the URL of an attached file.
  private static func actions(_ elements: [JSONValue], _ file: String?, _ name: String?) -> JSONValue? {
    let views = elements.prefix(Limits.hubHookTags).filter { $0.at("action")?.text == "view" }
    var found = views.map { ($0.at("label")?.shown, $0.at("url")?.shown) }
    if let file { found.append((name ?? URL(string: file)?.lastPathComponent, file)) }
    let actions = found.compactMap { label, url -> JSONValue? in
      guard let url, OpenableAddress.isOne(url) else { return nil }
      let label = label.flatMap { $0.isEmpty || $0 == "/" ? nil : $0 } ?? url
      return .object(
        JSONObject([.init(key: "label", value: .string(label)), .init(key: "url", value: .string(url))]))
    }
    return actions.isEmpty ? nil : .array(actions)
  }
}

/// Reads ntfy's short form of actions: `view, Open, https://…; …`, also with `label=Open`, and with quotes.
enum NtfyActions {
  static func read(_ text: String) -> [JSONValue] {
    split(text, at: ";").map { action in
      var object = JSONObject()
      var names = ["action", "label", "url"][...]
      for part in split(action, at: ",") {
        let part = part.trimmingCharacters(in: .whitespaces)
        let sides = part.split(onBytes: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
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

  /// Splits text at a character, except inside quotes.
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
