import AsyncHTTPClient
package import Foundation
import Limits
import NIOCore
import NIOHTTP1
import NIOSSL

/// HTTP/1.1 and, if a server offers it over TLS, HTTP/2, with AsyncHTTPClient.
///
/// Creating one is cheap: its single thread starts with the first request. Without requests there are
/// neither connections nor timers. Call `shutdown()` when done.
package final class LiveTransport: HTTPTransport {
  package struct Options: Sendable {
    /// The value of `User-Agent` (RFC 9110 section 10.1.5).
    package var userAgent: String
    package var proxies = ProxySettings()
    /// Certificates in PEM that are trusted besides the system's.
    package var extraTrustRoots: [String] = []
    /// The current time, for the reason why a certificate was rejected; never for waiting.
    package var now: @Sendable () -> Date
    /// After this time without a byte a stream is taken as dead.
    package var streamSilence = Limits.streamSilence
    /// Where large bodies are kept, in files without names, until they're read; nil: in memory.
    package var spoolFolder: String?

    /// - Parameters:
    ///   - version: reddot's own.
    ///   - homepage: tells a server's administrator what reddot is.
    package init(version: String, homepage: String? = nil, now: @escaping @Sendable () -> Date) {
      userAgent = "reddot/\(version)" + (homepage.map { " (+\($0))" } ?? "")
      self.now = now
    }
  }

  private let options: Options
  private let pool: ClientPool
  private let inFlight = RequestsInFlight()

  package init(_ options: Options) {
    self.options = options
    // Entries that are not X.509 certificates are skipped.
    pool = ClientPool(
      extraTrustRoots: options.extraTrustRoots.flatMap { pem in
        (try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))) ?? []
      })
  }

  /// Cancels the requests in flight, waits for them, then closes all connections. Later requests are cancelled.
  package func shutdown() async {
    let ending = inFlight.close()
    for work in ending { work.cancel() }
    for work in ending { _ = await work.value }
    await pool.shutdown()
  }

  package func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    try await perform(request, listener: nil)
  }

  /// - Parameter listener: set if the answer is a stream.
  private func perform(_ request: TransportRequest, listener: StreamListener?) async throws(RequestFailure)
    -> TransportResponse
  {
    guard let address = WebAddress(request.url) else {
      throw .invalidAddress(Self.shown(request.url))
    }
    if let credential = request.credential, !credential.isUsable { throw .unusableCredential }
    // A proxy that cannot be used is reported before anything is opened.
    _ = try options.proxies.proxy(for: address)
    guard let loop = pool.loop() else { throw .cancelled }
    let progress = RequestProgress(limit: TimeAmount(request.requestTimeout), loop: loop)
    let begun = inFlight.begin { [self] in
      let result = await follow(request, from: address, progress: progress, listener: listener)
      // While the request still counts as in flight: after a shutdown its timers' thread is gone.
      progress.end()
      listener?.end()
      return result
    }
    guard let (number, work) = begun else { throw .cancelled }
    progress.onTimeout { work.cancel() }
    listener?.onSilence { work.cancel() }
    let result = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    inFlight.end(number)
    if case .failure(.cancelled) = result {
      if let failure = listener?.failure { throw failure }
      if let stage = progress.timedOutAt { throw .timedOut(stage, seconds: request.requestTimeout.seconds) }
    }
    return try result.get()
  }

  /// Follows redirects without the client: secrets must not be sent to other origins, and the caller is told whether
  /// all redirects were permanent.
  private func follow(
    _ request: TransportRequest, from start: WebAddress, progress: RequestProgress, listener: StreamListener?
  ) async -> Result<TransportResponse, RequestFailure> {
    var address = start
    var credential = request.credential
    var publicHeaders = request.headers
    var visited: Set<String> = [start.text]
    var isPermanent = true
    let isGet = request.method == .get
    do throws(RequestFailure) {
      while true {
        var headers = headers(of: request, publicHeaders, credential?.field(for: address.origin))
        // The parts of a compressed stream need not end where its messages do.
        if listener != nil { headers.replaceOrAdd(name: "Accept-Encoding", value: "identity") }
        let body = body(of: request, credential, for: address.origin)
        if let body { headers.replaceOrAdd(name: "Content-Type", value: body.type) }
        let exchange = HTTPExchange(
          method: request.method, isRepeatable: request.isRepeatable && request.method.isIdempotent,
          body: body?.bytes, keepsErrorBody: request.keepsErrorBody, address: address,
          headers: headers, limit: request.responseLimit, time: request.requestTimeout,
          timeouts: ClientPool.Timeouts(connecting: request.connectTimeout), pool: pool, progress: progress,
          now: options.now, spoolFolder: options.spoolFolder, listener: listener)
        var response = try await exchange.run(through: try options.proxies.proxy(for: address))
        guard let location = Self.redirect(response) else {
          if visited.count > 1, isPermanent { response.permanentlyMovedTo = address.text }
          return .success(response)
        }
        guard let next = address.redirected(to: location) else { throw .badRedirect(Self.shown(location)) }
        guard request.followsRedirects else { throw .badRedirect(Self.shown(next.text)) }
        if !isGet {
          guard next.origin == address.origin, [307, 308].contains(response.status) else {
            throw .badRedirect(Self.shown(next.text))
          }
        }
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

  private func body(
    of request: TransportRequest, _ credential: Credential?, for receiver: Origin
  ) -> (bytes: Data, type: String)? {
    switch request.body {
    case nil: nil
    case .bytes(let bytes, let type): (bytes, type)
    case .login:
      credential?.loginForm(for: receiver).map { (Data($0.utf8), "application/x-www-form-urlencoded") }
    }
  }

  private static let secretHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization"]

  /// The target of a redirect, empty if the header is missing; nil for other responses.
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
    // A validator with characters that are not allowed in a header is left out: only the chance of a 304 is lost.
    for field in fields where field.isSendable { headers.replaceOrAdd(name: field.name, value: field.value) }
    if let secret { headers.replaceOrAdd(name: secret.name, value: secret.value) }
    return headers
  }
}

extension LiveTransport: StreamTransport {
  package func listen(
    to request: TransportRequest, _ form: StreamForm, onOpen: @escaping @Sendable () -> Void,
    onMessage: @escaping @Sendable (String) -> Void
  ) async throws(RequestFailure) -> TransportResponse {
    guard let loop = pool.loop() else { throw .cancelled }
    let listener = StreamListener(
      form, silence: options.streamSilence, on: loop, onOpen: onOpen, onMessage: onMessage)
    return try await perform(request, listener: listener)
  }
}
