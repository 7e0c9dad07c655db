import Basics
import Formats
package import Foundation

/// The logged data of a request: never a query, a header, a key or content.
package struct HubLogLine: Sendable {
  package var time: Date
  /// The id, which is also in the response, as X-Request-Id.
  package var id: String
  package var method: String
  package private(set) var route = "-"
  /// The route without names, so that there are few different values.
  private(set) var pattern = "-"
  /// Whether the request asked to wait for a change.
  var isHeld = false
  package var status = 0
  /// The code of the failure, if the request was refused.
  package var code: String?
  package var duration: Duration = .zero
  /// The number of the token.
  package var token: Int?
  package var address: String?

  /// - Parameter number: a random number, from which its id is derived.
  init(time: Date, method: String, number: UInt64) {
    self.time = time
    self.method = method
    let digits = String(number, radix: 16)
    id = String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Sets the route and its pattern.
  ///
  /// - Parameters:
  ///   - pattern: for example `/v1/feeds/F`.
  ///   - route: the route with the name, or `nil` if it has none.
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

  /// The entry as one line of words and `name=value`.
  package var text: String {
    members.map { key, value in
      let text = value.text ?? value.serialized()
      return ["time", "method", "route", "status"].contains(key) ? text : "\(key)=\(text)"
    }.joined(separator: " ")
  }

  /// The entry as one line with a JSON object.
  package var json: String {
    JSONValue.object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })).serialized()
  }
}
