import Basics
import Messages

/// Reads and writes actions as in the settings: `read`, `tag:ci`, `snooze:tomorrow 9`.
extension RuleAction {
  /// The reason why text isn't an action.
  package enum Mistake: Error, Hashable, Sendable {
    case unknown(String, nearest: String?)
    /// `tag:` or similar without anything after the colon.
    case missingValue(String)
    /// An action that takes no value has one.
    case unexpectedValue(String)
    case notAPriority(String)
    case notATime(String)
  }

  /// The names of all actions.
  package static let names = [
    "read", "unread", "star", "dismiss", "hide", "tag:", "untag:", "priority:", "snooze:", "notify", "urgent",
    "again:", "silent", "run",
  ]

  package static func parse(_ text: String) -> Result<RuleAction, Mistake> {
    let parts = text.split(onBytes: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = trimmed(parts[0])
    let value = parts.count > 1 ? trimmed(parts[1]) : nil
    if let plain = plain[name] {
      return value == nil ? .success(plain) : .failure(.unexpectedValue(name))
    }
    guard names.contains(name + ":") else {
      let all = names.map { $0.hasSuffix(":") ? String($0.dropLast()) : $0 }
      return .failure(.unknown(name, nearest: NearestName.of(name, in: all)))
    }
    guard let value, !value.isEmpty else { return .failure(.missingValue(name)) }
    switch name {
    case "tag": return .success(.tag(value))
    case "untag": return .success(.untag(value))
    case "snooze": return .success(.snooze(value))
    case "again":
      guard let minutes = minutes(value), (1...Limits.longestRepetitionMinutes).contains(minutes) else {
        return .failure(.notATime(value))
      }
      return .success(.again(minutes: minutes))
    case _:
      guard let level = Query.PriorityLevel.level(value) else { return .failure(.notAPriority(value)) }
      return .success(.priority(Priority(level)))
    }
  }

  private static let plain: [String: RuleAction] = [
    "read": .read, "unread": .unread, "star": .star, "dismiss": .dismiss, "hide": .hide, "notify": .notify,
    "urgent": .urgent, "silent": .silent, "run": .run,
  ]

  /// Returns the minutes of a time such as `30m` or `1h30m`, or `nil` if the text is none.
  private static func minutes(_ text: String) -> Int? {
    var total = 0
    var number = ""
    var unit = ""
    func add() -> Bool {
      guard let count = Int(number), count <= Limits.longestRepetitionMinutes else { return false }
      switch unit {
      case "m", "min": total += count
      case "h": total += count * 60
      case "d": total += count * 1440
      case _: return false
      }
      (number, unit) = ("", "")
      return true
    }
    for character in text where character != " " {
      if character.isASCII, character.isNumber {
        if !unit.isEmpty, !add() { return nil }
        number.append(character)
      } else {
        unit.append(character)
      }
    }
    return add() ? total : nil
  }

  private static func time(minutes: Int) -> String {
    [("d", minutes / 1440), ("h", minutes / 60 % 24), ("m", minutes % 60)].map { unit, count in
      count == 0 ? "" : "\(count)\(unit)"
    }.joined()
  }

  /// The action in the form that is parsed.
  package var text: String {
    switch self {
    case .read: "read"
    case .unread: "unread"
    case .star: "star"
    case .dismiss: "dismiss"
    case .hide: "hide"
    case .tag(let tag): "tag:\(tag)"
    case .untag(let tag): "untag:\(tag)"
    case .priority(let priority): "priority:\(priority.rawValue)"
    case .snooze(let words): "snooze:\(words)"
    case .notify: "notify"
    case .urgent: "urgent"
    case .again(let minutes): "again:\(Self.time(minutes: minutes))"
    case .silent: "silent"
    case .run: "run"
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension RuleAction.Mistake: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let name, let nearest):
      "\(name) is not an action"
        + (nearest.map { "; did you mean \($0)?" }
          ?? "; there are \(RuleAction.names.joined(separator: ", "))")
    case .missingValue(let name): "\(name): needs a value right after it"
    case .unexpectedValue(let name): "\(name) takes no value"
    case .notATime(let text): "\(text) is not a time from 1m to 7d, such as 30m or 1h30m"
    case .notAPriority(let text): "\(text) is not a priority: 1 to 5, or min, low, normal, high, urgent"
    }
  }
}
