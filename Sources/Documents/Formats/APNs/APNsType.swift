import Basics

/// The type of a key's value in a payload: how it is read from JSON and written as JSON.
struct APNsType<Value: Sendable>: Sendable {
  /// Returns the value, or `nil` and a mismatch if it is not allowed.
  let read: @Sendable (JSONValue, _ path: String, inout [APNsMismatch]) -> Value?
  let json: @Sendable (Value) -> JSONValue
}

extension APNsType {
  /// Creates a type.
  ///
  /// - Parameters:
  ///   - expected: the noun for the required value in messages to the user, for example "a string".
  ///   - read: returns `nil` for a value that is not allowed.
  fileprivate init(
    _ expected: String, _ read: @escaping @Sendable (JSONValue) -> Value?,
    _ json: @escaping @Sendable (Value) -> JSONValue
  ) {
    self.read = { value, path, mismatches in
      let result = read(value)
      if result == nil { mismatches.append(APNsMismatch(key: path, expected: expected, value: value)) }
      return result
    }
    self.json = json
  }

  /// Returns the type of a value that may also be null.
  fileprivate static func orNull<Other>(_ other: APNsType<Other>) -> Self
  where Value == APNsPayload.Nullable<Other> {
    APNsType(
      read: { value, path, mismatches in
        if value.isNull { return .null }
        let known = mismatches.count
        let result = other.read(value, path, &mismatches).map(APNsPayload.Nullable.value)
        for index in mismatches.indices.dropFirst(known) where mismatches[index].key == path {
          mismatches[index].expected += " or null"
        }
        return result
      },
      json: { $0.value.map(other.json) ?? .null })
  }
}

extension APNsType<String> {
  static let text = APNsType("a string", { $0.text }, JSONValue.string)
}

extension APNsType<[String]> {
  /// An array of strings.
  static let texts = APNsType(
    read: { value, path, mismatches in
      guard let elements = value.elements else {
        mismatches.append(APNsMismatch(key: path, expected: "an array of strings", value: value))
        return nil
      }
      return elements.enumerated().map { index, element in
        let text = APNsType<String>.text.read(element, "\(path)[\(index)]", &mismatches)
        // An element that isn't a string is kept, so that the arguments after it do not move up.
        if case .number(let spelled) = element { return spelled }
        return text ?? ""
      }
    },
    json: { .array($0.map(JSONValue.string)) })
}

extension APNsType<APNsPayload.Nullable<String>> {
  static let textOrNull = orNull(APNsType<String>.text)
}

extension APNsType<APNsPayload.Nullable<[String]>> {
  static let textsOrNull = orNull(APNsType<[String]>.texts)
}

extension APNsType<Int> {
  static let integer = APNsType("an integer", { $0.integer }, JSONValue.integer)
  /// An integer from 0.
  static let count = APNsType(
    "an integer from 0", { value in value.integer.flatMap { $0 >= 0 ? $0 : nil } }, JSONValue.integer)
}

extension APNsType<Double> {
  /// A number from 0 to 1.
  static let share = APNsType(
    "a number from 0 to 1", { value in value.double.flatMap { (0...1).contains($0) ? $0 : nil } },
    JSONValue.double)
}

extension APNsType<Bool> {
  /// A flag, for which Apple documents only the value 1. A 0 means the same as an absent key, and is kept if
  /// it was given.
  static let flag = APNsType(
    "1, 0, true or false", { $0.bool ?? ($0.integer == 1 ? true : $0.integer == 0 ? false : nil) },
    { .integer($0 ? 1 : 0) })
}

extension APNsType<JSONObject> {
  static let object = APNsType("an object", { $0.object }, JSONValue.object)
}

extension APNsType<APNsPayload.InterruptionLevel> {
  /// The interruption level.
  static let level = APNsType(
    "passive, active, time-sensitive or critical",
    { $0.text.flatMap(APNsPayload.InterruptionLevel.init) }, { .string($0.rawValue) })
}

extension APNsType<APNsPayload.Alert> {
  /// The alert: a string or a dictionary.
  static let alert = APNsType(
    read: { value, path, mismatches in
      if let text = value.text { return .text(text) }
      guard let object = value.object else {
        mismatches.append(APNsMismatch(key: path, expected: "a string or an object", value: value))
        return nil
      }
      var parts = APNsPayload.AlertParts()
      parts.unknown = APNsPayload.AlertParts.keys.read(
        object, prefix: path + ".", into: &parts, &mismatches)
      return .parts(parts)
    },
    json: { alert in
      switch alert {
      case .text(let text): .string(text)
      case .parts(let parts):
        .object(JSONObject(APNsPayload.AlertParts.keys.members(of: parts) + parts.unknown.members))
      }
    })
}

extension APNsType<APNsPayload.Sound> {
  /// The sound: the name of a file or a dictionary.
  static let sound = APNsType(
    read: { value, path, mismatches in
      if let name = value.text { return .named(name) }
      guard let object = value.object else {
        mismatches.append(APNsMismatch(key: path, expected: "a string or an object", value: value))
        return nil
      }
      var parts = APNsSoundParts()
      let unknown = APNsSoundParts.keys.read(object, prefix: path + ".", into: &parts, &mismatches)
      for member in unknown.members {
        mismatches.append(
          APNsMismatch(
            key: "\(path).\(member.key)", expected: "absent (critical, name and volume are allowed)",
            value: member.value))
      }
      return .dictionary(critical: parts.critical, name: parts.name, volume: parts.volume)
    },
    json: { sound in
      switch sound {
      case .named(let name): .string(name)
      case .dictionary(let critical, let name, let volume):
        .object(
          JSONObject(
            APNsSoundParts.keys.members(of: APNsSoundParts(critical: critical, name: name, volume: volume))))
      }
    })
}
