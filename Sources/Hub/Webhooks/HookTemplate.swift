import Formats

/// Text with places of a document in it: `{service}: {checks[0].status}`. `{{` and `}}` are braces.
package struct HookTemplate: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case text(String)
    case place(HookPath)
  }

  private var parts: [Part] = []

  /// nil where a brace isn't closed, or what is inside isn't a path.
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

  /// Whether it has places of a document, and none of them has a value.
  func isEmpty(of element: JSONValue, in document: JSONValue) -> Bool {
    var hasPlace = false
    for case .place(let path) in parts {
      if path.value(in: element, of: document)?.shown != nil { return false }
      hasPlace = true
    }
    return hasPlace
  }

  /// What isn't there is empty.
  func text(of element: JSONValue, in document: JSONValue) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .place(let path): path.value(in: element, of: document)?.shown ?? ""
      }
    }.joined()
  }
}
