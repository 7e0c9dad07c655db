import AsyncHTTPClient
import Foundation
import Limits
import NIOCore
import NIOHTTP1

/// One request to one address and its response; a redirect is a response here.
struct HTTPExchange {
  var method = TransportRequest.Method.get
  /// Whether it may be sent again if there was no answer.
  var isRepeatable = true
  var body: Data?
  var keepsErrorBody = false
  var address: WebAddress
  var headers: HTTPHeaders
  var limit: Int
  /// The request's timeout, from the first byte sent to the last byte read.
  var time: Duration
  var timeouts: ClientPool.Timeouts
  var pool: ClientPool
  var progress: RequestProgress
  var now: @Sendable () -> Date
  var spoolFolder: String?
  /// Set if the answer is a stream.
  var listener: StreamListener?

  func run(through proxy: Proxy?) async throws(RequestFailure) -> TransportResponse {
    let route = ClientRoute(to: address, through: proxy)
    guard let loop = pool.loop() else { throw .cancelled }
    do {
      if let listener {
        return try await listen(listener, route, on: loop)
      }
      guard let client = pool.client(route, timeouts) else { throw RequestFailure.cancelled }
      return try await exchangeWithRetry(with: client, route)
    } catch {
      if Task.isCancelled { throw .cancelled }
      let mapping = FailureMapping(
        address: address, peer: route.peer(of: address), isProxied: proxy != nil,
        limits: (time, timeouts.connecting), stage: progress.stage, received: progress.received)
      switch mapping.failure(error) {
      case .settled(let failure): throw failure
      case .noConnection: throw await connectionTimeout(loop, isProxied: proxy != nil)
      case .untrusted: throw await untrusted(loop, isProxied: proxy != nil)
      }
    }
  }

  private func listen(_ listener: StreamListener, _ route: ClientRoute, on loop: any EventLoop) async throws
    -> TransportResponse
  {
    switch listener.form {
    case .webSocket: return try await WebSocketExchange(self, listener, on: loop).run(through: route.proxy)
    case .lines, .events:
      // A client of its own: many open streams of one server must not use up the connections that polls need.
      guard let client = pool.freshClient(route, timeouts) else { throw RequestFailure.cancelled }
      let result: Result<TransportResponse, any Error>
      do { result = .success(try await exchange(with: client, route)) } catch { result = .failure(error) }
      await ClientPool.close(client)
      return try result.get()
    }
  }

