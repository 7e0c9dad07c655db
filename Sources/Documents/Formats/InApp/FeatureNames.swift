/// Finds the names of features in the data of a notification, which has no fixed form.
enum FeatureNames {
  /// The keys whose values are names of features.
  static let keys = ["feature", "features", "name"]

  /// Returns the names in a string, an array of strings, or an object in which one of `keys` has such a value.
  static func named(by data: JSONValue?) -> [String] {
    guard let object = data?.object else { return names(in: data) }
    for key in keys {
      let names = names(in: object[key])
      if !names.isEmpty { return names }
    }
    return []
  }

  /// Returns the names that `named(by:)` finds. If there are none, returns every key of an object except
  /// `known`, the keys with another meaning.
  static func all(in data: JSONValue?, besides known: Set<String>) -> [String] {
    let named = named(by: data)
    guard named.isEmpty, let object = data?.object else { return named }
    return object.members.map(\.key).filter { !known.contains($0) && !$0.isEmpty }
  }

  /// Returns the names in a string or an array of strings.
  private static func names(in value: JSONValue?) -> [String] {
    if let name = value?.text { return name.isEmpty ? [] : [name] }
    return (value?.elements ?? []).compactMap(\.text).filter { !$0.isEmpty }
  }
}
