import Basics
import Formats
import Profile
import Screen
import Words

/// A line of the output of `reddot check`.
enum CheckLine: Sendable, ExpressibleByStringInterpolation {
  /// The number of things of one kind in the database, for example messages, with the words for one and for
  /// several of them.
  case holding(one: String, several: String, Int)
  /// A part of the database, such as an index, that differs from the data that it is derived from.
  case problem(_ part: String, String)
  /// A part of the database that was derived again from other data.
  case repaired(_ part: String, String)
  /// All parts of the database agree with the data that they are derived from.
  case agreement
  case note(String)

  init(stringLiteral value: String) { self = .note(value) }

  /// The line for users, or `nil` if it is for programs only.
  var text: StyledText? {
    func styled(_ text: String, _ style: Style = .plain) -> StyledText {
      StyledText(SafeText(untrusted: text), style: style)
    }
    switch self {
    case .holding(_, _, 0): return nil
    case .holding(let one, let several, let count):
      return styled("\(count) ", .bold) + styled(count == 1 ? one : several)
    case .problem(let part, let text): return styled("\(part): ", .bold) + styled(text, Style(roles: .error))
    case .repaired(let part, let text):
      return styled("\(part): ", .bold) + styled(text, Style(roles: .accent))
    case .agreement: return styled("everything agrees", Style(roles: .accent))
    case .note(let text): return styled(text)
    }
  }

  /// Returns all lines of a check as one object.
  static func json(_ lines: [CheckLine], agrees: Bool) -> JSONValue {
    var holdings = JSONObject([])
    var (problems, repaired, notes): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
    for line in lines {
      switch line {
      case .holding(_, let several, let count):
        holdings[several.replacingBytes(" ", with: "_")] = .integer(count)
      case .problem(let part, let text):
        problems.append(.object(JSONObject(pairs: [("part", .string(part)), ("message", .string(text))])))
      case .repaired(let part, _): repaired.append(.string(part))
      case .agreement: break
      case .note(let text): notes.append(.string(text))
      }
    }
    return .object(
      JSONObject(pairs: [
        ("agrees", .bool(agrees)), ("holdings", .object(holdings)), ("problems", .array(problems)),
        ("repaired", .array(repaired)), ("notes", .array(notes)),
      ]))
  }
}
