import Foundation

/// One request to one address. A redirect is its response, and leads to another exchange.
struct Exchange: Sendable {
  enum Form: Sendable {
    case document
    /// A response that has no end.
    case stream(StreamListener)
    case webSocket(StreamListener)
    /// No request: only a connection with a handshake, to read the server's certificates.
    case certificates
  }

  var form = Form.document
  var method = TransportRequest.Method.get
  /// Whether the request may be sent again on a new connection if there was no response.
  var isRepeatable = true
  var body: Data?
  var address: WebAddress
  var headers: [HeaderField] = []
  /// The name and password for a server that requires digest authentication (RFC 7616).
  var digest: (user: String, password: String)?
  var proxy: Proxy?
  var trust = Trust()
  var trustFiles = TrustFiles()
  var systemTrust = SystemTrust()
  var cookies: [String]?
  /// The time for name resolution, connection and TLS handshake.
  var connectTimeout: Duration
  /// The time from the first byte sent to the last byte read.
  var requestTimeout: Duration
  /// The time at which `requestTimeout` ends, or `nil` if no byte was sent yet.
  var end: ContinuousClock.Instant?
  var keepsErrorBody = false
  /// Whether the received part of a body is returned if the transfer ended with an error.
  var acceptsBrokenEnd = false
  /// The maximum number of bytes of the body, both before and after decompression.
  var limit: Int

  /// The host and port to connect to.
  var peer: (host: String, port: Int) {
    proxy.map { ($0.host, $0.port) } ?? (address.host, address.port)
  }
}

/// The result of an exchange.
struct ExchangeOutcome: Sendable {
  var result: Result<TransportResponse, ExchangeFailure>
  /// The time at which the request times out, or `nil` if no byte was sent.
  var end: ContinuousClock.Instant?
  /// The cookies after the exchange, or `nil` if the exchange had none or was never begun.
  var cookies: [String]?
  /// The certificates, if the exchange requested them, the server's own first. Each has fields such as `Expire date`.
  var certificates: [[String: String]] = []
}

enum ExchangeFailure: Error, Hashable {
  case known(RequestFailure)
  /// The certificate, or one above it, is expired or not yet valid; its dates are not known yet.
  case outOfDate(isExpired: Bool)
}