  /// Retries on a new connection if the server closed a reused one instead of answering.
  private func exchangeWithRetry(with client: HTTPClient, _ route: ClientRoute) async throws
    -> TransportResponse
  {
    do {
      return try await exchange(with: client, route)
    } catch {
      guard isRepeatable, progress.mayBeRetried, !Task.isCancelled,
        let fresh = pool.freshClient(route, timeouts)
      else {
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
    let number = pool.exchanges.add(progress)
    defer { pool.exchanges.remove(number) }
    var request = request(on: route)
    request.headers.add(name: ExchangeTable.field, value: number)
    // `RequestProgress` ends the request; this timer only has to fire later.
    let latest = TimeAmount(timeouts.connecting + time + .seconds(10))
    let deadline = listener == nil ? NIODeadline.now() + latest : .distantFuture
    let response = try await client.execute(request, deadline: deadline)
    progress.reading()
    let fields = HeaderFields(response.headers.map { HeaderField($0.name, $0.value) })
    var answer = TransportResponse(
      status: Int(response.status.code), headers: fields, finalURL: address.text)
    answer.isLengthKnown =
      response.version.major > 1 || fields["Content-Length"] != nil
      || fields.list("Transfer-Encoding").last?.lowercased() == "chunked"
    // Bodies of redirects are not read, nor those of errors that nobody wants: dropping the response closes its connection.
    if answer.status >= 400, keepsErrorBody {
      answer.body = await errorBody(of: response, fields)
      // At the timeout the status is worth more than the rest of its body.
      if Task.isCancelled, progress.timedOutAt == nil { throw RequestFailure.cancelled }
    }
    guard (200..<300).contains(answer.status) else { return answer }
    if let listener {
      if answer.status == 200 { try await follow(listener, response, fields) }
      return answer
    }
    // Without a length it would end with the connection, which a server may keep open: it is to be empty (RFC 9110
    // section 15.3.6).
    if answer.status == 205, !answer.isLengthKnown { return answer }
    (answer.body, answer.spooled) = try await withTaskExecutorPreference(BodyThread()) {
      try await body(of: response, fields)
    }
    return answer
  }

  private func follow(
    _ listener: StreamListener, _ response: HTTPClientResponse, _ fields: HeaderFields
  ) async throws {
    if let refusal = listener.refusal(fields) { throw refusal }
    progress.end()
    listener.open()
    try await withTaskExecutorPreference(BodyThread()) {
      try await listener.read(response.body, progress)
    }
  }

  private func request(on route: ClientRoute) -> HTTPClientRequest {
    guard case .forward(let proxy) = route else { return request(to: address.text) }
    // A request to the proxy with the server's path; `RequestHeadHandler` adds the server's name.
    var url = URLComponents(string: address.text) ?? URLComponents()
    url.host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
    url.port = proxy.port
    var request = request(to: url.string ?? "")
    request.headers.replaceOrAdd(name: "Host", value: address.authority)
    if let authorization = proxy.authorization {
      request.headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
    }
    return request
  }

  private func request(to url: String) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: url)
    request.headers = headers
    request.method = HTTPMethod(rawValue: method.rawValue)
    if let body { request.body = .bytes(body) }
    return request
  }

  /// The beginning of an error's body. A body that is cut off, damaged, too large or too slow must not hide the status.
  private func errorBody(of response: HTTPClientResponse, _ fields: HeaderFields) async -> Data {
    await withTaskExecutorPreference(BodyThread()) {
      let decoder = ContentDecoder(
        codings: fields.list("Content-Encoding"), limit: Limits.errorBodyBytes, announced: 0)
      do {
        for try await piece in response.body {
          try piece.withUnsafeReadableBytes { try decoder.append($0) }
          progress.received(decoder.received)
        }
        return try decoder.finish()
      } catch {
        return decoder.takeDecoded()
      }
    }
  }

  private func body(
    of response: HTTPClientResponse, _ fields: HeaderFields
  ) async throws -> (Data, SpooledBytes?) {
    if let announced = fields["Content-Length"].flatMap({ Int($0) }), announced > limit {
      throw RequestFailure.tooLarge(limit: limit)
    }
    let decoder = ContentDecoder(
      codings: fields.list("Content-Encoding"), limit: limit,
      announced: fields["Content-Length"].flatMap { Int($0) } ?? 0, spoolFolder: spoolFolder)
    do {
      for try await piece in response.body {
        try piece.withUnsafeReadableBytes { try decoder.append($0) }
        progress.received(decoder.received)
      }
      // If the task is cancelled, the loop ends as after a complete body.
      try Task.checkCancellation()
      return (try decoder.finish(), decoder.spooled)
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
      .malformed(reason: "it decompresses to more than \(Limits.expansionFactor) times its size")
    case .tooManyCodings(let count):
      .malformed(reason: "it is compressed \(count) times; \(Limits.contentCodings) are allowed")
    case .unknown(let coding):
      .malformed(reason: "it is compressed as \(coding.prefix(40)), which the request did not accept")
    case .cancelled: .cancelled
    }
  }

  private func connectionTimeout(_ loop: any EventLoop, isProxied: Bool) async -> RequestFailure {
    let seconds = timeouts.connecting.seconds
    // The client has one timeout for connecting and handshake.
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
      return .tls(host: address.host, reason: CertificateReason.text(chain, now: now()))
    }
  }
}
