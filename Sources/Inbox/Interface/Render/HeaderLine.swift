import Screen

/// The parts of the header. The least important ones are shortened and left out until the others fit.
struct HeaderLine {
  /// A part, in its forms from the longest to the shortest. It is not shown if all forms are left out.
  struct Part {
    var forms: [(text: StyledText, importance: Importance)]
    var isRight = false

    init(_ text: StyledText, _ importance: Importance, isRight: Bool = false) {
      forms = [(text, importance)]
      self.isRight = isRight
    }

    /// Creates a part from its forms. The longest comes first, and is the least important: each form is more
    /// important than the one before.
    init(_ forms: [(text: StyledText, importance: Importance)], isRight: Bool = false) {
      self.forms = forms
      self.isRight = isRight
    }
  }

  /// The order in which forms are left out, the first case first.
  enum Importance: Int, Comparable {
    case knownOrder, wholeCount
    /// The end of a long name.
    case name
    case wholeSearch, position, explanation, wholeStatus, unread, order, warning, search, quiet, marked,
      status, unreadOnly, reading

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The name of the list or the message, cut to any width.
  struct Name {
    var columns: Int
    var text: (_ columns: Int) -> StyledText
  }

  var name: Name
  var parts: [Part] = []
  /// The separator between two parts.
  var between: StyledText

  /// The number of columns before the name, between the name and the parts, and between the two sides.
  private static let gap = 2
  /// A long name keeps at least this share of the line (one third), and at least this number of columns.
  private static let part = (of: 3, least: 6)

  /// Returns the parts of the two sides that fit.
  func fitted(to columns: Int) -> (left: StyledText, right: StyledText) {
    var form = parts.map { _ in 0 }
    var isCut = false
    let least = min(name.columns, max(Self.part.least, columns / Self.part.of))
    func shown(_ isRight: Bool) -> StyledText {
      zip(parts, form).filter { $0.0.isRight == isRight && $0.0.forms.indices.contains($0.1) }
        .map { $0.0.forms[$0.1].text }
        .reduce(.empty) { $0.isEmpty ? $1 : $0 + between + $1 }
    }
    func room(_ left: StyledText, _ right: StyledText) -> Int {
      columns - (left.isEmpty ? 0 : Self.gap + left.columns)
        - (right.isEmpty ? 0 : Self.gap + right.columns + 1)
    }
    var (left, right) = (shown(false), shown(true))
    while room(left, right) < (isCut ? least : name.columns) {
      let open = parts.indices.filter { parts[$0].forms.indices.contains(form[$0]) }
      let next = open.min { parts[$0].forms[form[$0]].importance < parts[$1].forms[form[$1]].importance }
      if !isCut, next.map({ parts[$0].forms[form[$0]].importance > .name }) ?? true {
        isCut = true
        continue
      }
      guard let next else { break }
      form[next] += 1
      (left, right) = (shown(false), shown(true))
    }
    let name = name.text(max(0, min(name.columns, room(left, right))))
    return (left.isEmpty ? name : name + StyledText(.spaces(Self.gap)) + left, right)
  }
}
