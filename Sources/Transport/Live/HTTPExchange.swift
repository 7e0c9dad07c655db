import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One request to one address and its answer; redirects are answers here.
struct HTTPExchange {
  var address: WebAddress
  var headers: HTTPHeaders
  var limit: Int
  var pace: ClientPool.Pace
  var pool: ClientPool
  var progress: RequestProgress
  var now: @Sendable () -> Date

  func run(through proxy: Proxy?) async throws(TransportFailure) -> TransportResponse {
    let route = ClientRoute(to: address, through: proxy)
    guard let (client, loop) = pool.client(route, pace) else { throw .cancelled }
    progress.reached(.waiting)
    progress.received(0)
    do {
      return try await exchange(with: client, route)
    } catch {
      if Task.isCancelled { throw .cancelled }
      let peer = route.peer(of: address)
      let words = FailureWords(
        address: address, peer: peer, isProxied: proxy != nil, silence: pace.silence, stage: progress.stage,
        received: progress.received)
      switch words.failure(error) {
      case .settled(let failure): throw failure
      case .noConnection: throw await lateConnection(loop, isProxied: proxy != nil)
      case .untrusted: throw await untrusted(loop, isProxied: proxy != nil)
      }
    }
  }

  private func exchange(with client: HTTPClient, _ route: ClientRoute) async throws -> TransportResponse {
    // The request's own timer ends it; this one only has to come later.
    let response = try await client.execute(request(on: route), deadline: .now() + .hours(24))
    progress.reached(.reading)
    let fields = HeaderFields(response.headers.map { HeaderField($0.name, $0.value) })
    var answer = TransportResponse(
      status: Int(response.status.code), headers: fields, finalURL: address.text)
    // Bodies of errors and redirects are not read: dropping the response closes its connection.
    if (200..<300).contains(answer.status) { answer.body = try await body(of: response, fields) }
    return answer
  }

  private func request(on route: ClientRoute) -> HTTPClientRequest {
    guard case .forward(let proxy) = route else {
      var request = HTTPClientRequest(url: address.text)
      request.headers = headers
      return request
    }
    // Asks the proxy for our path; `AbsoluteFormHandler` puts the server's name before it.
    var url = URLComponents(string: address.text) ?? URLComponents()
    url.host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
    url.port = proxy.port
    var request = HTTPClientRequest(url: url.string ?? "")
    request.headers = headers
    request.headers.replaceOrAdd(name: "Host", value: address.authority)
    if let authorization = proxy.authorization {
      request.headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
    }
    return request
  }

  private func body(of response: HTTPClientResponse, _ fields: HeaderFields) async throws -> Data {
    if let announced = fields["Content-Length"].flatMap({ Int($0) }), announced > limit {
      throw TransportFailure.tooLarge(limit: limit)
    }
    let buffer = GrowingBuffer(limit: limit)
    if let announced = fields["Content-Length"].flatMap({ Int($0) }), announced > 0 {
      buffer.reserve(announced)
    }
    do {
      for try await piece in response.body {
        try piece.withUnsafeReadableBytes { try buffer.append($0) }
        progress.received(buffer.count)
      }
    } catch is GrowingBuffer.LimitReached {
      throw TransportFailure.tooLarge(limit: limit)
    }
    // A cancelled body ends like a complete one.
    try Task.checkCancellation()
    do throws(ContentDecoder.Failure) {
      return try ContentDecoder.decode(buffer, codings: fields.list("Content-Encoding"), limit: limit)
    } catch {
      switch error {
      case .cutOff: throw TransportFailure.cutOff(received: progress.received)
      case .damaged: throw TransportFailure.malformed(reason: "its compression is damaged")
      case .limitReached: throw TransportFailure.tooLarge(limit: limit)
      case .unknown(let coding):
        throw TransportFailure.malformed(
          reason: "it is compressed as \(coding.prefix(40)), which was not asked for")
      }
    }
  }

  private func lateConnection(_ loop: any EventLoop, isProxied: Bool) async -> TransportFailure {
    let seconds = pace.connecting.seconds
    // The client's own limits for connecting and for the handshake run out together.
    guard address.scheme == .https, !isProxied else { return .timedOut(.connecting, seconds: seconds) }
    let diagnosis = ConnectionDiagnosis(loop: loop, host: address.host, port: address.port)
    switch await diagnosis.run(withHandshake: false) {
    case .noConnection: return .timedOut(.connecting, seconds: seconds)
    case .connected, .certificates: return .timedOut(.handshake, seconds: seconds)
    }
  }

  private func untrusted(_ loop: any EventLoop, isProxied: Bool) async -> TransportFailure {
    let unknown = TransportFailure.tls(host: address.host, reason: "the certificate cannot be trusted")
    guard !isProxied else { return unknown }
    let diagnosis = ConnectionDiagnosis(loop: loop, host: address.host, port: address.port)
    switch await diagnosis.run(withHandshake: true) {
    case .noConnection, .connected: return unknown
    case .certificates(let chain):
      return .tls(host: address.host, reason: CertificateReason.words(chain, now: now()))
    }
  }
}
