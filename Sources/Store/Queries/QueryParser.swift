import Basics

extension Query {
  package enum Mode: Hashable, Sendable {
    /// While the user types: an unknown name before `:` is text, the last word is a prefix until a space follows, and
    /// unfinished parts are left out.
    case typing
    /// The mode for all other cases.
    case strict
  }

  /// Parses any text, or returns an error with its position. Text of more than 4 KiB is an error.
  ///
  /// - Returns: the query in normal form; its text also has at most 4 KiB.
  package static func parse(_ text: String, _ mode: Mode) -> Result<Query, Mistake> {
    let length = text.utf8.count
    guard length <= Limits.queryBytes else {
      // These are borders of code points: the error is everything after the last one that fits.
      var fits = 0
      for scalar in text.unicodeScalars {
        guard fits + UTF8.width(scalar) <= Limits.queryBytes else { break }
        fits += UTF8.width(scalar)
      }
      return .failure(Mistake(fits..<length, .tooLong(most: Limits.queryBytes)))
    }
    do throws(Mistake) {
      var parser = QueryParser(text, mode)
      let query = try parser.query()
      // If the text was not parsed strictly, it may need quotes that make it longer.
      guard query.text.utf8.count <= Limits.queryBytes else {
        throw Mistake(0..<length, .tooLong(most: Limits.queryBytes))
      }
      return .success(query)
    } catch {
      return .failure(error)
    }
  }
}

/// A recursive descent parser over code points that limits depth and nodes.
struct QueryParser {
  let scalars: [Unicode.Scalar]
  let mode: Query.Mode
  /// The index of the next code point.
  var place = 0
  /// The position of each code point in bytes, and of the end.
  private let offsets: [Int]
  private var depth = 0
  private var nodes = 0
  /// The number of negations around the current position. In a negation the last word isn't a prefix: otherwise each
  /// typed letter would remove more messages.
  private var negations = 0

