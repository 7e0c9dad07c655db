import Basics
import Messages

/// Actions as the settings write them: `read`, `tag:ci`, `snooze:tomorrow 9`.
extension RuleAction {
  /// Why a text isn't an action.
  package enum Mistake: Error, Hashable, Sendable {
    case unknown(String, nearest: String?)
    /// `tag:` and the like without anything behind the colon.
    case missingValue(String)
    /// Something behind an action that takes nothing.
    case unexpectedValue(String)
    case notAPriority(String)
  }

  /// The names of all actions.
  package static let names = [
    "read", "unread", "star", "dismiss", "hide", "tag:", "untag:", "priority:", "snooze:", "notify", "urgent",
    "silent", "run",
  ]

  package static func parse(_ text: String) -> Result<RuleAction, Mistake> {
    let parts = text.split(exactly: ":", maxSplits: 1, omittingEmptySubsequences: false)
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
    case _:
      guard let level = Query.PriorityLevel.level(value) else { return .failure(.notAPriority(value)) }
      return .success(.priority(Priority(level)))
    }
  }

  private static let plain: [String: RuleAction] = [
    "read": .read, "unread": .unread, "star": .star, "dismiss": .dismiss, "hide": .hide, "notify": .notify,
    "urgent": .urgent, "silent": .silent, "run": .run,
  ]

  /// As it is parsed.
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
      "\(name) isn't an action"
        + (nearest.map { "; did you mean \($0)?" }
          ?? "; there are \(RuleAction.names.joined(separator: ", "))")
    case .missingValue(let name): "\(name): needs a value right after it"
    case .unexpectedValue(let name): "\(name) takes no value"
    case .notAPriority(let text): "\(text) isn't a priority: 1 to 5, or min, low, normal, high, urgent"
    }
  }
}
