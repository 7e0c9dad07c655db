import Formats

/// A path in a JSON document, from an element of it: `dotted.path[0]`, `labels["a.b"]`. With `$` in front, it
/// begins at the root of the document.
package struct HookPath: Hashable, Sendable {
  private enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  private var steps: [Step] = []
  private let isOfDocument: Bool

  /// Returns `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    isOfDocument = rest.first == "$"
    if isOfDocument { rest = rest.dropFirst() }
    var isFirst = !isOfDocument
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        if let index = Int(inside), index >= 0 {
          steps.append(.index(index))
        } else if inside.count >= 2, inside.first == "\"", inside.last == "\"" {
          steps.append(.key(String(inside.dropFirst().dropLast())))
        } else {
          return nil
        }
        rest = rest[rest.index(after: end)...]
      } else {
        if !isFirst {
          guard rest.first == "." else { return nil }
          rest = rest.dropFirst()
        }
        let key = rest.prefix { $0 != "." && $0 != "[" }
        guard !key.isEmpty, !key.contains(where: { "{}]\"".contains($0) }) else { return nil }
        steps.append(.key(String(key)))
        rest = rest.dropFirst(key.count)
      }
      isFirst = false
    }
    if steps.isEmpty, !isOfDocument { return nil }
  }

  /// The path from the root of a document.
  var text: String {
    steps.reduce("$") { path, step in
      switch step {
      case .key(let key): JSONPath.key(key, under: path)
      case .index(let index): JSONPath.index(index, under: path)
      }
    }
  }

  /// Returns the value at this path, or `nil` if it does not exist.
  func value(in element: JSONValue, of document: JSONValue) -> JSONValue? {
    var value = isOfDocument ? document : element
    for step in steps {
      switch step {
      case .key(let key):
        guard let next = value.object?[key] else { return nil }
        value = next
      case .index(let index):
        guard let elements = value.elements, elements.indices.contains(index) else { return nil }
        value = elements[index]
      }
    }
    return value
  }
}

extension JSONValue {
  /// Returns the value at nested keys, or `nil` if it does not exist or is null.
  func at(_ keys: String...) -> JSONValue? {
    var value = self
    for key in keys {
      guard let next = value.object?[key] else { return nil }
      value = next
    }
    return value.isNull ? nil : value
  }

  /// Returns the string or number at nested keys. Throws `invalidItem` if it is missing.
  func required(_ keys: String...) throws(HubFailure) -> String {
    var (value, path) = (self, "$")
    for key in keys {
      path = JSONPath.key(key, under: path)
      value = value.object?[key] ?? .null
    }
    guard let text = value.shown else { throw HubFailure(.invalidItem, "is missing", at: path) }
    return text
  }

  /// The value for display: a string, a number as written, true or false. It is `nil` for an empty string, and for
  /// objects and arrays.
  var shown: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let spelled): spelled
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
