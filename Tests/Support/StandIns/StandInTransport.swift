import Foundation
package import HTTP
import Synchronization

/// Sends the requests for one origin to a stand-in, without a network. Requests for another origin are recorded and
/// answered with an empty list.
package final class StandInTransport: HTTPTransport {
  private struct State {
    var standIn: any ServiceStandIn
    var strayRequests: [String] = []
    var leaks: [String] = []
    var count = 0
  }

  package let origin: String
  private let state: Mutex<State>

  package init(_ standIn: any ServiceStandIn, origin: String = "https://service.example") {
    state = Mutex(State(standIn: standIn))
    self.origin = origin
  }

  /// Replaces the server with a backup, which lacks everything that came after it was made.
  package func restore(_ backup: any ServiceStandIn) { state.withLock { $0.standIn = backup } }

  /// The addresses of requests to other origins.
  package var strayRequests: [String] { state.withLock { $0.strayRequests } }
  /// The addresses of those requests that had the token.
  package var leaks: [String] { state.withLock { $0.leaks } }
  /// The number of requests that the stand-in received.
  package var count: Int { state.withLock { $0.count } }

  package func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    guard let receiver = Origin(request.url), let parts = URLComponents(string: request.url) else {
      throw .invalidAddress(request.url)
    }
    var fields = request.headers
    let field = request.credential?.field(for: receiver)
    if let field { fields.append(field) }
    if let etag = request.etag { fields.append(HeaderField("If-None-Match", etag)) }
    if let date = request.lastModified { fields.append(HeaderField("If-Modified-Since", date)) }
    var body = Data()
    var login: String?
    switch request.body {
    case .bytes(let bytes, let type)?:
      body = bytes
      fields.append(HeaderField("Content-Type", type))
    case .login?:
      login = request.credential?.loginForm(for: receiver)
      body = Data((login ?? "").utf8)
      fields.append(HeaderField("Content-Type", "application/x-www-form-urlencoded"))
    case nil: break
    }
    let standIn = state.withLock { $0.standIn }
    guard receiver == Origin(origin) else {
      let sent = [request.url, String(decoding: body, as: UTF8.self)] + fields.map(\.value)
      let isLeak = field != nil || login != nil || sent.contains { $0.contains(standIn.conditions.token) }
      state.withLock {
        $0.strayRequests.append(request.url)
        if isLeak { $0.leaks.append(request.url) }
      }
      return TransportResponse(status: 200, body: Data("[]".utf8), finalURL: request.url)
    }
    state.withLock { $0.count += 1 }
    let target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    let response = standIn.answer(
      StandInRequest(
        method: request.method.rawValue, origin: origin, target: target,
        headers: Dictionary(fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
        body: body))
    switch response.delivery {
    case .whole: break
    case .cut: throw .cutOff(received: response.body.count / 2)
    case .hangUp: throw .cutOff(received: 0)
    }
    var answer = TransportResponse(
      status: response.status, headers: HeaderFields(response.headers.map { HeaderField($0.name, $0.value) }),
      body: response.body, finalURL: request.url)
    if response.status >= 400, !request.keepsErrorBody { answer.body = Data() }
    return answer
  }
}
