package import Formats
import Platform

extension JSONObject {
  /// An object with members in this order.
  package init(pairs: [(String, JSONValue)]) { self.init(pairs.map { Member(key: $0.0, value: $0.1) }) }
}

extension MessageJSON {
  package static func problem(_ problem: FormatProblem) -> JSONValue {
    .object(JSONObject(pairs: [("at", .string(problem.at)), ("message", .string(problem.message))]))
  }
}

extension FormatProblem {
  /// `at: message`, sanitized.
  package var line: String { SafeOutput.line(at.isEmpty ? message : "\(at): \(message)") }
}
