import Basics
package import Foundation
import Platform
import Synchronization

/// An HTTP client that uses libcurl: HTTP/1.1 and, if a server offers it over TLS, HTTP/2.
///
/// Creating one is cheap: libcurl is opened and its thread starts with the first request. Without requests there are
/// neither connections nor timers. Call `shutdown()` when done.
package final class LiveTransport: HTTPTransport {
  package struct Options: Sendable {
    /// The value of `User-Agent` (RFC 9110 section 10.1.5).
    package var userAgent: String
    package var proxies = ProxySettings()
    package var trust = SystemTrust()
    /// The current time, to explain why a certificate was rejected. It is never used for waiting.
    package var now: @Sendable () -> Date
    /// The time without a byte after which a stream counts as dead.
    package var streamSilence = Limits.streamSilence
    /// The time without a request after which connections are closed.
    package var idleTime = Limits.idleConnections

    /// - Parameters:
    ///   - version: reddot's version.
    ///   - homepage: the page that explains reddot to a server's administrator.
    package init(version: String, homepage: String? = nil, now: @escaping @Sendable () -> Date) {
      userAgent = "reddot/\(version)" + (homepage.map { " (+\($0))" } ?? "")
      self.now = now
    }
  }

  private let options: Options
  private let thread: NetworkThread
  private let lastNumber = Atomic(0)
  /// The servers that require digest authentication (RFC 7616). Further requests to them use it immediately.
  private let digestOrigins = Mutex<Set<Origin>>([])

  package init(_ options: Options) {
    self.options = options
    thread = NetworkThread(idleTime: options.idleTime)
  }

  /// Cancels the requests in flight and closes all connections. Later requests are cancelled.
  package func shutdown() async { await thread.shutdown() }

  package func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    try await follow(request, listener: nil)
  }

  /// Sends a request and follows its redirects. libcurl doesn't follow them, since secrets must not be sent to other
  /// origins, and the caller needs to know whether all redirects were permanent.
  ///
  /// - Parameter listener: set if the response is a stream.
  private func follow(
    _ request: TransportRequest, listener: StreamListener?
  ) async throws(RequestFailure) -> TransportResponse {
    guard let start = WebAddress(request.url), start.socket == nil || request.allowsSocket else {
      throw .invalidAddress(Self.shown(request.url))
    }
    if let credential = request.credential, !credential.isUsable { throw .unusableCredential }
    var address = start
    var credential = request.credential
    var trust = request.trust
    var publicHeaders = request.headers
    var isPermanent = true
    let jar = request.cookies ?? CookieJar()
    // The same address with another cookie counts as another address, since a sign-in returns to the page where it
    // began.
    var visited: Set<[String]> = [[start.text] + jar.cookies]
    var end: ContinuousClock.Instant?
    while true {
      let exchange = try exchange(
        request, to: address, credential, trust, publicHeaders, jar: jar, end: end, listener: listener)
      var response = try await perform(exchange, credential, jar: jar, end: &end)
      guard let location = Self.redirect(response) else {
        if address.text != start.text, isPermanent { response.permanentlyMovedTo = address.text }
        return response
      }
      guard let next = address.redirected(to: location), next.socket == nil || next.origin == start.origin
      else { throw .badRedirect(Self.shown(location)) }
      guard request.followsRedirects else { throw .badRedirect(Self.shown(next.text)) }
      // Without the token the server would only reject the request, and the user would suspect the token.
      if credential != nil, address.scheme == .https, next.scheme == .http {
        throw .insecureRedirect(Self.shown(next.text))
      }
      if request.method != .get {
        guard next.origin == address.origin, [307, 308].contains(response.status) else {
          throw .badRedirect(Self.shown(next.text))
        }
      }
      guard visited.count <= Limits.redirects, visited.insert([next.text] + jar.cookies).inserted
      else {
        throw .redirectLoop(limit: Limits.redirects)
      }
      if let held = await request.hold?(next.text) { throw .heldBack(held) }
      if address.origin != next.origin {
        credential = nil
        trust = trust.elsewhere
        publicHeaders.removeAll { Self.secretHeaders.contains($0.name.lowercased()) }
      }
      isPermanent = isPermanent && [301, 308].contains(response.status)
      address = next
    }
  }

  /// Returns the exchange for one address of a request, with the secrets that this address may receive.
  private func exchange(
    _ request: TransportRequest, to address: WebAddress, _ credential: Credential?, _ trust: Trust,
    _ publicHeaders: [HeaderField], jar: CookieJar, end: ContinuousClock.Instant?, listener: StreamListener?
  ) throws(RequestFailure) -> Exchange {
    var exchange = Exchange(
      address: address, connectTimeout: request.connectTimeout, requestTimeout: request.requestTimeout,
      limit: request.responseLimit)
    exchange.form =
      switch listener {
      case nil: .document
      case let listener? where listener.form == .webSocket: .webSocket(listener)
      case let listener?: .stream(listener)
      }
    exchange.method = request.method
    exchange.isRepeatable = request.isRepeatable && request.method.isIdempotent
    exchange.digest =
      digestOrigins.withLock { $0.contains(address.origin) }
      ? credential?.digest(for: address.origin) : nil
    let secret = exchange.digest == nil ? credential?.field(for: address.origin) : nil
    exchange.headers = headers(of: request, publicHeaders, secret)
    // The parts of a compressed stream may not end where its messages do.
    if listener != nil { exchange.headers.replace("Accept-Encoding", "identity") }
    if let body = body(of: request, credential, for: address.origin) {
      exchange.body = body.bytes
      exchange.headers.replace("Content-Type", body.type)
    }
    let systemTrust = options.trust.besidesTheSystems
    exchange.proxy = address.socket == nil ? try options.proxies.proxy(for: address) : nil
    exchange.trust = trust
    if address.scheme == .https { exchange.trustFiles = try TrustFiles(trust, besides: systemTrust) }
    exchange.systemTrust = systemTrust
    exchange.cookies = jar.cookies
    exchange.end = end
    exchange.keepsErrorBody = request.keepsErrorBody
    exchange.acceptsBrokenEnd = request.acceptsBrokenEnd
    return exchange
  }

  /// Runs one exchange, and repeats it with digest authentication if the server requires that.
  ///
  /// - Parameter end: the end of the request's time, or `nil` until its first byte is sent.
  private func perform(
    _ exchange: Exchange, _ credential: Credential?, jar: CookieJar, end: inout ContinuousClock.Instant?
  ) async throws(RequestFailure) -> TransportResponse {
    let outcome = await transfer(exchange)
    end = outcome.end
    if let cookies = outcome.cookies { jar.cookies = cookies }
    switch outcome.result {
    case .success(let response):
      // The response to a tunnel request is already a failure.
      if response.status == 407, exchange.address.scheme == .http, let proxy = exchange.proxy {
        throw .proxy(reason: proxy.refusedLogin)
      }
      let origin = exchange.address.origin
      guard response.status == 401, exchange.digest == nil, credential?.digest(for: origin) != nil,
        response.headers.list("WWW-Authenticate").contains(where: { $0.lowercased().hasPrefix("digest") })
      else { return response }
      digestOrigins.withLock { _ = $0.insert(origin) }
      var again = exchange
      again.digest = credential?.digest(for: origin)
      again.headers.removeAll { $0.name == "Authorization" }
      again.cookies = jar.cookies
      again.end = end
      return try await perform(again, credential, jar: jar, end: &end)
    case .failure(.known(let failure)): throw failure
    case .failure(.outOfDate(let isExpired)):
      var look = exchange
      look.form = .certificates
      look.connectTimeout = Limits.diagnosisTime
      let chain = exchange.proxy == nil ? await transfer(look).certificates : []
      throw .tls(
        host: exchange.address.host,
        reason: CertificateDates.reason(chain, isExpired: isExpired, now: options.now()))
    }
  }

  /// Runs one exchange on the thread of libcurl.
  private func transfer(_ exchange: Exchange) async -> ExchangeOutcome {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let wish = CancellationFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<ExchangeOutcome, Never>) in
        var failure: RequestFailure?
        do throws(ThreadFailure) {
          let isRunning = try thread.run { [thread] loop in
            let transfer = Transfer(
              exchange, number: number, command: thread.runIfPossible,
              finish: { continuation.resume(returning: $0) })
            if wish.isCancelled.load(ordering: .acquiring) {
              transfer.fail(.cancelled)
            } else {
              loop.add(transfer)
            }
          }
          if !isRunning { failure = .cancelled }
        } catch {
          failure = .unreachable(host: exchange.address.host, reason: error.reason)
        }
        if let failure {
          continuation.resume(
            returning: ExchangeOutcome(result: .failure(.known(failure)), end: exchange.end))
        }
      }
    } onCancel: {
      // The cancellation may arrive before the transfer is added.
      wish.isCancelled.store(true, ordering: .releasing)
      thread.runIfPossible { $0.transfer(number)?.fail(.cancelled) }
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

  /// Returns the target of a redirect, which is empty if the header is missing, or `nil` for other responses.
  private static func redirect(_ response: TransportResponse) -> String? {
    switch response.status {
    case 301, 302, 303, 307, 308: response.headers["Location"] ?? ""
    default: nil
    }
  }

  /// Returns an address for an error message: shortened, and without a name and a password.
  private static func shown(_ address: String) -> String {
    let isSecret = address.contains("@")
    return isSecret ? "an address with a name or a password" : String(address.prefix(200))
  }

  private func headers(
    of request: TransportRequest, _ publicHeaders: [HeaderField], _ secret: HeaderField?
  ) -> [HeaderField] {
    var headers = [
      HeaderField("User-Agent", options.userAgent), HeaderField("Accept-Encoding", ContentDecoder.accepted),
    ]
    var fields = publicHeaders
    if let etag = request.etag { fields.append(HeaderField("If-None-Match", etag)) }
    if let lastModified = request.lastModified {
      fields.append(HeaderField("If-Modified-Since", lastModified))
    }
    // A validator with characters that are not allowed in a header is left out; this only prevents a 304.
    for field in fields where field.isSendable { headers.replace(field.name, field.value) }
    if let secret { headers.replace(secret.name, secret.value) }
    return headers
  }
}

/// Records whether a transfer is still wanted.
private final class CancellationFlag: Sendable {
  let isCancelled = Atomic(false)
}

extension [HeaderField] {
  /// Sets a field in place of all fields with this name.
  fileprivate mutating func replace(_ name: String, _ value: String) {
    removeAll { $0.name.lowercased() == name.lowercased() }
    append(HeaderField(name, value))
  }
}

extension LiveTransport: StreamTransport {
  package func listen(
    to request: TransportRequest, _ form: StreamForm, onOpen: @escaping @Sendable () -> Void,
    onMessage: @escaping @Sendable (String) -> Void
  ) async throws(RequestFailure) -> TransportResponse {
    let listener = StreamListener(
      form: form, silence: options.streamSilence, open: onOpen, onMessage: onMessage)
    return try await follow(request, listener: listener)
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
