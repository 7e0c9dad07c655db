import Basics

/// Translates a regular expression as users write it to the syntax of PCRE2, including the syntax of POSIX and grep.
/// Syntax that could never match within a line is rejected, and so is syntax that would change the limits of the
/// search.
struct PatternDialect {
  /// The expression in PCRE2's syntax, as UTF-8.
  private(set) var written: [UInt8] = []

  /// For each byte of `written`, and for its end: the position in the given expression that it comes from, in
  /// scalars.
  private var places: [Int] = []
  private let scalars: [Unicode.Scalar]
  private var place = 0
  /// The start in `written` of the item that a repetition applies to, and whether the item already has one.
  private var item = 0
  private var isRepeated = false

  init(_ pattern: String) throws(LocatedFault) {
    scalars = Array(pattern.unicodeScalars)
    var groups: [(place: Int, item: Int)] = []
    while place < scalars.count {
      let start = place
      place += 1
      if ["*", "+", "?", "{"].contains(scalars[start]) {
        try repetition(from: start)
        continue
      }
      if scalars[start] == "(", has("?#") {
        while place < scalars.count, !has(")") { place += 1 }
        guard place < scalars.count else { throw LocatedFault(start..<start + 1, .parentheses) }
        place += 1
        continue
      }
      item = written.count
      isRepeated = false
      switch scalars[start] {
      case "\\": try escape(from: start)
      case "[": try bracket(from: start)
      case "(":
        groups.append((start, item))
        if groups.count > Limits.patternDepth {
          throw LocatedFault(start..<place, .tooDeep(most: Limits.patternDepth))
        }
        try group(from: start)
      case ")":
        guard let group = groups.popLast() else { throw LocatedFault(start..<place, .parentheses) }
        item = group.item
        add(")", start)
      case let scalar: add(String(scalar), start)
      }
    }
    if let open = groups.last { throw LocatedFault(open.place..<open.place + 1, .parentheses) }
    places.append(scalars.count)
  }

