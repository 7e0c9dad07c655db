import Messages

/// A value as written: a word, or text in quotes.
struct QueryValue {
  /// The text without quotes and backslashes. An escaped star is a literal character.
  let scalars: [(scalar: Unicode.Scalar, isEscaped: Bool)]
  let range: Range<Int>
  var isQuoted = false
  /// Whether its closing quote is missing.
  var isOpen = false
  /// Whether a star follows the closing quote.
  var hasStar = false

  init(
    _ scalars: [(scalar: Unicode.Scalar, isEscaped: Bool)], _ range: Range<Int>, isQuoted: Bool = false,
    isOpen: Bool = false, hasStar: Bool = false
  ) {
    self.scalars = scalars
    self.range = range
    (self.isQuoted, self.isOpen, self.hasStar) = (isQuoted, isOpen, hasStar)
  }

  private static func string(_ scalars: some Sequence<(scalar: Unicode.Scalar, isEscaped: Bool)>) -> String {
    var view = String.UnicodeScalarView()
    for (scalar, _) in scalars { view.append(scalar) }
    return String(view)
  }

  /// The text, in which every star is a literal character.
  var text: String { Self.string(scalars) + (hasStar ? "*" : "") }

  /// The text to search, and whether a star at its end means that its last word may continue.
  var words: (text: String, isPrefix: Bool) {
    guard !isQuoted else { return (Self.string(scalars), hasStar) }
    let stars = scalars.reversed().prefix { $0.scalar == "*" }.count
    return (Self.string(scalars.dropLast(stars)), stars > 0)
  }

  var glob: Glob {
    var pieces = [String.UnicodeScalarView()]
    for (scalar, isEscaped) in scalars {
      if scalar == "*", !isEscaped {
        pieces.append("".unicodeScalars)
      } else {
        pieces[pieces.count - 1].append(scalar)
      }
    }
    if hasStar { pieces.append("".unicodeScalars) }
    return Glob(pieces: pieces.map { String($0) })
  }

  /// Whether another letter would make its last word longer.
  var endsInWord: Bool { scalars.last.map { SearchText.isPartOfWord($0.scalar) } ?? false }
}

extension QueryParser {
  /// Parses a field and its values. Returns `nil` if there is no field here or, while the user types, only
  /// text that could become one. While the user types, a field without a finished value is the inner `nil`.
  mutating func field() throws(Query.Mistake) -> Query?? {
    let start = place
    let length = QuerySyntax.fieldLength(scalars[place...])
    guard length > 0 else { return nil }
    let isCompared = scalars[place + length - 1] != ":"
    let nameEnd = isCompared ? place + length : place + length - 1
    let name = QuerySyntax.lowercased(scalars[place..<nameEnd])
    guard let field = Query.Field(written: name) else {
      if !isStrict { return nil }
      let written = String(String.UnicodeScalarView(scalars[place..<nameEnd]))
      let nearest = NearestName.of(name, in: Query.Field.allCases.map(\.rawValue))
      throw mistake(place..<nameEnd, .unknownField(written, nearest: nearest))
    }
    place += length
    if isCompared { return .some(try comparison(from: start)) }
    if next.map(QuerySyntax.isSpace) ?? true {
      if isStrict { throw mistake(start..<place, .missingValue(field)) }
      if isAtEnd { return .some(nil) }
      place = start
      return nil
    }
    return .some(try values(of: field, from: start).map { .test($0) })
  }

  /// Parses `priority>=4`.
  private mutating func comparison(from start: Int) throws(Query.Mistake) -> Query? {
    let sign = scalars[place]
    place += 1
    var isWide = false
    if sign != "=", next == "=" {
      isWide = true
      place += 1
    }
    let value = bareValue()
    try count(at: start..<place)
    guard let level = Query.PriorityLevel.level(value.text) else {
      if !isStrict, isAtEnd { return nil }
      if value.scalars.isEmpty { throw mistake(start..<place, .missingValue(.priority)) }
      throw mistake(value.range, unknown(.priority, value.text))
    }
    switch sign {
    case "<": return .test(.compared(isWide ? .atMost : .less, level))
    case ">": return .test(.compared(isWide ? .atLeast : .greater, level))
    case _: return .test(.priority([level]))
    }
  }