  init(_ text: String, _ mode: Query.Mode) {
    scalars = Array(text.unicodeScalars)
    self.mode = mode
    var offsets = [0]
    for scalar in scalars { offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar)) }
    self.offsets = offsets
  }

  var isStrict: Bool { mode == .strict }
  var isAtEnd: Bool { place == scalars.count }
  var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }
  /// Whether a word that ends here is still being typed.
  var isBeingTyped: Bool { mode == .typing && isAtEnd && negations == 0 }

  /// Returns an error at a range of code points.
  func mistake(_ range: Range<Int>, _ reason: Query.Reason) -> Query.Mistake {
    Query.Mistake(offsets[range.lowerBound]..<offsets[range.upperBound], reason)
  }

  mutating func query() throws(Query.Mistake) -> Query { try alternatives() ?? .everything }

  // MARK: - Operators

  /// Parses conditions of which one must be true (`OR`), or returns `nil` if there are none.
  private mutating func alternatives() throws(Query.Mistake) -> Query? {
    var branches: [Query] = []
    var pending: Range<Int>?
    while true {
      let branch = try sequence()
      if let branch { branches.append(branch) }
      let range = operatorRange(.or)
      if isStrict, branch == nil, let wrong = range ?? pending { throw mistake(wrong, .missingOperand(.or)) }
      guard let range else { break }
      pending = range
      place = range.upperBound
    }
    return branches.isEmpty ? nil : Query.any(of: branches)
  }

  /// Parses conditions that must all be true, or returns `nil` if there are none.
  private mutating func sequence() throws(Query.Mistake) -> Query? {
    var members: [Query] = []
    var pending: Range<Int>?
    while true {
      skipSpaces()
      if isAtEnd || operatorRange(.or) != nil { break }
      if next == ")" {
        if depth > 0 { break }
        if isStrict { throw mistake(place..<place + 1, .unexpectedParenthesis) }
        place += 1
        continue
      }
      if let range = operatorRange(.and) {
        if isStrict, members.isEmpty || pending != nil { throw mistake(range, .missingOperand(.and)) }
        pending = range
        place = range.upperBound
        continue
      }
      if let member = try negation() { members.append(member) }
      pending = nil
    }
    if isStrict, let pending { throw mistake(pending, .missingOperand(.and)) }
    return members.isEmpty ? nil : Query.all(of: members)
  }

  /// Parses a condition with an optional `NOT` or `-` before it.
  private mutating func negation() throws(Query.Mistake) -> Query? {
    if let range = operatorRange(.not) {
      place = range.upperBound
      skipSpaces()
      let isMissing = isAtEnd || next == ")" || operatorRange(.or) != nil || operatorRange(.and) != nil
      if isMissing {
        if isStrict { throw mistake(range, .missingOperand(.not)) }
        return nil
      }
      return try negated { (parser) throws(Query.Mistake) in
        try parser.nested(at: range) { (parser) throws(Query.Mistake) in try parser.negation() }
      }
    }
    guard next == "-" else { return try atom() }
    let start = place
    place += 1
    if next.map({ QuerySyntax.isSpace($0) || $0 == ")" }) ?? true {
      if isStrict { throw mistake(start..<place, .nothingToFind) }
      return nil
    }
    return try negated { (parser) throws(Query.Mistake) in try parser.atom() }
  }

  /// Negates the query that `parse` returns.
  private mutating func negated(
    _ parse: (inout QueryParser) throws(Query.Mistake) -> Query?
  ) throws(Query.Mistake) -> Query? {
    negations += 1
    defer { negations -= 1 }
    return try parse(&self).map { .not($0) }
  }

  /// Parses one level deeper, or throws if that exceeds the maximum depth.
  private mutating func nested(
    at range: Range<Int>, _ parse: (inout QueryParser) throws(Query.Mistake) -> Query?
  ) throws(Query.Mistake) -> Query? {
    guard depth < Limits.queryDepth else { throw mistake(range, .tooDeep(most: Limits.queryDepth)) }
    depth += 1
    defer { depth -= 1 }
    try count(at: range)
    return try parse(&self)
  }

  /// Counts a condition, a value or an operator.
  mutating func count(at range: Range<Int>) throws(Query.Mistake) {
    nodes += 1
    if nodes > Limits.queryNodes { throw mistake(range, .tooMany(most: Limits.queryNodes)) }
  }

  // MARK: - Conditions

  /// Parses one condition, or a query in parentheses.
  private mutating func atom() throws(Query.Mistake) -> Query? {
    let start = place
    switch next {
    case "("?: return try parentheses()
    case "\""?:
      let value = try quoted()
      try count(at: start..<place)
      return try term(value).map { .test(.text($0)) }
    case "/"?:
      if let pattern = try regularExpression(isInList: false) {
        try count(at: start..<place)
        return .test(.text(.pattern(pattern)))
      }
      return try word()
    case _:
      if let field = try field() { return field }
      return try word()
    }
  }

  private mutating func parentheses() throws(Query.Mistake) -> Query? {
    let start = place
    let inner = try nested(at: start..<start + 1) { (parser) throws(Query.Mistake) in
      parser.place += 1
      return try parser.alternatives()
    }
    if next == ")" {
      place += 1
    } else if isStrict {
      throw mistake(start..<start + 1, .unclosedParenthesis)
    }
    if isStrict, inner == nil { throw mistake(start..<place, .emptyParentheses) }
    return inner
  }

  private mutating func word() throws(Query.Mistake) -> Query? {
    let start = place
    while let scalar = next, !QuerySyntax.isDelimiter(scalar) { place += 1 }
    try count(at: start..<place)
    let value = QueryValue(scalars[start..<place].map { (scalar: $0, isEscaped: false) }, start..<place)
    return try term(value).map { .test(.text($0)) }
  }

  /// Returns the words of a value as a term, or `nil` if the user is still typing and it contains nothing to
  /// search. Otherwise throws if it contains nothing to search.
  func term(_ value: QueryValue) throws(Query.Mistake) -> Query.TextTerm? {
    let (text, isPrefix) = value.words
    guard QuerySyntax.hasWord(text) else {
      if isStrict { throw mistake(value.range, .nothingToFind) }
      return nil
    }
    let goesOn = isBeingTyped && (!value.isQuoted || value.isOpen) && value.endsInWord
    return .words(Query.ExactText(text), isPrefix: isPrefix || goesOn)
  }

  // MARK: - Lexing

  mutating func skipSpaces() {
    while let scalar = next, QuerySyntax.isSpace(scalar) { place += 1 }
  }

  /// Returns the range of the operator that is next, as a separate word.
  private func operatorRange(_ name: Query.Operator) -> Range<Int>? {
    let end = place + name.rawValue.unicodeScalars.count
    guard end <= scalars.count, scalars[place..<end].elementsEqual(name.rawValue.unicodeScalars),
      end == scalars.count || QuerySyntax.isDelimiter(scalars[end])
    else { return nil }
    return place..<end
  }

  /// Parses `"…"`, and a star directly after it. A backslash escapes the next character.
  mutating func quoted() throws(Query.Mistake) -> QueryValue {
    let start = place
    var found: [(scalar: Unicode.Scalar, isEscaped: Bool)] = []
    place += 1
    while let scalar = next, scalar != "\"" {
      place += 1
      if scalar == "\\", let escaped = next {
        found.append((escaped, true))
        place += 1
      } else {
        found.append((scalar, false))
      }
    }
    let isOpen = isAtEnd
    if isOpen, isStrict { throw mistake(start..<start + 1, .unclosedPhrase) }
    if !isOpen { place += 1 }
    var hasStar = false
    if !isOpen, next == "*" {
      hasStar = true
      place += 1
    }
    return QueryValue(found, start..<place, isQuoted: true, isOpen: isOpen, hasStar: hasStar)
  }
}
