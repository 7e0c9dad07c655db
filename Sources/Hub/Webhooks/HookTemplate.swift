import Formats

/// Text with placeholders for values of a document: `{service}: {checks[0].status}`. `{{` and `}}` are braces.
package struct HookTemplate: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case text(String)
    case place(HookPath)
  }

  private var parts: [Part] = []

  /// Returns `nil` if a brace isn't closed, or the text inside isn't a path.
  package init?(_ text: String) {
    var (rest, literal) = (Substring(text), "")
    while let sign = rest.popFirst() {
      switch sign {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(sign)
        rest = rest.dropFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}"), let path = HookPath(rest[..<end]) else { return nil }
        parts += [.text(literal), .place(path)]
        (literal, rest) = ("", rest[rest.index(after: end)...])
      case "}": return nil
      default: literal.append(sign)
      }
    }
    parts.append(.text(literal))
  }

  /// Whether it has placeholders, and none of them has a value.
  func isEmpty(of element: JSONValue, in document: JSONValue) -> Bool {
    var hasPlace = false
    for case .place(let path) in parts {
      if path.value(in: element, of: document)?.shown != nil { return false }
      hasPlace = true
    }
    return hasPlace
  }

  /// Returns the text; a missing value is empty.
  func text(of element: JSONValue, in document: JSONValue) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .place(let path): path.value(in: element, of: document)?.shown ?? ""
      }
    }.joined()
  }
}
