/// A translation of Perl's regular expressions into POSIX's: `\d`, `(?:…)`, `(?i)`, `\t`, and repetitions that take as little as
/// they can, since only whether there is a match counts. Everything else that would silently match nothing is refused.
struct PatternDialect {
  /// The expression in POSIX extended syntax.
  private(set) var written = String.UnicodeScalarView()
  /// The place of each of its scalars in the expression as it was given, and the end.
  private(set) var places: [Int] = []
  /// Whether it begins with `(?i)`.
  private(set) var ignoresCase = false

  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ pattern: String) throws(LocatedFault) {
    scalars = Array(pattern.unicodeScalars)
    if has("(?i)") {
      ignoresCase = true
      place = 4
    }
    var isRepetition = false
    while place < scalars.count {
      let start = place
      let wasRepetition = isRepetition
      isRepetition = false
      place += 1
      switch scalars[start] {
      case "\\": try escape(from: start)
      case "[": try bracket(from: start)
      case "(" where has("?:"):
        place += 2
        add("(", start)
      case "(" where has("?"): throw unknown(start, 3, instead: "(…)")
      case "?" where wasRepetition: break
      case "*", "+", "?", "}":
        add(String(scalars[start]), start)
        isRepetition = true
      case let scalar: add(String(scalar), start)
      }
    }
    places.append(scalars.count)
  }

  /// A range of the written expression in the one that was given.
  func given(_ range: Range<Int>) -> Range<Int> {
    let last = places.count - 1
    let start = places[min(range.lowerBound, last)]
    return start..<max(start, places[min(range.upperBound, last)])
  }

  private func has(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

  private mutating func add(_ text: String, _ start: Int) {
    for scalar in text.unicodeScalars {
      written.append(scalar)
      places.append(start)
    }
  }

  private func unknown(_ start: Int, _ length: Int, instead: String) -> LocatedFault {
    let range = start..<min(start + length, scalars.count)
    let text = String(String.UnicodeScalarView(scalars[range]))
    return LocatedFault(range, .unknownSyntax(text, instead: instead))
  }

  private mutating func escape(from start: Int) throws(LocatedFault) {
    guard place < scalars.count else { return add("\\", start) }
    let escaped = scalars[place]
    place += 1
    switch escaped {
    case "d": add("[0-9]", start)
    case "D": add("[^0-9]", start)
    case "t": add("\t", start)
    case "A": add("^", start)
    case "z", "Z": add("$", start)
    case "n", "r": throw unknown(start, 2, instead: "^, $")
    // The C library has these, and refuses references to groups itself.
    case "w", "W", "s", "S", "b", "B", "0"..."9": add("\\" + String(escaped), start)
    case "a"..."z", "A"..."Z": throw unknown(start, 2, instead: "[…]")
    case _: add("\\" + String(escaped), start)
    }
  }

  /// POSIX has no escapes in brackets.
  private mutating func bracket(from start: Int) throws(LocatedFault) {
    add("[", start)
    let first = has("^") ? place + 1 : place
    while place < scalars.count {
      let here = place
      place += 1
      switch scalars[here] {
      case "]" where here > first: return add("]", here)
      case "[" where place < scalars.count && [":", ".", "="].contains(scalars[place]):
        let kind = scalars[place]
        add("[", here)
        repeat {
          add(String(scalars[place]), place)
          place += 1
        } while place < scalars.count
          && !(scalars[place] == "]" && scalars[place - 1] == kind && place > here + 2)
        if place < scalars.count {
          add("]", place)
          place += 1
        }
      case "\\" where place < scalars.count:
        try escapeInBracket(from: here, isFirst: here == first)
      case let scalar: add(String(scalar), here)
      }
    }
  }

  private mutating func escapeInBracket(from here: Int, isFirst: Bool) throws(LocatedFault) {
    let escaped = scalars[place]
    place += 1
    switch escaped {
    case "d": add("0-9", here)
    case "w": add("[:alnum:]_", here)
    case "s": add("[:space:]", here)
    case "t": add("\t", here)
    case "]": throw unknown(here, 2, instead: "[]…]")
    case "-": throw unknown(here, 2, instead: "[…-]")
    case "[" where place < scalars.count && [":", ".", "="].contains(scalars[place]):
      throw unknown(here, 2, instead: "[…[]")
    case "^" where isFirst: throw unknown(here, 2, instead: "[…^]")
    case "a"..."z", "A"..."Z", "0"..."9": throw unknown(here, 2, instead: "[…]")
    case _: add(String(escaped), here)
    }
  }
}
