package import Formats
package import Limits
import Platform

extension JSONObject {
  /// An object with members in this order.
  package init(pairs: [(String, JSONValue)]) { self.init(pairs.map { Member(key: $0.0, value: $0.1) }) }
}

extension FormatProblem {
  /// `at: message`, sanitized.
  package var line: String { SafeOutput.line(at.isEmpty ? message : "\(at): \(message)") }
}
