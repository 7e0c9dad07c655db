package import Formats
package import Foundation

/// A request as a stand-in reads it.
package struct StandInRequest: Sendable {
  package var method: String
  /// `http://127.0.0.1:8080`: the server's origin, as in the client's request.
  package var origin: String
  /// The path, percent-decoded.
  package var path: String
  /// The decoded query items, in order.
  package var query: [(name: String, value: String)]
  /// The headers, with names in lower case.
  package var headers: [String: String]
  package var body: Data

  /// - Parameter target: path and query, encoded.
  package init(method: String, origin: String, target: String, headers: [String: String], body: Data) {
    self.method = method
    self.origin = origin
    self.headers = headers
    self.body = body
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0]).removingPercentEncoding ?? ""
    query = parts.count > 1 ? Self.form(String(parts[1])) : []
  }

  /// Returns the first value of a name.
  package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  package func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

  /// The fields of a form in the body, `application/x-www-form-urlencoded`.
  package var form: [(name: String, value: String)] { Self.form(String(decoding: body, as: UTF8.self)) }

  package var json: JSONValue? { try? JSONReader.parse(body) }

  private static func form(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}

package struct StandInResponse: Sendable {
  /// The way in which the response reaches the client.
  package enum Delivery: Sendable {
    case whole
    /// The connection ends in the middle of the body.
    case cut
    /// The connection ends before the response.
    case hangUp
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Data
  package var delivery = Delivery.whole

  package init(_ status: Int, _ headers: [(name: String, value: String)] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func json(
    _ value: JSONValue, status: Int = 200, _ headers: [(name: String, value: String)] = []
  ) -> StandInResponse {
    StandInResponse(
      status, [("Content-Type", "application/json")] + headers, body: Data(value.serialized().utf8))
  }

  package static func text(_ text: String, status: Int = 200) -> StandInResponse {
    StandInResponse(status, [("Content-Type", "text/plain; charset=utf-8")], body: Data(text.utf8))
  }
}