  /// Returns the error for a value that the field doesn't have, with the nearest allowed value.
  private func unknown(_ field: Query.Field, _ text: String) -> Query.Reason {
    .unknownValue(field, text, nearest: NearestName.of(text, in: field.values))
  }

  private mutating func values(of field: Query.Field, from start: Int) throws(Query.Mistake) -> Query.Test? {
    if let text = field.textField { return try list(field, start, Self.term).map { .inText(text, $0) } }
    if let name = field.nameField { return try list(field, start, Self.name).map { .name(name, $0) } }
    switch field {
    case .from: return try list(field, start, Self.term).map { .from($0) }
    case .priority:
      return try list(field, start) { parser, value in Query.PriorityLevel.level(value.text) }
        .map { .priority($0) }
    case .is:
      return try list(field, start) { Query.State(rawValue: $1.text.lowercased()) }.map { .state($0) }
    case .has: return try list(field, start) { Query.Part(rawValue: $1.text.lowercased()) }.map { .has($0) }
    case .in:
      return try list(field, start) { $1.text.lowercased() == "all" ? true : nil }.map { _ in .everywhere }
    case .before: return try list(field, start) { Query.DatePoint($1.text) }.map { .before($0) }
    case .after: return try list(field, start) { Query.DatePoint($1.text) }.map { .after($0) }
    case .date: return try list(field, start) { Query.DateRange($1.text) }.map { .date($0) }
    case .older: return try list(field, start) { Query.TimeSpan($1.text) }.map { .older($0) }
    case .newer: return try list(field, start) { Query.TimeSpan($1.text) }.map { .newer($0) }
    case .url: return try list(field, start, Self.address).map { .address($0) }
    case .id: return try list(field, start) { Query.ExactText($1.text) }.map { .id($0) }
    case .title, .body, .author, .source, .folder, .tag, .kind, .lang, .channel, .site, .rule: return nil
    }
  }

  // MARK: - Lists of values

  private typealias Reader<Value> = (inout QueryParser, Query.Field) throws(Query.Mistake) -> Value?

  /// Parses values between commas. Returns `nil` if the user is still typing and no value is finished.
  private mutating func list<Value>(
    _ field: Query.Field, _ start: Int, _ read: Reader<Value>
  ) throws(Query.Mistake) -> [Value]? {
    var found: [Value] = []
    while true {
      let valueStart = place
      if next.map({ $0 == "," || QuerySyntax.isSpace($0) || $0 == "(" || $0 == ")" }) ?? true {
        if isStrict { throw mistake(start..<place, .missingValue(field)) }
      } else {
        let value = try read(&self, field)
        try count(at: valueStart..<place)
        if let value { found.append(value) }
      }
      guard next == "," else { break }
      place += 1
    }
    return found.isEmpty ? nil : found
  }

  /// Parses values without regular expressions.
  private mutating func list<Value>(
    _ field: Query.Field, _ start: Int, _ convert: (QueryParser, QueryValue) -> Value?
  ) throws(Query.Mistake) -> [Value]? {
    try list(field, start) { (parser, field) throws(Query.Mistake) -> Value? in
      let valueStart = parser.place
      if parser.next == "/", try parser.regularExpression(isInList: true) != nil {
        throw parser.mistake(valueStart..<parser.place, .patternNotAllowed(field))
      }
      let value = try parser.plainValue()
      if let converted = convert(parser, value) { return converted }
      // The next letters may complete a value.
      if !parser.isStrict, parser.isAtEnd { return nil }
      throw parser.mistake(value.range, parser.refusal(of: field, value.text))
    }
  }

