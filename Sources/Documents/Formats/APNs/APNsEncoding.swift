/// The reason why a payload for Apple Push Notification service cannot be created, with the JSON key.
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
    case .unknownKey(let key): "\(key) is not a key of a payload; put the app's own keys into extra"
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

  /// Returns the payload as a JSON object, after checking its values.
  private func jsonObject() throws(APNsRefusal) -> JSONObject {
    if extra["aps"] != nil { throw .reservedKey("aps") }
    // Values that were set in code must follow the same rules as values that were read.
    var copy = APNsPayload()
    var mismatches: [APNsMismatch] = []
    _ = Self.keys.read(aps, into: &copy, &mismatches)
    if let mismatch = mismatches.first { throw mismatch.refusal }
    return JSONObject([JSONObject.Member(key: "aps", value: .object(aps))] + extra.members)
  }

  /// The dictionary `aps`: Apple's keys in a fixed order, then the others.
  package var aps: JSONObject { JSONObject(Self.keys.members(of: self) + unknown.members) }
}

extension APNsMismatch {
  /// The mismatch as an error.
  var refusal: APNsRefusal { .invalid(key: key, expected: expected, found: value.kindInWords) }
}
