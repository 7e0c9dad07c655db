package import Basics
package import Formats

/// The reason why the hub refuses a request, as in the response (page "Hub", the table of errors). Its text never
/// contains a secret, a header, or messages of the database.
package struct HubFailure: Error, Hashable, Sendable {
  package enum Code: String, CaseIterable, Sendable {
    case badRequest = "bad_request"
    case noToken = "no_token"
    case badToken = "bad_token"
    case notFound = "not_found"
    case wrongMethod = "wrong_method"
    case exists
    case tooLarge = "too_large"
    case wrongType = "wrong_type"
    case invalidItem = "invalid_item"
    case unknownKey = "unknown_key"
    case idempotencyMismatch = "idempotency_mismatch"
    case slowDown = "slow_down"
    case storeAway = "store_away"
    case busy
    case stopping
    case noSpace = "no_space"

    /// The HTTP status.
    package var status: Int {
      switch self {
      case .badRequest: 400
      case .noToken, .badToken: 401
      case .notFound: 404
      case .wrongMethod: 405
      case .exists: 412
      case .tooLarge: 413
      case .wrongType: 415
      case .invalidItem, .unknownKey, .idempotencyMismatch: 422
      case .slowDown: 429
      case .storeAway, .busy, .stopping: 503
      case .noSpace: 507
      }
    }
  }

  package var code: Code
  package var message: String
  /// The path of the invalid value: `$[2].priority`.
  package var at: String?
  /// The seconds until a retry is allowed.
  package var retryAfter: Int?
  /// The methods that the URL supports, for `wrongMethod`.
  package var allowed: [String] = []
  /// All problems of a document, for `invalidItem`.
  package var problems: [FormatProblem] = []

  package init(_ code: Code, _ message: String, at: String? = nil, retryAfter: Int? = nil) {
    self.code = code
    self.message = message
    self.at = at
    self.retryAfter = retryAfter
  }

  package static let noToken = HubFailure(.noToken, "needs a token: Authorization: Bearer rdh_…")
  package static let badToken = HubFailure(.badToken, "the token is unknown, or has expired")
  /// The failure for something that does not exist, or to which the token gives no access. It is the same for
  /// both.
  package static let notFound = HubFailure(.notFound, "this token has no access to anything here")
  package static let storeAway = HubFailure(
    .storeAway, "the store cannot be reached; whether the request was carried out is not known", retryAfter: 5
  )
  package static let busy = HubFailure(.busy, "too many requests wait to be stored", retryAfter: 1)
  package static let stopping = HubFailure(.stopping, "the hub is stopping", retryAfter: 1)
  package static let noSpace = HubFailure(.noSpace, "the store's disk is full; nothing was stored")
  package static let documentsAreFull = HubFailure(
    .noSpace, "the documents of a hub may have at most \(Limits.hubDocumentsBytes >> 20) MiB in all")
  package static let otherObject = HubFailure(.exists, "another object has this name")
  package static let objectsAreFull = HubFailure(
    .noSpace, "the objects of a user may have at most \(Limits.hubPersonBytes >> 20) MiB in all")
  package static let idempotencyMismatch = HubFailure(
    .idempotencyMismatch, "this Idempotency-Key was used for another request")

  package static func slowDown(seconds: Int) -> HubFailure {
    HubFailure(.slowDown, "too many requests; try again in \(seconds) s", retryAfter: seconds)
  }

  package static func tooLarge(_ what: String, limit: Int) -> HubFailure {
    HubFailure(.tooLarge, "\(what) may have at most \(limit) bytes")
  }

  package static func wrongMethod(allowed: [String]) -> HubFailure {
    var failure = HubFailure(.wrongMethod, "this address has only \(allowed.joined(separator: ", "))")
    failure.allowed = allowed
    return failure
  }

  /// The failure as `{"error": {"code": …, "message": …, "at": …, "problems": […]}}`.
  package var json: String {
    var error = JSONObject([
      .init(key: "code", value: .string(code.rawValue)), .init(key: "message", value: .string(message)),
    ])
    error["at"] = at.map(JSONValue.string)
    if !problems.isEmpty { error["problems"] = FormatProblem.json(problems) }
    return JSONValue.object(JSONObject([.init(key: "error", value: .object(error))])).serialized()
  }
}

extension FormatProblem {
  /// Returns problems as `[{"at": …, "message": …}]`.
  package static func json(_ problems: [FormatProblem]) -> JSONValue {
    .array(
      problems.map { problem in
        .object(
          JSONObject([
            .init(key: "at", value: .string(problem.at)),
            .init(key: "message", value: .string(problem.message)),
          ]))
      })
  }
}
