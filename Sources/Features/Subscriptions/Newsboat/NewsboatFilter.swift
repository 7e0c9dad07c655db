import Basics
import Queries

/// Converts a filter expression of the feed reader newsboat (newsboat(1), "Filter language") into a query of reddot.
struct NewsboatFilter {
  /// The reason why a filter can't be converted into a query, as a clause.
  struct Unsayable: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Returns the names of the sources that have a tag of newsboat.
  let sources: (_ tag: String) -> [String]

  /// A part of an expression: a word, a quoted string (`text`), or an operator or parenthesis (`sign`).
  private enum Token: Equatable {
    case word(String)
    case text(String)
    case sign(String)
  }

  private var tokens: ArraySlice<Token> = []
  private var depth = 0
  /// The maximum depth of parentheses.
  private static let deepest = 50

  init(sources: @escaping (_ tag: String) -> [String]) { self.sources = sources }

  /// Returns the query that is equivalent to a filter expression.
  func query(_ expression: String) throws(Unsayable) -> Query {
    var filter = self
    filter.tokens = try Self.tokens(expression)[...]
    let query = try filter.all()
    guard filter.tokens.isEmpty else { throw Unsayable("its end cannot be read") }
    return query
  }

  /// Parses comparisons or expressions in parentheses that are joined by `and` or by `or`.
  private mutating func all() throws(Unsayable) -> Query {
    var members = [try member()]
    var joining: String?
    while case .word(let word)? = tokens.first, ["and", "or"].contains(word) {
      guard joining == nil || joining == word else {
        throw Unsayable("it has \"and\" beside \"or\" without parentheses")
      }
      joining = word
      tokens.removeFirst()
      members.append(try member())
    }
    return joining == "or" ? .any(of: members) : .all(of: members)
  }

  /// Parses a comparison, or an expression in parentheses.
  private mutating func member() throws(Unsayable) -> Query {
    guard tokens.first == .sign("(") else { return try comparison() }
    tokens.removeFirst()
    depth += 1
    guard depth <= Self.deepest else { throw Unsayable("it has more than \(Self.deepest) parentheses") }
    let query = try all()
    depth -= 1
    guard tokens.popFirst() == .sign(")") else { throw Unsayable("a parenthesis is not closed") }
    return query
  }

  /// Parses a comparison: an attribute, an operator and a value.
  private mutating func comparison() throws(Unsayable) -> Query {
    guard case .word(let attribute)? = tokens.popFirst() else { throw Unsayable("it cannot be read") }
    let sign: String
    switch tokens.popFirst() {
    case .sign(let found)?: sign = found
    case .word("between")?: sign = "between"
    case _: throw Unsayable("it cannot be read after \"\(attribute)\"")
    }
    let value: String
    switch tokens.popFirst() {
    case .text(let text)?, .word(let text)?: value = text
    case _: throw Unsayable("\"\(attribute) \(sign)\" has no value")
    }
    let negated = ["!=": "=", "!~": "=~", "!#": "#"][sign]
    let query = try positive(attribute, negated ?? sign, value)
    return negated == nil ? query : .not(query)
  }

  /// Returns the query for a comparison whose operator isn't a negation.
  private func positive(_ attribute: String, _ sign: String, _ value: String) throws(Unsayable) -> Query {
    let unsayable = Unsayable("reddot's queries have nothing for \"\(attribute) \(sign)\"")
    switch (attribute, sign) {
    case ("unread", "="): return .test(.state([value == "yes" ? .unread : .read]))
    case ("title", "=~"), ("title", "="):
      return .test(.inText(.title, [.pattern(try pattern(sign, value))]))
    case ("author", "=~"), ("author", "="):
      return .test(.inText(.author, [.pattern(try pattern(sign, value))]))
    case ("content", "=~"), ("description", "=~"):
      return .test(.inText(.body, [.pattern(try pattern(sign, value))]))
    case ("link", "=~"), ("link", "="): return .test(.address([.pattern(try pattern(sign, value))]))
    case ("feedtitle", "=~"), ("feedtitle", "="):
      return .test(.name(.source, [.pattern(try pattern(sign, value))]))
    case ("enclosure_url", "=") where value.isEmpty: return .not(.test(.has([.enclosure])))
    case ("tags", "#"):
      let names = sources(value)
      guard !names.isEmpty else { throw Unsayable("no feed has the tag \"\(value)\"") }
      return .test(.name(.source, names.map { .glob(Glob(pieces: [$0])) }))
    case ("age", _):
      guard let days = Int(value), (0...10_000).contains(days) else { throw unsayable }
      // The age is in whole days.
      switch sign {
      case "<": return .test(.newer([.init(days, .days)]))
      case "<=": return .test(.newer([.init(days + 1, .days)]))
      case ">": return .test(.older([.init(days + 1, .days)]))
      case ">=": return .test(.older([.init(days, .days)]))
      case _: throw unsayable
      }
    case _: throw unsayable
    }
  }

  /// Returns the regular expression for a comparison: the value itself for the operator `=~`, otherwise an
  /// expression that matches exactly the value.
  private func pattern(_ sign: String, _ value: String) throws(Unsayable) -> RegularExpression {
    let special: Set<Character> = [
      "\\", "^", "$", ".", "[", "]", "|", "(", ")", "*", "+", "?", "{", "}",
    ]
    let literal = value.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    do throws(Query.PatternFault) {
      return try RegularExpression(sign == "=~" ? value : "^\(literal)$")
    } catch {
      throw Unsayable("the regular expression \"\(value)\" \(error)")
    }
  }

  /// Splits an expression into words, quoted strings and operators.
  private static func tokens(_ text: String) throws(Unsayable) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { throw Unsayable("a quote is not closed") }
        tokens.append(.text(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if first == "(" || first == ")" {
        tokens.append(.sign(String(rest.removeFirst())))
      } else if "=!<>~#".contains(first) {
        let sign = rest.prefix { "=!<>~#".contains($0) }
        rest = rest.dropFirst(sign.count)
        tokens.append(.sign(sign == "==" ? "=" : String(sign)))
      } else {
        let word = rest.prefix { !$0.isWhitespace && !"=!<>~#()\"'".contains($0) }
        rest = rest.dropFirst(word.count)
        tokens.append(.word(word.lowercased()))
      }
      if tokens.count > 1000 { throw Unsayable("it is too long") }
    }
    return tokens
  }
}
