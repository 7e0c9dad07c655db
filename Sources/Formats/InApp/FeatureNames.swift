/// The names of features that free-form data holds (section 7).
enum FeatureNames {
  /// The keys under which data names features outright.
  static let keys = ["feature", "features", "name"]

  /// A string, an array of strings, or what an object names outright.
  static func named(by data: JSONValue?) -> [String] {
    guard let object = data?.object else { return names(in: data) }
    for key in keys {
      let names = names(in: object[key])
      if !names.isEmpty { return names }
    }
    return []
  }

  /// What is named outright, or else every key of an object but those that mean something else.
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
