package import Basics

/// Reads the values of one object by key, and records a problem for each value of a wrong type.
///
/// An absent key and null are `nil` without a problem.
package struct JSONFields {
  package let object: JSONObject
  /// The path of the object in its document, for problems.
  package let path: String
  package private(set) var problems: [FormatProblem] = []
  /// Whether to accept numbers as strings, and to treat an empty string as absent.
  private let isLenient: Bool

  package init(_ object: JSONObject, at path: String, lenient: Bool = false) {
    self.object = object
    self.path = path
    isLenient = lenient
  }

  /// Returns the value of a key, or `nil` for null and, if lenient, for an empty string.
  package func value(_ key: String) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    if isLenient, case .string("") = value { return nil }
    return value
  }

  /// Returns the string of a key. Like the other methods, it returns `nil` and records a problem if the value has
  /// another type.
  package mutating func text(_ key: String) -> String? { typed(key, "a string") { $0.text } }

  /// Returns a string, or a number as it is written.
  package mutating func textOrNumber(_ key: String) -> String? {
    typed(key, "a string") {
      if case .number(let spelled) = $0 { spelled } else { $0.text }
    }
  }

  package mutating func bool(_ key: String) -> Bool? { typed(key, "true or false") { $0.bool } }

  package mutating func integer(_ key: String, in range: ClosedRange<Int> = .min ... .max) -> Int? {
    let expected: String =
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): "an integer"
      case (let least, .max): "an integer from \(least)"
      case (let least, let greatest): "an integer from \(least) to \(greatest)"
      }
    let isLenient = isLenient
    return typed(key, expected) {
      guard let integer = $0.numeric(orText: isLenient)?.integer, range.contains(integer) else { return nil }
      return integer
    }
  }

  /// Returns a number in a range.
  ///
  /// - Parameter expected: the noun for the required value, for a problem.
  package mutating func number(_ key: String, in range: ClosedRange<Double>, _ expected: String) -> Double? {
    let isLenient = isLenient
    return typed(key, expected) {
      guard let double = $0.numeric(orText: isLenient)?.double, range.contains(double) else { return nil }
      return double
    }
  }

  package mutating func object(_ key: String) -> JSONObject? { typed(key, "an object") { $0.object } }

  package mutating func elements(_ key: String) -> [JSONValue]? { typed(key, "an array") { $0.elements } }

  /// Records a problem with a key's value.
  package mutating func report(_ key: String, _ message: String) {
    problems.append(FormatProblem(at: JSONPath.key(key, under: path), message: message))
  }

  /// Records that the value of a key isn't `expected`.
  package mutating func reportMismatch(_ key: String, expected: String) {
    report(key, "must be \(expected), not \((object[key] ?? .null).kindInWords)")
  }

  /// Adds problems from another reader.
  package mutating func adopt(_ others: [FormatProblem]) { problems += others }

  /// Returns the value that `read` finds, or records a problem if it returns `nil`.
  private mutating func typed<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = value(key) else { return nil }
    if let read = read(value) { return read }
    reportMismatch(key, expected: expected)
    return nil
  }
}

extension [FormatProblem] {
  /// Returns the problems with a path prepended to their own.
  func under(_ path: String) -> [FormatProblem] {
    map { FormatProblem(at: path + $0.at, message: $0.message, leftOut: $0.leftOut) }
  }
}

extension JSONValue {
  /// Returns the value if it is a number or, if allowed, a number in a string; otherwise `nil`.
  package func numeric(orText: Bool) -> JSONValue? {
    switch self {
    case .number: return self
    case .string(let text) where orText:
      // Only numbers in JSON's syntax are allowed.
      guard case .number(let spelled)? = try? JSONReader.parse(text) else { return nil }
      return .number(spelled)
    case .null, .bool, .string, .array, .object: return nil
    }
  }
}