  /// Returns the range, in scalars of the given expression, of the item that ends before a byte of `written`.
  func given(before byte: Int) -> Range<Int> {
    let byte = min(max(byte - 1, 0), places.count - 1)
    let start = places[byte]
    return start..<(places[byte...].first { $0 > start } ?? scalars.count)
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  /// Whether the given expression continues with this text.
  private func has(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

  /// Appends text to `written`, for the character at `start` in the given expression.
  private mutating func add(_ text: String, _ start: Int) {
    written.append(contentsOf: text.utf8)
    places.append(contentsOf: repeatElement(start, count: text.utf8.count))
  }

  /// Appends a character escaped, so that it matches itself.
  private mutating func addLiteral(_ scalar: Unicode.Scalar, _ start: Int) {
    let isSign = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
    add((isSign ? "\\" : "") + String(scalar), start)
  }

  /// Returns the error for syntax that is not supported, with its replacement.
  private func unknown(_ start: Int, _ length: Int, instead: String) -> LocatedFault {
    let range = start..<min(start + length, scalars.count)
    return LocatedFault(range, .unknownSyntax(text(range), instead: instead))
  }

  private mutating func group(from start: Int) throws(LocatedFault) {
    if has("*") {
      // This is a verb, for example `(*LIMIT_MATCH=9)`.
      let isVerb =
        place + 1 < scalars.count && (scalars[place + 1].properties.isAlphabetic || scalars[place + 1] == ":")
      throw isVerb ? unknown(start, 2, instead: #"\(\*"#) : LocatedFault(place..<place + 1, .repetition)
    }
    if has("?C") { throw unknown(start, 3, instead: "(?:…)") }
    add("(", start)
    // Neither is a repetition here, and nor is the sign of `(?+1)`.
    while has("?") || has("+") && scalars[place - 1] == "?" {
      add(String(scalars[place]), start)
      place += 1
    }
  }

  private mutating func escape(from start: Int) throws(LocatedFault) {
    guard place < scalars.count else { throw LocatedFault(start..<place, .escape) }
    let escaped = scalars[place]
    place += 1
    switch escaped {
    case "<": add(#"(?:(?<!\w)(?=\w))"#, start)
    case ">": add(#"(?:(?<=\w)(?!\w))"#, start)
    case "`": add(#"\A"#, start)
    case "'": add(#"\z"#, start)
    case "n", "r": throw unknown(start, 2, instead: "^, $")
    case "c": throw unknown(start, 2, instead: #"\x1b"#)
    case "Q":
      while place < scalars.count, !has(#"\E"#) {
        item = written.count
        addLiteral(scalars[place], place)
        place += 1
      }
      place = min(place + 2, scalars.count)
    case "p", "P", "x", "o", "g", "k", "N":
      add("\\" + String(escaped), start)
      guard has("{") else { break }
      let end = scalars[place...].firstIndex(of: "}") ?? scalars.count - 1
      add(text(place..<end + 1), start)
      place = end + 1
    case _: add("\\" + String(escaped), start)
    }
  }

  private mutating func bracket(from start: Int) throws(LocatedFault) {
    add("[", start)
    if has("^") {
      add("^", place)
      place += 1
    }
    let first = place
    while place < scalars.count {
      let here = place
      place += 1
      switch scalars[here] {
      case "]" where here > first: return add("]", here)
      case "[" where has(":"):
        // This is a class such as `[:alpha:]`, or a bracket and a colon.
        let end = scalars[place...].firstIndex(of: "]") ?? here
        let isClass = end > place + 1 && scalars[end - 1] == ":"
        add(text(here..<(isClass ? end + 1 : place)), here)
        if isClass { place = end + 1 }
      case "[" where has(".") || has("="):
        // `[.-.]` and `[=a=]` mean the character between.
        guard place + 3 < scalars.count, scalars[place + 2] == scalars[place], scalars[place + 3] == "]"
        else {
          add("[", here)
          continue
        }
        addLiteral(scalars[place + 1], here)
        place += 4
      case "\\" where place < scalars.count:
        if ["Q", "E", "c"].contains(scalars[place]) { throw unknown(here, 2, instead: "[…]") }
        add("\\" + String(scalars[place]), here)
        place += 1
      case let scalar: add(String(scalar), here)
      }
    }
    throw LocatedFault(start..<start + 1, .brackets)
  }

  // MARK: - Repetitions

  private mutating func repetition(from start: Int) throws(LocatedFault) {
    let text = scalars[start] == "{" ? try interval(from: start) : String(scalars[start])
    if isRepeated {
      // POSIX allows to repeat a repetition, as in `a{2}{3}`.
      written.insert(contentsOf: "(?:".utf8, at: item)
      places.insert(contentsOf: repeatElement(places[item], count: 3), at: item)
      add(")", start)
    }
    isRepeated = true
    add(text, start)
    // The repetition is lazy or possessive.
    if has("?") || has("+") {
      add(String(scalars[place]), start)
      place += 1
    }
  }

  private mutating func interval(from start: Int) throws(LocatedFault) -> String {
    let low = number()
    var high = low
    let isRange = has(",")
    if isRange {
      place += 1
      high = number()
    }
    guard has("}"), low != nil || high != nil else {
      throw LocatedFault(start..<max(start + 1, min(place, scalars.count)), .braces)
    }
    place += 1
    if let high, high < low ?? 0 { throw LocatedFault(start..<place, .braces) }
    if max(low ?? 0, high ?? 0) > Limits.patternInterval { throw LocatedFault(start..<place, .tooLarge) }
    return "{\(low ?? 0)\(isRange ? "," : "")\(isRange ? high.map(String.init) ?? "" : "")}"
  }

  /// Reads a decimal number. A number above the maximum of an interval becomes that maximum plus one.
  private mutating func number() -> Int? {
    var value: Int?
    while place < scalars.count, ("0"..."9").contains(scalars[place]) {
      value = min((value ?? 0) * 10 + Int(scalars[place].value - 0x30), Limits.patternInterval + 1)
      place += 1
    }
    return value
  }
}

/// An error and its position in the expression, in scalars.
struct LocatedFault: Error {
  var range: Range<Int>
  var fault: Query.PatternFault

  init(_ range: Range<Int>, _ fault: Query.PatternFault) {
    self.range = range
    self.fault = fault
  }
}
