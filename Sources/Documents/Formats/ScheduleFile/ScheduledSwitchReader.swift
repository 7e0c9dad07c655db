/// Reads the features that a schedule's entry of `type` 3 enables or disables; its keys are those of in-app
/// notifications.
///
/// The data with the names is `actiondata`, at the top or inside `data`, or `data` itself, or the entry.
/// `enable-feature`, `disable-feature` or `enabled` decides whether the features are enabled; without them they are
/// enabled.
enum ScheduledSwitchReader {
  /// The keys that concern features, in the entry itself or in its data.
  static let keys: Set<String> = Set(FeatureNames.keys).union(words).union(["actiondata", "enabled"])

  /// The keys whose values are words, for example `enable-feature`.
  private static let words: Set<String> = ["actiontype", "notificationtype"]
  /// The keys of the schedule, which may be in the same objects.
  private static let scheduleKeys: Set<String> = [
    "id", "type", "data", "start", "interval", "occurrence", "occurance", "translations", "time", "day",
    "date",
    "repeat", "endRepeat", "title", "msg",
  ]

  /// Reads an entry. Returns `nil` if it shows a message instead.
  static func read(_ entry: JSONObject) -> ScheduledSwitch? {
    let data = entry["data"]?.object
    let inner = entry["actiondata"] ?? data?["actiondata"] ?? data?["data"]
    let places = [inner?.object, data, entry].compactMap { $0 }
    let said = places.flatMap { place in
      words.sorted().compactMap { place[$0]?.text.flatMap(InAppNotification.Kind.init(word:)) }
    }
    let kinds = [kind(entry["type"])].compactMap { $0 } + said
    guard kinds.contains(where: { !$0.isDisplayed }) else { return nil }
    let isWorded = kinds.contains { $0 == .enableFeature || $0 == .disableFeature }
    var result = ScheduledSwitch()
    result.isEnabled =
      kinds.contains(.disableFeature)
      ? false : kinds.contains(.enableFeature) || places.compactMap { $0["enabled"]?.bool }.first ?? true
    for place in [inner] + [data, entry].map({ $0.map(JSONValue.object) }) {
      let isInner = place == inner
      let names =
        isWorded && (isInner || place == data.map(JSONValue.object))
        ? FeatureNames.all(in: place, besides: scheduleKeys.union(keys)) : FeatureNames.named(by: place)
      guard let place, !names.isEmpty else { continue }
      result.features = names
      result.data = isInner ? place : withoutSchedule(place)
      break
    }
    return result
  }

  /// Returns the kind that `type` means, if it is the number 3 or a word.
  private static func kind(_ type: JSONValue?) -> InAppNotification.Kind? {
    guard let type else { return nil }
    if let number = type.numeric(orText: true)?.integer { return number == 3 ? .nonDisplay : nil }
    return type.text.flatMap(InAppNotification.Kind.init(word:))
  }

  /// Returns an object without the keys of the schedule.
  private static func withoutSchedule(_ value: JSONValue) -> JSONValue {
    guard let object = value.object else { return value }
    return .object(JSONObject(object.members.filter { !scheduleKeys.contains($0.key) }))
  }
}
