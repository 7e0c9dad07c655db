import AsyncHTTPClient
import Foundation
import Limits
import NIOCore
import NIOHTTP1

/// One request to one address and its answer; redirects are answers here.
struct HTTPExchange {
  var address: WebAddress
  var headers: HTTPHeaders
  var limit: Int
  /// From the first byte sent to the last byte read.
  var time: Duration
  var pace: ClientPool.Pace
  var pool: ClientPool
  var progress: RequestProgress
  var now: @Sendable () -> Date

  func run(through proxy: Proxy?) async throws(RequestFailure) -> TransportResponse {
    let route = ClientRoute(to: address, through: proxy)
    guard let (client, loop) = pool.client(route, pace) else { throw .cancelled }
    do {
      return try await exchangeOnceMore(with: client, route)
    } catch {
      if Task.isCancelled { throw .cancelled }
      let words = FailureWords(
        address: address, peer: route.peer(of: address), isProxied: proxy != nil,
        limits: (time, pace.connecting), stage: progress.stage, received: progress.received)
      switch words.failure(error) {
      case .settled(let failure): throw failure
      case .noConnection: throw await lateConnection(loop, isProxied: proxy != nil)
      case .untrusted: throw await untrusted(loop, isProxied: proxy != nil)
      }
    }
  }

  /// On a fresh connection too, where the server closed a kept one instead of answering.
  private func exchangeOnceMore(with client: HTTPClient, _ route: ClientRoute) async throws
    -> TransportResponse
  {
    do {
      return try await exchange(with: client, route)
    } catch {
      guard progress.mayBeSentAgain, !Task.isCancelled, let fresh = pool.freshClient(route, pace) else {
        throw error
      }
      let result: Result<TransportResponse, any Error>
      do { result = .success(try await exchange(with: fresh, route)) } catch { result = .failure(error) }
      await ClientPool.close(fresh)
      return try result.get()
    }
  }

  private func exchange(with client: HTTPClient, _ route: ClientRoute) async throws -> TransportResponse {
    progress.connecting()
    let number = pool.book.enter(progress)
    defer { pool.book.leave(number) }
    var request = request(on: route)
    request.headers.add(name: ExchangeBook.field, value: number)
    // The request's own timer ends it; this one only has to come later.
    let latest = TimeAmount(pace.connecting + time + .seconds(10))
    let response = try await client.execute(request, deadline: .now() + latest)
    progress.reading()
    let fields = HeaderFields(response.headers.map { HeaderField($0.name, $0.value) })
    var answer = TransportResponse(
      status: Int(response.status.code), headers: fields, finalURL: address.text)
    answer.isLengthKnown =
      response.version.major > 1 || fields["Content-Length"] != nil
      || fields.list("Transfer-Encoding").last?.lowercased() == "chunked"
    // Bodies of errors and redirects are not read: dropping the response closes its connection.
    guard (200..<300).contains(answer.status) else { return answer }
    answer.body = try await withTaskExecutorPreference(BodyThread()) {
      try await body(of: response, fields)
    }
    return answer
  }

  private func request(on route: ClientRoute) -> HTTPClientRequest {
    guard case .forward(let proxy) = route else {
      var request = HTTPClientRequest(url: address.text)
      request.headers = headers
      return request
    }
    // Asks the proxy for our path; `RequestHeadHandler` puts the server's name before it.
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
      throw RequestFailure.tooLarge(limit: limit)
    }
    let decoder = ContentDecoder(
      codings: fields.list("Content-Encoding"), limit: limit,
      announced: fields["Content-Length"].flatMap { Int($0) } ?? 0)
    do {
      for try await piece in response.body {
        try piece.withUnsafeReadableBytes { try decoder.append($0) }
        progress.received(decoder.received)
      }
      // A cancelled body ends like a complete one.
      try Task.checkCancellation()
      return try decoder.finish()
    } catch let failure as ContentDecoder.Failure {
      throw Self.failure(failure, limit: limit, received: decoder.received)
    }
  }

  private static func failure(_ failure: ContentDecoder.Failure, limit: Int, received: Int)
    -> RequestFailure
  {
    switch failure {
    case .cutOff: .cutOff(received: received)
    case .damaged: .malformed(reason: "its compression is damaged")
    case .limitReached: .tooLarge(limit: limit)
    case .expandsTooFar:
      .malformed(reason: "it unpacks to more than \(Limits.expansionFactor) times its size, as only bombs do")
    case .tooManyCodings(let count):
      .malformed(reason: "it is compressed \(count) times over; \(Limits.contentCodings) times are allowed")
    case .unknown(let coding):
      .malformed(reason: "it is compressed as \(coding.prefix(40)), which was not asked for")
    case .cancelled: .cancelled
    }
  }

  private func lateConnection(_ loop: any EventLoop, isProxied: Bool) async -> RequestFailure {
    let seconds = pace.connecting.seconds
    // The client's own limits for connecting and for the handshake run out together.
    guard address.scheme == .https, !isProxied else { return .timedOut(.connecting, seconds: seconds) }
    let diagnosis = ConnectionDiagnosis(loop: loop, host: address.host, port: address.port)
    switch await diagnosis.run(withHandshake: false) {
    case .noConnection: return .timedOut(.connecting, seconds: seconds)
    case .connected, .certificates: return .timedOut(.handshake, seconds: seconds)
    }
  }

  private func untrusted(_ loop: any EventLoop, isProxied: Bool) async -> RequestFailure {
    let unknown = RequestFailure.tls(host: address.host, reason: "the certificate cannot be trusted")
    guard !isProxied else { return unknown }
    let diagnosis = ConnectionDiagnosis(loop: loop, host: address.host, port: address.port)
    switch await diagnosis.run(withHandshake: true) {
    case .noConnection, .connected: return unknown
    case .certificates(let chain):
      return .tls(host: address.host, reason: CertificateReason.words(chain, now: now()))
    }
  }
}
