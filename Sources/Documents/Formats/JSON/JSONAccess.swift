import Basics

/// Access to a value by type, which is `nil` if the value has another type.
extension JSONValue {
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// An integer in any spelling (`1`, `1.0`, `1e2`), or `nil` if it needs more than 64 bits.
  package var integer: Int? {
    guard case .number(let spelled) = self else { return nil }
    if let integer = Int(spelled) { return integer }
    guard let double = Double(spelled), double.magnitude < 9_007_199_254_740_992 else { return nil }
    return Int(exactly: double)
  }

  /// The number, or `nil` if it is not finite as a `Double`.
  package var double: Double? {
    guard case .number(let spelled) = self, let double = Double(spelled), double.isFinite else { return nil }
    return double
  }

  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  package var isNull: Bool { self == .null }

  /// The type of the value, for a problem's message: "a string", "the number 7".
  package var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let spelled): spelled.utf8.count <= 20 ? "the number \(spelled)" : "a number"
    case .string(let text): text.isEmpty ? "an empty string" : "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  package static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

  /// Returns a finite number, without `.0` if it is whole, or null for other numbers, which JSON does not have.
  package static func double(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    if let whole = Int(exactly: value) { return .number(String(whole)) }
    return .number(value.description)
  }
}

/// Creates the paths of values in a document: `$.list[3].id`, `$["a key"]`.
package enum JSONPath {
  /// Returns the path of a key; a very long key is cut.
  package static func key(_ key: String, under path: String) -> String {
    let key = key.utf8.count > 80 ? String(key.prefix(40)) + "…" : key
    let isPlain =
      !key.isEmpty && key.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F || $0 == 0x2D }
    return isPlain ? "\(path).\(key)" : "\(path)[\(JSONValue.string(key).serialized(escaping: .invisible))]"
  }

  package static func index(_ index: Int, under path: String) -> String { "\(path)[\(index)]" }
}
