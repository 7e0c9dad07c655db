import Basics

/// A key of a dictionary in a payload: its name, its property, and the type of its value.
///
/// Payloads are read, checked and written with tables of these keys. The order of a table is the order of the
/// output.
struct APNsKey<Owner>: Sendable {
  let name: String
  /// Reads the value into the property, which becomes `nil` if the value is not allowed.
  let read: @Sendable (JSONValue, _ path: String, inout [APNsMismatch], inout Owner) -> Void
  /// Returns the value as JSON, or `nil` if the key is absent.
  let json: @Sendable (Owner) -> JSONValue?

  init<Value: Sendable>(
    _ name: String, _ property: any WritableKeyPath<Owner, Value?> & Sendable, _ type: APNsType<Value>
  ) {
    self.name = name
    read = { value, path, mismatches, owner in
      owner[keyPath: property] = type.read(value, path, &mismatches)
    }
    json = { $0[keyPath: property].map(type.json) }
  }
}

/// A key with a value that is not allowed. `expected` is worded for `APNsRefusal` and `FormatProblem`.
struct APNsMismatch {
  /// The path of the key in the object, for example `alert.loc-args[1]`.
  var key: String
  /// The noun for the required value, for example "a string".
  var expected: String
  var value: JSONValue
}

extension Array {
  /// Reads the members of an object into the properties of `owner`, and returns the members whose keys are
  /// not in this table.
  ///
  /// - Parameter prefix: the beginning of the keys' paths.
  func read<Owner>(
    _ object: JSONObject, prefix: String = "", into owner: inout Owner, _ mismatches: inout [APNsMismatch]
  ) -> JSONObject where Element == APNsKey<Owner> {
    var unknown: [JSONObject.Member] = []
    for member in object.members {
      if let key = first(where: { $0.name == member.key }) {
        key.read(member.value, prefix + member.key, &mismatches, &owner)
      } else {
        unknown.append(member)
      }
    }
    return JSONObject(distinct: unknown)
  }

  /// Returns the properties of `owner` as members of a JSON object, in the order of this table. Absent keys
  /// are left out.
  func members<Owner>(of owner: Owner) -> [JSONObject.Member] where Element == APNsKey<Owner> {
    compactMap { key in key.json(owner).map { JSONObject.Member(key: key.name, value: $0) } }
  }
}

// MARK: The tables

extension APNsPayload {
  /// The keys of `aps`, in the order in which they are written.
  static let keys: [APNsKey<APNsPayload>] = [
    APNsKey("alert", \.alert, .alert), APNsKey("badge", \.badge, .count), APNsKey("sound", \.sound, .sound),
    APNsKey("content-available", \.contentAvailable, .flag), APNsKey("category", \.category, .text),
    APNsKey("thread-id", \.threadID, .text), APNsKey("mutable-content", \.mutableContent, .flag),
    APNsKey("target-content-id", \.targetContentID, .text),
    APNsKey("interruption-level", \.interruptionLevel, .level),
    APNsKey("relevance-score", \.relevanceScore, .share),
    APNsKey("filter-criteria", \.filterCriteria, .text), APNsKey("url-args", \.urlArgs, .texts),
    APNsKey("attributes-type", \.attributesType, .text), APNsKey("attributes", \.attributes, .object),
    APNsKey("event", \.event, .text), APNsKey("timestamp", \.timestamp, .integer),
    APNsKey("content-state", \.contentState, .object), APNsKey("stale-date", \.staleDate, .integer),
    APNsKey("dismissal-date", \.dismissalDate, .integer),
    APNsKey("input-push-token", \.inputPushToken, .flag),
  ]
}

extension APNsPayload.AlertParts {
  /// The keys of the `alert` dictionary, in the order in which they are written.
  static let keys: [APNsKey<APNsPayload.AlertParts>] = [
    APNsKey("title", \.title, .text), APNsKey("subtitle", \.subtitle, .text), APNsKey("body", \.body, .text),
    APNsKey("launch-image", \.launchImage, .text), APNsKey("title-loc-key", \.titleLocKey, .textOrNull),
    APNsKey("title-loc-args", \.titleLocArgs, .textsOrNull),
    APNsKey("subtitle-loc-key", \.subtitleLocKey, .text),
    APNsKey("subtitle-loc-args", \.subtitleLocArgs, .texts), APNsKey("action", \.action, .text),
    APNsKey("action-loc-key", \.actionLocKey, .textOrNull), APNsKey("loc-key", \.locKey, .text),
    APNsKey("loc-args", \.locArgs, .texts), APNsKey("summary-arg", \.summaryArg, .text),
    APNsKey("summary-arg-count", \.summaryArgCount, .count),
  ]
}

/// The keys of the `sound` dictionary.
struct APNsSoundParts {
  var critical: Bool?
  var name: String?
  var volume: Double?

  static let keys: [APNsKey<APNsSoundParts>] = [
    APNsKey("critical", \.critical, .flag), APNsKey("name", \.name, .text),
    APNsKey("volume", \.volume, .share),
  ]
}
