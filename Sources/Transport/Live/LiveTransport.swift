import AsyncHTTPClient
package import Foundation
import Limits
import NIOCore
import NIOHTTP1
import NIOSSL

/// HTTP/1.1 and, where a server offers it over TLS, HTTP/2, on AsyncHTTPClient.
///
/// Making one costs nothing: its single thread starts with the first request. Without requests there are
/// neither connections nor timers. Call `shutdown()` when done.
package final class LiveTransport: HTTPTransport {
  package struct Options: Sendable {
    /// Names us to servers (RFC 9110 section 10.1.5).
    package var userAgent: String
    package var proxies = ProxySettings()
    /// Certificates in PEM that are trusted beside the system's.
    package var extraTrustRoots: [String] = []
    /// For words about certificates and for redirects; never for waiting.
    package var now: @Sendable () -> Date

    /// - Parameters:
    ///   - version: reddot's own.
    ///   - homepage: where a puzzled administrator finds out what reddot is.
    package init(version: String, homepage: String? = nil, now: @escaping @Sendable () -> Date) {
      userAgent = "reddot/\(version)" + (homepage.map { " (+\($0))" } ?? "")
      self.now = now
    }
  }

  private let options: Options
  private let pool: ClientPool
  private let flights = Flights()

  package init(_ options: Options) {
    self.options = options
    // What is not an X.509 certificate is left out.
    pool = ClientPool(
      extraTrustRoots: options.extraTrustRoots.flatMap { pem in
        (try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))) ?? []
      })
  }

  /// Cancels what is in flight and waits for its end, then closes all connections. Requests after it are cancelled.
  package func shutdown() async {
    let ending = flights.close()
    for flight in ending { flight.cancel() }
    for flight in ending { _ = await flight.value }
    await pool.shutdown()
  }

  package func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    guard let address = WebAddress(request.url) else {
      throw .invalidAddress(Self.shown(request.url))
    }
    if let credential = request.credential, !credential.isUsable { throw .unusableCredential }
    let route = ClientRoute(to: address, through: try options.proxies.proxy(for: address))
    let pace = ClientPool.Pace(connecting: request.connectTimeout)
    guard let (_, loop) = pool.client(route, pace) else { throw .cancelled }
    let progress = RequestProgress(limit: TimeAmount(request.requestTimeout), loop: loop)
    let flight = flights.begin { [self] in
      let result = await follow(request, from: address, pace: pace, progress: progress)
      // Before the flight has ended: its timer's thread may be gone afterwards.
      progress.end()
      return result
    }
    guard let (number, work) = flight else { throw .cancelled }
    progress.whenCut { work.cancel() }
    let result = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    flights.end(number)
    if case .failure(.cancelled) = result, let stage = progress.cutAt {
      throw .timedOut(stage, seconds: request.requestTimeout.seconds)
    }
    return try result.get()
  }

  /// Follows redirects ourselves: what is secret must stay behind, and whether all were permanent is told.
  private func follow(
    _ request: TransportRequest, from start: WebAddress, pace: ClientPool.Pace, progress: RequestProgress
  ) async -> Result<TransportResponse, RequestFailure> {
    var address = start
    var credential = request.credential
    var publicHeaders = request.headers
    var visited: Set<String> = [start.text]
    var isPermanent = true
    do throws(RequestFailure) {
      while true {
        let headers = headers(of: request, publicHeaders, credential?.field(for: address.origin))
        let exchange = HTTPExchange(
          address: address, headers: headers, limit: request.responseLimit, time: request.requestTimeout,
          pace: pace, pool: pool, progress: progress, now: options.now)
        var response = try await exchange.run(through: try options.proxies.proxy(for: address))
        guard let location = Self.redirect(response) else {
          if visited.count > 1, isPermanent { response.permanentlyMovedTo = address.text }
          return .success(response)
        }
        guard let next = address.redirected(to: location) else { throw .badRedirect(Self.shown(location)) }
        guard visited.count <= Limits.redirects, visited.insert(next.text).inserted else {
          throw .redirectLoop(limit: Limits.redirects)
        }
        if let held = await request.hold?(next.text) { throw .heldBack(held) }
        if address.origin != next.origin {
          credential = nil
          publicHeaders.removeAll { Self.secretHeaders.contains($0.name.lowercased()) }
        }
        isPermanent = isPermanent && [301, 308].contains(response.status)
        address = next
      }
    } catch {
      return .failure(error)
    }
  }

  private static let secretHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization"]

  /// Where a response sends us; empty where it forgot to say.
  private static func redirect(_ response: TransportResponse) -> String? {
    switch response.status {
    case 301, 302, 303, 307, 308: response.headers["Location"] ?? ""
    default: nil
    }
  }

  /// An address for an error: not too long, and without a name and a password.
  private static func shown(_ address: String) -> String {
    let isSecret = address.contains("@")
    return isSecret ? "an address with a name or a password" : String(address.prefix(200))
  }

  private func headers(
    of request: TransportRequest, _ publicHeaders: [HeaderField], _ secret: HeaderField?
  ) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add(name: "User-Agent", value: options.userAgent)
    headers.add(name: "Accept-Encoding", value: ContentDecoder.accepted)
    var fields = publicHeaders
    if let etag = request.etag { fields.append(HeaderField("If-None-Match", etag)) }
    if let lastModified = request.lastModified {
      fields.append(HeaderField("If-Modified-Since", lastModified))
    }
    // A validator that no header may carry can only cost us a 304.
    for field in fields where field.isSendable { headers.replaceOrAdd(name: field.name, value: field.value) }
    if let secret { headers.replaceOrAdd(name: secret.name, value: secret.value) }
    return headers
  }
}
