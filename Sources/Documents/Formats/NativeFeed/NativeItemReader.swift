package import Basics

/// Reads one item of a native feed. The paths of problems are relative to the item (`.expires`, `.tags[0]`).
package enum NativeItemReader {
  /// Reads an item, or returns `nil` if it has no valid id.
  ///
  /// - Parameter unknown: called with each unknown key.
  package static func read(
    _ object: JSONObject, problems: inout [FormatProblem], unknown: (String) -> Void
  ) -> NativeItem? {
    var object = object
    let marks = marks(from: &object, problems: &problems)
    let item = shaped(object, problems: &problems, unknown: unknown)
    guard let item, let marks else { return item }
    return .published(marks, item)
  }

  /// Reads the keys that a hub adds to an item, and removes them from the object.
  ///
  /// - Returns: `nil` if the object has none of them.
  private static func marks(from object: inout JSONObject, problems: inout [FormatProblem]) -> HubMarks? {
    guard object.members.contains(where: { ["key", "news", "done"].contains($0.key) }) else { return nil }
    var marks = HubMarks()
    if let value = object["key"], !value.isNull {
      if case .string(let key) = value, (1...Limits.hubKeyBytes).contains(key.utf8.count) {
        marks.key = key
      } else {
        let found = value.text == nil ? value.kindInWords : "one of \(value.text?.utf8.count ?? 0) bytes"
        problems.append(
          FormatProblem(
            at: ".key", message: "must be a string of 1 to \(Limits.hubKeyBytes) bytes, not \(found)"))
      }
    }
    func flag(_ key: String) -> Bool {
      guard let value = object[key], !value.isNull else { return false }
      if let flag = value.bool { return flag }
      problems.append(
        FormatProblem(at: ".\(key)", message: "must be true or false, not \(value.kindInWords)"))
      return false
    }
    (marks.isNews, marks.isDone) = (flag("news"), flag("done"))
    for key in ["key", "news", "done"] { object[key] = nil }
    return marks
  }

  /// Reads an item, whose keys show its form. The keys that a hub adds were already removed.
  private static func shaped(
    _ object: JSONObject, problems: inout [FormatProblem], unknown: (String) -> Void
  ) -> NativeItem? {
    switch Shape(of: object) {
    case .plain: return plain(object, problems: &problems, unknown: unknown).map(NativeItem.plain)
    case .inApp:
      let reading = InAppNotificationReader.read(object, at: "")
      problems += reading.problems
      return reading.notification.map(NativeItem.inApp)
    case .apns:
      guard let id = apnsID(object) else {
        problems.append(FormatProblem(at: ".id", message: missingID(object["id"] ?? object["apns-id"])))
        return nil
      }
      var payload = object
      payload[id.key] = nil
      let reading = APNsPayload.read(payload, at: "")
      problems += reading.problems
      return .apns(id.id, reading.payload)
    }
  }

  /// Returns the id of an item that could not be read, from any key that may contain an id.
  static func anyID(_ object: JSONObject) -> NativeID? {
    for key in ["id", "notificationid", "apns-id"] {
      if let id = object[key].flatMap(NativeID.init) { return id }
    }
    return nil
  }

  /// The three forms of an item.
  private enum Shape {
    case plain, inApp, apns

    /// Detects the shape of an object. It is an APNs payload if it has `aps`, and an in-app notification if
    /// it has a key that only in-app notifications have. A key that plain messages may have too makes it an
    /// in-app notification only if the object has no typical key of a plain message.
    init(of object: JSONObject) {
      var isSurelyInApp = false
      var mayBeInApp = false
      var mayBePlain = false
      for member in object.members {
        // The most common keys are first, since this runs for every key of every item.
        switch member.key {
        case "id": break
        case "title", "body", "url", "time", "html", "expires", "tags", "author", "actions": mayBePlain = true
        case "aps":
          self = .apns
          return
        case "notificationid", "actiondata", "translations", "relativetime", "epoch", "notificationtype",
          "actiontype":
          isSurelyInApp = true
        case "type", "data", "expiry", "fields", "relative", "poster", "msg": mayBeInApp = true
        default: break
        }
      }
      self = isSurelyInApp || mayBeInApp && !mayBePlain ? .inApp : .plain
    }
  }

  /// Returns the id of an APNs item, and its key.
  private static func apnsID(_ object: JSONObject) -> (key: String, id: NativeID)? {
    for key in ["id", "apns-id"] {
      if let id = object[key].flatMap(NativeID.init) { return (key, id) }
    }
    return nil
  }

  /// Returns the problem of an id that is missing or invalid.
  private static func missingID(_ value: JSONValue?) -> String {
    guard let value, !value.isNull else { return "is missing; an item needs an integer or a string" }
    return "must be an integer or a string, not \(value.kindInWords)"
  }

  /// Reads a plain message, or returns `nil` if it has no valid id.
  private static func plain(
    _ object: JSONObject, problems: inout [FormatProblem], unknown: (String) -> Void
  ) -> PlainItem? {
    guard let id = object["id"].flatMap(NativeID.init) else {
      problems.append(FormatProblem(at: ".id", message: missingID(object["id"])))
      return nil
    }
    var item = PlainItem(id: id)
    for member in object.members {
      let value = member.value
      if value.isNull { continue }
      func report(_ expected: String) {
        problems.append(
          FormatProblem(at: ".\(member.key)", message: "must be \(expected), not \(value.kindInWords)"))
      }
      func text() -> String? {
        guard case .string(let text) = value else {
          report("a string")
          return nil
        }
        return text
      }
      switch member.key {
      case "id": break
      case "title": item.title = text()
      case "body": item.body = text()
      case "html": item.html = text()
      case "url": item.url = text()
      case "author": item.author = text()
      case "channel": item.channel = text()
      case "group": item.group = text()
      case "time", "expires":
        guard let date = value.text.flatMap(ISOInstant.parse) else {
          report("a time like 2026-11-20T09:00:00Z")
          continue
        }
        if ISOInstant.isNone(date) { continue }
        if member.key == "time" { item.time = date } else { item.expires = date }
      case "priority":
        if let priority = value.integer, (1...5).contains(priority) {
          item.priority = priority
        } else {
          report("1 to 5")
        }
      case "tags":
        guard let elements = value.elements else {
          report("an array of strings")
          continue
        }
        item.tags = tags(elements, problems: &problems)
      case "actions":
        guard let elements = value.elements else {
          report("an array of objects with label and url")
          continue
        }
        item.actions = actions(elements, problems: &problems)
      default: unknown(member.key)
      }
    }
    return item
  }

  private static func tags(_ elements: [JSONValue], problems: inout [FormatProblem]) -> [String] {
    var tags: [String] = []
    for (index, element) in elements.enumerated() {
      if let tag = element.text {
        tags.append(tag)
      } else {
        problems.append(
          FormatProblem(at: ".tags[\(index)]", message: "must be a string, not \(element.kindInWords)"))
      }
    }
    return tags
  }

  private static func actions(_ elements: [JSONValue], problems: inout [FormatProblem]) -> [PlainItem.Action]
  {
    var actions: [PlainItem.Action] = []
    for (index, element) in elements.enumerated() {
      if let object = element.object, let url = object["url"]?.text, !url.isEmpty {
        actions.append(PlainItem.Action(label: object["label"]?.text ?? url, url: url))
      } else {
        problems.append(
          FormatProblem(at: ".actions[\(index)]", message: "must be an object with label and url"))
      }
    }
    return actions
  }
}
