import Basics

/// Reads the keys of `aps`, both of received payloads and of those to be made: they have
/// the same names and types.
struct APNsKeys {
  /// A key with a value that isn't allowed, worded for `APNsRefusal` and `FormatProblem`.
  struct Mismatch {
    /// Its path in the object: `alert.loc-args[1]`.
    var key: String
    var expected: String
    var found: String
  }

  private(set) var mismatches: [Mismatch] = []

  /// Reads every key of `aps` and returns the unknown ones.
  mutating func read(_ object: JSONObject, into payload: inout APNsPayload) -> JSONObject {
    var unknown: [JSONObject.Member] = []
    for member in object.members {
      let value = member.value
      switch member.key {
      case "alert": payload.alert = alert(value)
      case "badge": payload.badge = integer("badge", value, least: 0)
      case "sound": payload.sound = sound(value)
      case "content-available": payload.contentAvailable = flag("content-available", value)
      case "category": payload.category = text("category", value)
      case "thread-id": payload.threadID = text("thread-id", value)
      case "mutable-content": payload.mutableContent = flag("mutable-content", value)
      case "target-content-id": payload.targetContentID = text("target-content-id", value)
      case "interruption-level":
        payload.interruptionLevel = value.text.flatMap(APNsPayload.InterruptionLevel.init)
        if payload.interruptionLevel == nil {
          mismatch("interruption-level", "passive, active, time-sensitive or critical", value)
        }
      case "relevance-score": payload.relevanceScore = share("relevance-score", value)
      case "filter-criteria": payload.filterCriteria = text("filter-criteria", value)
      case "event": payload.event = text("event", value)
      case "timestamp": payload.timestamp = integer("timestamp", value)
      case "url-args": payload.urlArgs = texts("url-args", value)
      case "attributes-type": payload.attributesType = text("attributes-type", value)
      case "attributes": payload.attributes = self.object("attributes", value)
      case "content-state": payload.contentState = self.object("content-state", value)
      case "stale-date": payload.staleDate = integer("stale-date", value)
      case "dismissal-date": payload.dismissalDate = integer("dismissal-date", value)
      case "input-push-token": payload.inputPushToken = flag("input-push-token", value)
      default: unknown.append(member)
      }
    }
    return JSONObject(distinct: unknown)
  }

  private mutating func alert(_ value: JSONValue) -> APNsPayload.Alert? {
    if let text = value.text { return .text(text) }
    guard let object = value.object else {
      mismatch("alert", "a string or an object", value)
      return nil
    }
    var parts = APNsPayload.AlertParts()
    var unknown: [JSONObject.Member] = []
    for member in object.members {
      let value = member.value
      let key = "alert.\(member.key)"
      switch member.key {
      case "title": parts.title = text(key, value)
      case "subtitle": parts.subtitle = text(key, value)
      case "body": parts.body = text(key, value)
      case "launch-image": parts.launchImage = text(key, value)
      case "title-loc-key":
        parts.titleLocKey = value.isNull ? .null : text(key, value, orNull: true).map { .value($0) }
      case "title-loc-args":
        parts.titleLocArgs = value.isNull ? .null : texts(key, value, orNull: true).map { .value($0) }
      case "subtitle-loc-key": parts.subtitleLocKey = text(key, value)
      case "subtitle-loc-args": parts.subtitleLocArgs = texts(key, value)
      case "action": parts.action = text(key, value)
      case "action-loc-key":
        parts.actionLocKey = value.isNull ? .null : text(key, value, orNull: true).map { .value($0) }
      case "loc-key": parts.locKey = text(key, value)
      case "loc-args": parts.locArgs = texts(key, value)
      case "summary-arg": parts.summaryArg = text(key, value)
      case "summary-arg-count": parts.summaryArgCount = integer(key, value, least: 0)
      default: unknown.append(member)
      }
    }
    parts.unknown = JSONObject(distinct: unknown)
    return .parts(parts)
  }

  private mutating func sound(_ value: JSONValue) -> APNsPayload.Sound? {
    if let name = value.text { return .named(name) }
    guard let object = value.object else {
      mismatch("sound", "a string or an object", value)
      return nil
    }
    var critical: Bool?
    var name: String?
    var volume: Double?
    for member in object.members {
      switch member.key {
      case "critical": critical = flag("sound.critical", member.value)
      case "name": name = text("sound.name", member.value)
      case "volume": volume = share("sound.volume", member.value)
      case let key: mismatch("sound.\(key)", "absent (critical, name and volume are allowed)", member.value)
      }
    }
    return .dictionary(critical: critical, name: name, volume: volume)
  }

  private mutating func text(_ key: String, _ value: JSONValue, orNull: Bool = false) -> String? {
    if let text = value.text { return text }
    mismatch(key, orNull ? "a string or null" : "a string", value)
    return nil
  }

  private mutating func texts(_ key: String, _ value: JSONValue, orNull: Bool = false) -> [String]? {
    guard let elements = value.elements else {
      mismatch(key, orNull ? "an array of strings or null" : "an array of strings", value)
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      // An element that isn't a string still counts, or the arguments after it would move up.
      texts.append(text("\(key)[\(index)]", element) ?? "")
      if case .number(let spelled) = element { texts[index] = spelled }
    }
    return texts
  }

  private mutating func object(_ key: String, _ value: JSONValue) -> JSONObject? {
    if let object = value.object { return object }
    mismatch(key, "an object", value)
    return nil
  }

  private mutating func integer(_ key: String, _ value: JSONValue, least: Int = .min) -> Int? {
    if let integer = value.integer, integer >= least { return integer }
    mismatch(key, least == .min ? "an integer" : "an integer from \(least)", value)
    return nil
  }

  private mutating func flag(_ key: String, _ value: JSONValue) -> Bool? {
    if let bool = value.bool { return bool }
    if let integer = value.integer, integer == 0 || integer == 1 { return integer == 1 }
    mismatch(key, "1, 0, true or false", value)
    return nil
  }

  private mutating func share(_ key: String, _ value: JSONValue) -> Double? {
    if let share = value.double, (0...1).contains(share) { return share }
    mismatch(key, "a number from 0 to 1", value)
    return nil
  }

  private mutating func mismatch(_ key: String, _ expected: String, _ value: JSONValue) {
    mismatches.append(Mismatch(key: key, expected: expected, found: value.kindInWords))
  }
}
