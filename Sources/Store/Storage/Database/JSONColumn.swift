import Basics
import Foundation
import Synchronization

/// A column with a value as JSON text, for values that SQL does not read.
///
/// Decoded values are cached: while the network is down, every snapshot shows the same failures again.
///
/// The class itself does not require `Codable`: looking up a conformance takes as long as a small query, and a start
/// creates one column for each type.
final class JSONColumn<Value: Sendable>: Sendable {
  private let decoded = Mutex<[String: Value]>([:])
  /// The last encoded value. Most polls end like the ones before, so that their result need not be encoded again.
  private let encoded = Mutex<(value: Value, text: String)?>(nil)
  private let capacity: Int
  private let isQuoting: Bool

  /// - Parameter isQuoting: whether its strings may quote text from outside, and are cut to the limits for that.
  init(capacity: Int = 1024, isQuoting: Bool = false) {
    self.capacity = capacity
    self.isQuoting = isQuoting
  }
}

extension JSONColumn where Value: Codable & Equatable {
  func text(_ value: Value) throws -> String {
    if let known = encoded.withLock({ $0 }), known.value == value { return known.text }
    let text = try newText(value)
    encoded.withLock { $0 = (value, text) }
    return text
  }
}

extension JSONColumn where Value: Codable {
  private func newText(_ value: Value) throws -> String {
    let json = try StoredJSON.bytes(value)
    guard isQuoting, json.count > Limits.quotedCharacters else {
      return String(decoding: json, as: UTF8.self)
    }
    let fitting = Self.fitting(
      try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed))
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: fitting, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]),
      as: UTF8.self)
  }

  /// Shortens strings, and lists inside an object, to the limits for quoted text. A list of problems, which is at the
  /// top level, has its own limit.
  private static func fitting(_ value: Any) -> Any {
    switch value {
    case let text as String: text.prefix(characters: Limits.quotedCharacters)
    case let list as [Any]: list.map(fitting)
    case let object as [String: Any]:
      object.mapValues { ($0 as? [Any])?.prefix(Limits.quotedEntries).map(fitting) ?? fitting($0) }
    case _: value
    }
  }

  /// Returns the value that a string of this column encodes, or `nil` if this version cannot decode it.
  func value(_ text: String) -> Value? {
    if let known = decoded.withLock({ $0[text] }) { return known }
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else { return nil }
    guard capacity > 0 else { return value }
    decoded.withLock {
      if $0.count >= capacity { $0.removeAll() }
      $0[text] = value
    }
    return value
  }
}