  /// Returns the reason why a value is invalid for a field.
  private func refusal(of field: Query.Field, _ text: String) -> Query.Reason {
    switch field {
    case .before, .after, .date: .notADate(text)
    case .older, .newer: .notATimeSpan(text)
    case _: unknown(field, text)
    }
  }

  private static func term(
    _ parser: inout QueryParser, _ field: Query.Field
  ) throws(Query.Mistake) -> Query.TextTerm? {
    if let pattern = try parser.regularExpression(isInList: true) { return .pattern(pattern) }
    let value = try parser.plainValue()
    return try parser.term(value)
  }

  private static func name(
    _ parser: inout QueryParser, _ field: Query.Field
  ) throws(Query.Mistake) -> Query.NamePattern? {
    if let pattern = try parser.regularExpression(isInList: true) { return .pattern(pattern) }
    let value = try parser.plainValue()
    var glob = value.glob
    if parser.isBeingTyped, let literal = glob.literal { glob = Glob(pieces: [literal, ""]) }
    guard field != .kind || field.values.contains(where: glob.matches) else {
      // The next letters may complete a kind.
      if !parser.isStrict, parser.isAtEnd { return nil }
      throw parser.mistake(value.range, parser.unknown(field, value.text))
    }
    return .glob(glob)
  }

  private static func address(
    _ parser: inout QueryParser, _ field: Query.Field
  ) throws(Query.Mistake) -> Query.AddressTerm? {
    if let pattern = try parser.regularExpression(isInList: true) { return .pattern(pattern) }
    return .contains(Query.ExactText(try parser.plainValue().text))
  }

  /// Parses a value that is no regular expression: text in quotes, or a word.
  private mutating func plainValue() throws(Query.Mistake) -> QueryValue {
    next == "\"" ? try quoted() : bareValue()
  }

  /// Parses a value without quotes, up to a comma or the end of the word.
  private mutating func bareValue() -> QueryValue {
    let start = place
    while let scalar = next, scalar != ",", !QuerySyntax.isDelimiter(scalar) { place += 1 }
    return QueryValue(scalars[start..<place].map { ($0, false) }, start..<place)
  }

  // MARK: - Regular expressions

  /// Parses `/…/` or `/…/c`, with nothing directly after it. Returns `nil` if there is no slash here. If the
  /// expression is unfinished or empty, it throws, or returns `nil` while the user types.
  mutating func regularExpression(isInList: Bool) throws(Query.Mistake) -> RegularExpression? {
    guard next == "/" else { return nil }
    let start = place
    var pattern = String.UnicodeScalarView()
    /// The position of each of its code points, and of the end.
    var places: [Int] = []
    place += 1
    while let scalar = next, scalar != "/" {
      places.append(place)
      place += 1
      guard scalar == "\\", let escaped = next else {
        pattern.append(scalar)
        continue
      }
      place += 1
      if escaped == "/" {
        pattern.append("/")
      } else {
        pattern.append(scalar)
        pattern.append(escaped)
        places.append(place - 1)
      }
    }
    places.append(place)
    var isClosed = !isAtEnd
    if isClosed { place += 1 }
    var isCaseSensitive = false
    if isClosed, next == "c" {
      isCaseSensitive = true
      place += 1
    }
    if let after = next, !QuerySyntax.isSpace(after), after != ")", !(isInList && after == ",") {
      isClosed = false
    }
    guard isClosed else {
      if isStrict { throw mistake(start..<start + 1, .unclosedPattern) }
      place = start
      return nil
    }
    if pattern.isEmpty {
      if isStrict { throw mistake(start..<place, .nothingToFind) }
      place = start
      return nil
    }
    do throws(LocatedFault) {
      return try RegularExpression(located: String(pattern), isCaseSensitive: isCaseSensitive)
    } catch {
      throw mistake(places[error.range.lowerBound]..<places[error.range.upperBound], .pattern(error.fault))
    }
  }
}
