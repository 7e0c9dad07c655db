import Formats
import Foundation

/// A form in which a program reads the decision about a permission from the output of its hook.
struct PermissionForm: Sendable {
  /// Whether the input of a hook asks for a permission in this form.
  let matches: @Sendable (JSONObject) -> Bool
  /// Returns the output of the hook. It has no further fields, since some programs would refuse the answer.
  let output: @Sendable (_ isAllowed: Bool) -> JSONValue

  /// All known forms. Other programs get no answer and ask the user themselves.
  static let all = [
    PermissionForm { object in
      object["hook_event_name"]?.text == "PermissionRequest" && object["tool_name"]?.text != nil
    } output: { isAllowed in
      var decision = JSONObject([.init(key: "behavior", value: .string(isAllowed ? "allow" : "deny"))])
      if !isAllowed { decision["message"] = .string("Denied in reddot") }
      return .object(
        JSONObject([
          .init(
            key: "hookSpecificOutput",
            value: .object(
              JSONObject([
                .init(key: "hookEventName", value: .string("PermissionRequest")),
                .init(key: "decision", value: .object(decision)),
              ])))
        ]))
    }
  ]

  /// Returns the form in which the input of a hook asks for a permission, or `nil` if it asks in no known form.
  static func of(_ text: String) -> PermissionForm? {
    guard let object = (try? JSONReader.parse(text))?.object else { return nil }
    return all.first { $0.matches(object) }
  }

  /// The answers of the question: the first allows, the second denies.
  static let answers = ["allow", "deny"]
}
