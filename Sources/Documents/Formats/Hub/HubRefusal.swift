package import Foundation

/// Why a hub refuses a request (page "Hub", Errors): `{"error": {"code": "invalid_item", "message": "must be 1 to 5", "at":
/// "$.priority"}}`. Its texts are a server's.
package struct HubRefusal: Error, Hashable, Sendable {
  /// Such as `bad_token`.
  package var code: String
  /// A sentence for people; the code where there is none.
  package var message: String
  /// The path of the value that is wrong.
  package var at: String?

  /// - Parameter body: of an answer; nil: it isn't a hub's.
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
