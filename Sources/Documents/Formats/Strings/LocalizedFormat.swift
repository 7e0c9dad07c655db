import Basics

/// Fills in a localized format as plain text. Formats and arguments come from outside, so they are never passed to a C
/// formatter.
package enum LocalizedFormat {
  /// Replaces `%@` by the next argument, `%n$@` by the n-th, and `%%` by a percent sign; a missing argument is empty.
  /// Everything else, including other conversions, is unchanged, and arguments are not formats themselves. Text that
  /// exceeds the limit of a body is cut.
  package static func fill(_ format: String, _ arguments: [String]) -> String {
    guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
    var filled = ""
    var next = 0
    var rest = Substring(format).unicodeScalars
    func append(_ argument: String) {
      filled += argument.cut(toBytes: max(0, Limits.bodyBytes - filled.utf8.count))
    }
    while filled.utf8.count < Limits.bodyBytes, let percent = rest.firstIndex(of: "%") {
      filled.unicodeScalars += rest[..<percent]
      rest = rest[percent...]
      switch specifier(rest) {
      case .percent(let end):
        filled += "%"
        rest = rest[end...]
      case .next(let end):
        if arguments.indices.contains(next) { append(arguments[next]) }
        next += 1
        rest = rest[end...]
      case .argument(let number, let end):
        if arguments.indices.contains(number - 1) { append(arguments[number - 1]) }
        rest = rest[end...]
      case .text:
        filled += "%"
        rest = rest.dropFirst()
      }
    }
    filled.unicodeScalars += rest
    return filled.cut(toBytes: max(Limits.bodyBytes, format.utf8.count))
  }

  /// The meaning of a percent sign. `end` is the position after the specifier.
  private enum Specifier {
    case percent(end: String.Index)
    case next(end: String.Index)
    case argument(Int, end: String.Index)
    case text
  }

  /// Returns the specifier at the percent sign with which the text begins.
  private static func specifier(_ text: Substring.UnicodeScalarView) -> Specifier {
    var place = text.index(after: text.startIndex)
    guard place < text.endIndex else { return .text }
    if text[place] == "%" { return .percent(end: text.index(after: place)) }
    if text[place] == "@" { return .next(end: text.index(after: place)) }
    var number = 0
    var hasDigits = false
    while place < text.endIndex, let digit = digit(text[place]) {
      // There are never this many arguments: the limit only prevents an overflow.
      number = min(number * 10 + digit, Limits.argumentNumber)
      hasDigits = true
      place = text.index(after: place)
    }
    guard hasDigits, number > 0, place < text.endIndex, text[place] == "$" else { return .text }
    place = text.index(after: place)
    guard place < text.endIndex, text[place] == "@" else { return .text }
    return .argument(number, end: text.index(after: place))
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    ("0"..."9").contains(scalar) ? Int(scalar.value - 0x30) : nil
  }
}
