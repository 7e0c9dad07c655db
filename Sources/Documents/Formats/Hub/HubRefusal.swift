package import Foundation

/// The reason why a hub, which is reddot's server, rejects a request (page "Hub", Errors): `{"error":
/// {"code": "invalid_item", "message": "must be 1 to 5", "at": "$.priority"}}`. Its strings are those that
/// the server sent.
package struct HubRefusal: Error, Hashable, Sendable {
  /// The code, for example `bad_token`.
  package var code: String
  /// A sentence for users, or the code if there is none.
  package var message: String
  /// The JSON path of the invalid value, or `nil` if the error has none.
  package var at: String?

  /// Parses the body of an error response. Returns `nil` if it is not that of a hub.
  package init?(_ body: Data) {
    guard
      case .success(let value) = Result(catching: { () throws(JSONFailure) in try JSONReader.parse(body) }),
      let error = value.object?["error"]?.object, let code = error["code"]?.text
    else { return nil }
    self.code = code
    message = error["message"]?.text ?? code
    at = error["at"]?.text
  }
}
