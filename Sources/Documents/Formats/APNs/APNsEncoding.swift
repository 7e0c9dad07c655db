/// Why a payload cannot be made, with the key.
package enum APNsRefusal: Error, Hashable, Sendable {
  /// The request is not a JSON object.
  case notAnObject(found: String)
  /// A value of a wrong type, or outside the range of the key.
  case invalid(key: String, expected: String, found: String)
  case unknownKey(String)
  /// An extra key of this name would replace Apple's dictionary.
  case reservedKey(String)
  case tooLarge(bytes: Int, limit: Int)
}

extension APNsRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnObject(let found): "a payload is made from a JSON object, not \(found)"
    case .invalid(let key, let expected, let found): "\(key) must be \(expected), not \(found)"
    case .unknownKey(let key): "\(key) is not a key of a payload; the app's own keys belong in extra"
    case .reservedKey(let key): "\(key) cannot be an extra key"
    case .tooLarge(let bytes, let limit): "the payload has \(bytes) bytes; at most \(limit) are allowed"
    }
  }
}

extension APNsPayload {
  /// The payload as JSON without white space: `aps` first, then the extra keys in their order. Absent keys are
  /// omitted; `/` is not escaped.
  package func encoded(limit: Int = APNsPayload.sizeLimit) throws(APNsRefusal) -> String {
    let text = try JSONValue.object(jsonObject()).serialized()
    if text.utf8.count > limit { throw .tooLarge(bytes: text.utf8.count, limit: limit) }
    return text
  }

  private func jsonObject() throws(APNsRefusal) -> JSONObject {
    if extra["aps"] != nil { throw .reservedKey("aps") }
    if let badge, badge < 0 { throw .invalid(key: "badge", expected: "an integer from 0", found: "\(badge)") }
    if let relevanceScore { try Self.check(relevanceScore, "relevance-score") }
    if case .dictionary(_, _, let volume?)? = sound { try Self.check(volume, "sound.volume") }
    var members = [JSONObject.Member(key: "aps", value: .object(aps))]
    members += extra.members
    return JSONObject(members)
  }

  private static func check(_ share: Double, _ key: String) throws(APNsRefusal) {
    guard (0...1).contains(share) else {
      throw .invalid(key: key, expected: "a number from 0 to 1", found: "\(share)")
    }
  }

  /// The dictionary `aps`: Apple's keys in a fixed order, then the other ones.
  package var aps: JSONObject {
    var aps = MemberList()
    aps.add("alert", alert.map(\.json))
    aps.add("badge", badge.map(JSONValue.integer))
    aps.add("sound", sound.map(\.json))
    aps.add("content-available", contentAvailable.map(flag))
    aps.add("category", category.map(JSONValue.string))
    aps.add("thread-id", threadID.map(JSONValue.string))
    aps.add("mutable-content", mutableContent.map(flag))
    aps.add("target-content-id", targetContentID.map(JSONValue.string))
    aps.add("interruption-level", (interruptionLevel?.rawValue).map(JSONValue.string))
    aps.add("relevance-score", relevanceScore.map(JSONValue.double))
    aps.add("filter-criteria", filterCriteria.map(JSONValue.string))
    aps.add("url-args", urlArgs.map(strings))
    aps.add("attributes-type", attributesType.map(JSONValue.string))
    aps.add("attributes", attributes.map(JSONValue.object))
    aps.add("event", event.map(JSONValue.string))
    aps.add("timestamp", timestamp.map(JSONValue.integer))
    aps.add("content-state", contentState.map(JSONValue.object))
    aps.add("stale-date", staleDate.map(JSONValue.integer))
    aps.add("dismissal-date", dismissalDate.map(JSONValue.integer))
    aps.add("input-push-token", inputPushToken.map(flag))
    return JSONObject(aps.members + unknown.members)
  }
}

extension APNsPayload.Alert {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let text): return .string(text)
    case .parts(let parts):
      var alert = MemberList()
      alert.add("title", parts.title.map(JSONValue.string))
      alert.add("subtitle", parts.subtitle.map(JSONValue.string))
      alert.add("body", parts.body.map(JSONValue.string))
      alert.add("launch-image", parts.launchImage.map(JSONValue.string))
      alert.add("title-loc-key", parts.titleLocKey.map { $0.value.map(JSONValue.string) ?? .null })
      alert.add("title-loc-args", parts.titleLocArgs.map { $0.value.map(strings) ?? .null })
      alert.add("subtitle-loc-key", parts.subtitleLocKey.map(JSONValue.string))
      alert.add("subtitle-loc-args", parts.subtitleLocArgs.map(strings))
      alert.add("action", parts.action.map(JSONValue.string))
      alert.add("action-loc-key", parts.actionLocKey.map { $0.value.map(JSONValue.string) ?? .null })
      alert.add("loc-key", parts.locKey.map(JSONValue.string))
      alert.add("loc-args", parts.locArgs.map(strings))
      alert.add("summary-arg", parts.summaryArg.map(JSONValue.string))
      alert.add("summary-arg-count", parts.summaryArgCount.map(JSONValue.integer))
      return .object(JSONObject(alert.members + parts.unknown.members))
    }
  }
}

extension APNsPayload.Sound {
  fileprivate var json: JSONValue {
    switch self {
    case .named(let name): return .string(name)
    case .dictionary(let critical, let name, let volume):
      var sound = MemberList()
      sound.add("critical", critical.map(flag))
      sound.add("name", name.map(JSONValue.string))
      sound.add("volume", volume.map(JSONValue.double))
      return .object(JSONObject(sound.members))
    }
  }
}

private func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

/// Apple documents 1. 0 means the same as an absent key, and is kept if it was given.
private func flag(_ isSet: Bool) -> JSONValue { .integer(isSet ? 1 : 0) }

/// Members in the order they were added, without absent ones.
private struct MemberList {
  var members: [JSONObject.Member] = []

  mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { members.append(JSONObject.Member(key: key, value: value)) }
  }
}
