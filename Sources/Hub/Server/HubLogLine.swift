import Basics
import Formats
package import Foundation

/// What is logged of a request: never a query, a header, a key or a text.
package struct HubLogLine: Sendable {
  package var time: Date
  /// Also in the answer, as X-Request-Id.
  package var id: String
  package var method: String
  package private(set) var route = "-"
  /// The route without names, of which there are few.
  private(set) var pattern = "-"
  /// Whether the answer waited for a change.
  var isHeld = false
  package var status = 0
  /// Of a refusal.
  package var code: String?
  package var duration: Duration = .zero
  /// The token's number.
  package var token: Int?
  package var address: String?

  /// - Parameter number: a random one, which its id is made of.
  init(time: Date, method: String, number: UInt64) {
    self.time = time
    self.method = method
    let digits = String(number, radix: 16)
    id = String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// - Parameters:
  ///   - pattern: `/v1/feeds/F`.
  ///   - route: with the name; nil: it has none.
  mutating func set(pattern: String, _ route: String? = nil) {
    (self.pattern, self.route) = (pattern, route ?? pattern)
  }

  private var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      ("time", .string(ISOInstant.text(time))), ("method", .string(method)), ("route", .string(route)),
      ("status", .integer(status)),
      ("ms", .integer(Int(duration / .milliseconds(1)))), ("id", .string(id)),
    ]
    if let code { members.append(("code", .string(code))) }
    if let token { members.append(("token", .integer(token))) }
    if let address { members.append(("address", .string(address))) }
    return members
  }

  /// One line: words and `name=value`.
  package var text: String {
    members.map { key, value in
      let text = value.text ?? value.serialized()
      return ["time", "method", "route", "status"].contains(key) ? text : "\(key)=\(text)"
    }.joined(separator: " ")
  }

  /// One line: a JSON object.
  package var json: String {
    JSONValue.object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })).serialized()
  }
}
