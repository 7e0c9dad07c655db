/// Finds the names of features in free-form data.
enum FeatureNames {
  /// The keys whose values are names of features.
  static let keys = ["feature", "features", "name"]

  /// Returns a string, an array of strings, or the values of `keys` in an object.
  static func named(by data: JSONValue?) -> [String] {
    guard let object = data?.object else { return names(in: data) }
    for key in keys {
      let names = names(in: object[key])
      if !names.isEmpty { return names }
    }
    return []
  }

  /// Returns the names as above, or otherwise every key of an object except those with another meaning.
  static func all(in data: JSONValue?, besides known: Set<String>) -> [String] {
    let named = named(by: data)
    guard named.isEmpty, let object = data?.object else { return named }
    return object.members.map(\.key).filter { !known.contains($0) && !$0.isEmpty }
  }

  private static func names(in value: JSONValue?) -> [String] {
    if let name = value?.text { return name.isEmpty ? [] : [name] }
    return (value?.elements ?? []).compactMap(\.text).filter { !$0.isEmpty }
  }
}
