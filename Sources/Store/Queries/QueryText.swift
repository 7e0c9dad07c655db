import Messages

extension Query: CustomStringConvertible {
  /// The canonical text: parsed strictly it gives the same tree, and printed again the same text.
  package var text: String {
    var printer = QueryPrinter()
    printer.print(self)
    return printer.text
  }

  package var description: String { text }
}

/// Prints queries in their canonical text.
struct QueryPrinter {
  private(set) var text = ""

  mutating func print(_ query: Query) {
    switch query {
    case .and(let members):
      for (index, member) in members.enumerated() {
        if index > 0 { text += " " }
        if case .or = member { parenthesized(member) } else { print(member) }
      }
    case .or(let members):
      for (index, member) in members.enumerated() {
        if index > 0 { text += " OR " }
        print(member)
      }
    case .not(let inner):
      text += "-"
      if case .test(let test) = inner { print(test, isNegated: true) } else { parenthesized(inner) }
    case .test(let test): print(test, isNegated: false)
    }
  }

  private mutating func parenthesized(_ query: Query) {
    text += "("
    print(query)
    text += ")"
  }

  private mutating func print(_ test: Query.Test, isNegated: Bool) {
    switch test {
    case .text(let term):
      print(term) { QuerySyntax.isWord($0, afterMinus: isNegated) }
    case .inText(let field, let terms):
      list(field.rawValue, terms) { $0.print($1, isBare: QuerySyntax.isValue) }
    case .from(let terms): list("from", terms) { $0.print($1, isBare: QuerySyntax.isValue) }
    case .name(let field, let names):
      list(field.rawValue, names) { printer, name in
        switch name {
        case .glob(let glob): printer.print(glob)
        case .pattern(let pattern): printer.print(pattern)
        }
      }
    case .priority(let levels): list("priority", levels) { $0.text += String($1) }
    case .compared(let comparison, let level): text += "priority\(comparison.rawValue)\(level)"
    case .state(let states): list("is", states) { $0.text += $1.rawValue }
    case .has(let parts): list("has", parts) { $0.text += $1.rawValue }
    case .before(let points): list("before", points) { $0.text += $1.text }
    case .after(let points): list("after", points) { $0.text += $1.text }
    case .date(let ranges): list("date", ranges) { $0.text += $1.text }
    case .older(let spans): list("older", spans) { $0.text += $1.text }
    case .newer(let spans): list("newer", spans) { $0.text += $1.text }
    case .address(let terms):
      list("url", terms) { printer, term in
        switch term {
        case .contains(let exact): printer.print(exact.text, isBare: QuerySyntax.isValue(exact.text))
        case .pattern(let pattern): printer.print(pattern)
        }
      }
    case .id(let ids): list("id", ids) { $0.print($1.text, isBare: QuerySyntax.isValue($1.text)) }
    case .everywhere: text += "in:all"
    }
  }

  private mutating func list<Value>(
    _ name: String, _ values: [Value], _ print: (inout QueryPrinter, Value) -> Void
  ) {
    text += name + ":"
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      print(&self, value)
    }
  }

  private mutating func print(_ term: Query.TextTerm, isBare: (String) -> Bool) {
    switch term {
    case .words(let exact, let isPrefix):
      print(exact.text, isBare: isBare(exact.text) && exact.text.unicodeScalars.last != "*")
      if isPrefix { text += "*" }
    case .pattern(let pattern): print(pattern)
    }
  }

  private mutating func print(_ value: String, isBare: Bool) {
    text += isBare ? value : QuerySyntax.quoted(value)
  }

  mutating func print(_ glob: Glob) {
    let pieces = glob.pieces.map(\.text)
    let bare = pieces.joined(separator: "*")
    let isBare =
      QuerySyntax.isValue(bare) && !pieces.contains { $0.unicodeScalars.contains("*") }
    text += isBare ? bare : "\"\(pieces.map { QuerySyntax.escaped($0, star: true) }.joined(separator: "*"))\""
  }

  private mutating func print(_ pattern: RegularExpression) {
    text += "/"
    var isEscaped = false
    for scalar in pattern.pattern.unicodeScalars {
      if scalar == "/", !isEscaped { text += "\\" }
      text.unicodeScalars.append(scalar)
      isEscaped = scalar == "\\" && !isEscaped
    }
    text += pattern.isCaseSensitive ? "/c" : "/"
  }
}

/// Defines which characters have a meaning in a query.
enum QuerySyntax {
  static let operators: [String: Query.Operator] = ["OR": .or, "AND": .and, "NOT": .not]

  /// Whether the character ends a word.
  static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "(" || scalar == ")" || scalar == "\"" || isSpace(scalar)
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x80 ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// Returns the length in scalars of a name with its colon, or of `priority` with a comparison sign, or 0 if there is
  /// neither.
  static func fieldLength(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
    guard let first = scalars.first, first.properties.isAlphabetic else { return 0 }
    let name = scalars.prefix {
      $0 == "-" || $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    guard let next = scalars.dropFirst(name.count).first else { return 0 }
    if next == ":" { return name.count + 1 }
    return ["<", "=", ">"].contains(next) && lowercased(name) == "priority" ? name.count : 0
  }

  static func lowercased(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars)).lowercased()
  }

  /// Whether text needs no quotes as a separate condition.
  static func isWord(_ text: String, afterMinus: Bool) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, first != "/", !scalars.contains(where: isDelimiter) else { return false }
    if fieldLength(scalars[...]) > 0 { return false }
    return afterMinus || first != "-" && operators[text] == nil
  }

  /// Whether text needs no quotes as a field's value.
  static func isValue(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "/" else { return false }
    return !text.unicodeScalars.contains { $0 == "," || isDelimiter($0) }
  }

  /// Whether text contains a letter or digit, so that it can be searched for.
  static func hasWord(_ text: String) -> Bool { text.unicodeScalars.contains(where: SearchText.isPartOfWord) }

  static func quoted(_ text: String) -> String { "\"\(escaped(text, star: false))\"" }

  static func escaped(_ text: String, star: Bool) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || star && scalar == "*" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}
