import Basics

/// What compiling a regular expression may cost, found before the C library sees it.
///
/// Reads POSIX extended syntax as glibc does. What is wrong in another way is left to the library.
struct PatternShape {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  /// A part of the expression.
  fileprivate struct Part {
    /// Characters after intervals are written out.
    var size = 0
    /// Repetitions of what may be empty, weighed.
    var emptyRepeats = 0
    var mayBeEmpty = true
    /// Of `size`, the sets of characters: `.`, `[a-z]`, `\w`. glibc looks at each of them that can come next, at each
    /// character of a text.
    var sets = 0
  }

  /// - Returns: how many steps it takes for each byte of a text, at most.
  /// - Throws: the fault, and its place in scalars.
  static func check(_ pattern: String) throws(LocatedFault) -> Int {
    var shape = PatternShape(scalars: Array(pattern.unicodeScalars))
    if pattern.utf8.count > Limits.patternBytes {
      throw LocatedFault(0..<shape.scalars.count, .tooLong(most: Limits.patternBytes))
    }
    let whole = try shape.alternatives(depth: 0)
    if shape.place < shape.scalars.count {
      throw LocatedFault(shape.place..<shape.place + 1, .parentheses)
    }
    // What is not a set is looked at once for all texts: only a new combination of states takes time.
    return 3 + whole.sets + whole.size / 8
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func alternatives(depth: Int) throws(LocatedFault) -> Part {
    var whole = try sequence(depth: depth)
    while next == "|" {
      place += 1
      let other = try sequence(depth: depth)
      whole.size += other.size + 1
      whole.sets += other.sets
      whole.emptyRepeats += other.emptyRepeats
      whole.mayBeEmpty = whole.mayBeEmpty || other.mayBeEmpty
    }
    return whole
  }

  private mutating func sequence(depth: Int) throws(LocatedFault) -> Part {
    var whole = Part()
    while let scalar = next, scalar != "|", scalar != ")" {
      let start = place
      var part = try atom(depth: depth)
      while let repeats = try repetition() { try part.repeated(repeats, at: start..<place) }
      whole.size += part.size
      whole.sets += part.sets
      whole.emptyRepeats += part.emptyRepeats
      whole.mayBeEmpty = whole.mayBeEmpty && part.mayBeEmpty
      try whole.checkSize(at: start..<place)
    }
    return whole
  }

  private mutating func atom(depth: Int) throws(LocatedFault) -> Part {
    let start = place
    place += 1
    switch scalars[start] {
    case "(":
      guard depth < Limits.patternDepth else {
        throw LocatedFault(start..<place, .tooDeep(most: Limits.patternDepth))
      }
      var part = try alternatives(depth: depth + 1)
      guard next == ")" else { throw LocatedFault(start..<start + 1, .parentheses) }
      place += 1
      part.size += 1
      return part
    case "[":
      try bracket(from: start)
      return Part(size: 1, mayBeEmpty: false, sets: 1)
    case ".":
      return Part(size: 1, mayBeEmpty: false, sets: 1)
    case "\\":
      guard let escaped = next else { throw LocatedFault(start..<place, .escape) }
      place += 1
      if ("1"..."9").contains(escaped) { throw LocatedFault(start..<place, .backReference) }
      return Part(
        size: 1, mayBeEmpty: "<>bB`'".unicodeScalars.contains(escaped),
        sets: "wWsS".unicodeScalars.contains(escaped) ? 1 : 0)
    case "^", "$":
      return Part(size: 1, mayBeEmpty: true)
    case let scalar:
      return Part(size: UTF8.width(scalar), mayBeEmpty: false)
    }
  }

  /// A bracket ends at the first `]` that is neither its first character nor in `[: :]`, `[. .]` or `[= =]`.
  private mutating func bracket(from start: Int) throws(LocatedFault) {
    if next == "^" { place += 1 }
    if next == "]" { place += 1 }
    while let scalar = next {
      place += 1
      if scalar == "]" { return }
      if scalar == "[", let kind = next, [":", ".", "="].contains(kind) {
        place += 1
        while place < scalars.count,
          scalars[place] != kind || place + 1 >= scalars.count || scalars[place + 1] != "]"
        {
          place += 1
        }
        place += 2
      }
    }
    place = min(place, scalars.count)
    throw LocatedFault(start..<start + 1, .brackets)
  }

  // MARK: - Repetitions

  fileprivate struct Repetition {
    /// Copies of the part, once intervals are written out.
    var copies: Int
    var least: Int
    var isBounded: Bool
  }

  private mutating func repetition() throws(LocatedFault) -> Repetition? {
    switch next {
    case "*"?:
      place += 1
      return Repetition(copies: 1, least: 0, isBounded: false)
    case "+"?:
      place += 1
      return Repetition(copies: 2, least: 1, isBounded: false)
    case "?"?:
      place += 1
      return Repetition(copies: 1, least: 0, isBounded: true)
    case "{"?: return try interval()
    case _: return nil
    }
  }

  private mutating func interval() throws(LocatedFault) -> Repetition {
    let start = place
    place += 1
    let low = number()
    var high = low
    var isBounded = true
    if next == "," {
      place += 1
      high = number()
      isBounded = high != nil
    }
    guard next == "}", low != nil || high != nil else {
      throw LocatedFault(start..<max(start + 1, min(place, scalars.count)), .braces)
    }
    place += 1
    let least = low ?? 0
    if let high, high < least { throw LocatedFault(start..<place, .braces) }
    return Repetition(copies: isBounded ? high ?? least : least + 1, least: least, isBounded: isBounded)
  }

  /// At most one more than any interval may be.
  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next, ("0"..."9").contains(digit) {
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), Limits.patternSize + 1)
      place += 1
    }
    return value
  }
}

/// A fault and its place in the expression, in scalars.
struct LocatedFault: Error {
  var range: Range<Int>
  var fault: Query.PatternFault

  init(_ range: Range<Int>, _ fault: Query.PatternFault) {
    self.range = range
    self.fault = fault
  }
}

extension PatternShape.Part {
  fileprivate mutating func repeated(
    _ repeats: PatternShape.Repetition, at range: Range<Int>
  ) throws(LocatedFault) {
    let copies = max(repeats.copies, 1)
    size *= copies
    sets *= copies
    emptyRepeats *= copies
    if mayBeEmpty { emptyRepeats += copies }
    mayBeEmpty = mayBeEmpty || repeats.least == 0
    try checkSize(at: range)
  }

  fileprivate func checkSize(at range: Range<Int>) throws(LocatedFault) {
    if size > Limits.patternSize { throw LocatedFault(range, .tooLarge(most: Limits.patternSize)) }
    if emptyRepeats > Limits.patternEmptyRepeats { throw LocatedFault(range, .emptyRepeats) }
  }
}
