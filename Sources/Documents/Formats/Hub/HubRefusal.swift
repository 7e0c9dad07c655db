package import Foundation

/// The reason why a hub rejects a request (page "Hub", Errors): `{"error": {"code": "invalid_item", "message": "must be
/// 1 to 5", "at": "$.priority"}}`. Its strings come from a server.
package struct HubRefusal: Error, Hashable, Sendable {
  /// The code, for example `bad_token`.
  package var code: String
  /// A sentence for users, or the code if there is none.
  package var message: String
  /// The path of the invalid value.
  package var at: String?

  /// - Parameter body: the body of a response. The initialiser returns `nil` if it isn't that of a hub.
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
