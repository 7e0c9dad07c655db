import Foundation
import HTTP
import Synchronization
import Testing

/// An expected request and its response.
struct Exchange: Sendable {
  var url: String
  var check: @Sendable (TransportRequest) -> Void = { _ in }
  var answer: Result<TransportResponse, RequestFailure>

  static func ok(
    _ url: String, _ body: String, _ headers: HeaderFields = [:], status: Int = 200, movedTo: String? = nil,
    check: @escaping @Sendable (TransportRequest) -> Void = { _ in }
  ) -> Exchange {
    var response = TransportResponse(
      status: status, headers: headers, body: Data(body.utf8), finalURL: movedTo ?? url)
    response.permanentlyMovedTo = movedTo
    return Exchange(url: url, check: check, answer: .success(response))
  }

  static func failing(_ url: String, _ failure: RequestFailure) -> Exchange {
    Exchange(url: url, answer: .failure(failure))
  }
}

/// Responds to the expected requests, in their order; any other one, and one that never came, fails the test.
final class ScriptedTransport: HTTPTransport {
  private let rest: Mutex<[Exchange]>

  private init(_ exchanges: [Exchange]) { rest = Mutex(exchanges) }

  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else {
      Issue.record("an unexpected request for \(request.url)")
      throw .cancelled
    }
    #expect(request.url == next.url)
    next.check(request)
    return try next.answer.get()
  }

  static func run<T>(_ exchanges: [Exchange], _ body: (ScriptedTransport) async throws -> T) async rethrows
    -> T
  {
    let transport = ScriptedTransport(exchanges)
    let result = try await body(transport)
    let unused = transport.rest.withLock { $0.map(\.url) }
    #expect(unused.isEmpty, "requests that never came")
    return result
  }
}
