import Basics

/// The id of an item of a native feed: an integer of any length, or a string.
package enum NativeID: Hashable, Sendable {
  case integer(DecimalInteger)
  case text(String)

  /// Creates the id in a JSON value, or returns `nil` if it is neither an integer nor a string, or is empty or too
  /// long.
  package init?(_ value: JSONValue) {
    switch value {
    case .number(let spelled):
      guard spelled.utf8.count <= Limits.remoteIDBytes else { return nil }
      if let integer = DecimalInteger(spelled) ?? value.integer.map({ DecimalInteger($0) }) {
        self = .integer(integer)
      } else {
        return nil
      }
    case .string(let text):
      if text.isEmpty || text.utf8.count > Limits.remoteIDBytes { return nil }
      self = .text(text)
    case .null, .bool, .array, .object: return nil
    }
  }

  /// The id as it is compared, stored and sent back.
  package var text: String {
    switch self {
    case .integer(let integer): integer.text
    case .text(let text): text
    }
  }
}

/// An integer of any length, compared by its value.
package struct DecimalInteger: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The digits without leading zeros, with a minus if negative.
  package let text: String

  package init(_ value: Int) { text = String(value) }

  /// Parses digits, with or without a minus, or returns `nil` for other text.
  package init?(_ spelled: String) {
    let isNegative = spelled.utf8.first == UInt8(ascii: "-")
    let digits = spelled.utf8.dropFirst(isNegative ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty {
      text = "0"
    } else if significant.count == digits.count {
      text = spelled
    } else {
      text = (isNegative ? "-" : "") + String(Substring(significant))
    }
  }

  package var description: String { text }

  private var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") }

  package static func < (a: Self, b: Self) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    let (less, greater) = a.isNegative ? (b, a) : (a, b)
    if less.text.utf8.count != greater.text.utf8.count {
      return less.text.utf8.count < greater.text.utf8.count
    }
    return less.text.utf8.lexicographicallyPrecedes(greater.text.utf8)
  }
}
