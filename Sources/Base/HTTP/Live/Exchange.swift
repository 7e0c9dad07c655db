import Foundation

/// One request to one address; a redirect is an answer here.
struct Exchange: Sendable {
  enum Form: Sendable {
    case document
    /// An answer that has no end.
    case stream(StreamListener)
    case webSocket(StreamListener)
    /// Only a connection with a handshake, to read the server's certificates; nothing is asked.
    case certificates
  }

  var form = Form.document
  var method = TransportRequest.Method.get
  /// Whether it may be sent again on a new connection if there was no answer.
  var isRepeatable = true
  var body: Data?
  var address: WebAddress
  var headers: [HeaderField] = []
  /// For a server that wants them in the way of RFC 7616.
  var digest: (user: String, password: String)?
  var proxy: Proxy?
  var trust = Trust()
  var trustFiles = TrustFiles()
  var systemTrust = SystemTrust()
  var cookies: [String]?
  /// For name resolution, connection and TLS handshake.
  var connectTimeout: Duration
  /// From the first byte sent to the last byte read.
  var requestTimeout: Duration
  /// When that ends; nil: no byte was sent yet.
  var end: ContinuousClock.Instant?
  var keepsErrorBody = false
  /// Whether a body whose transfer ended wrongly is handed over.
  var acceptsBrokenEnd = false
  /// Bytes of the body, both before and after decompression.
  var limit: Int

  /// The host and port to connect to.
  var peer: (host: String, port: Int) {
    proxy.map { ($0.host, $0.port) } ?? (address.host, address.port)
  }
}

/// How an exchange ended.
struct ExchangeOutcome: Sendable {
  var result: Result<TransportResponse, ExchangeFailure>
  /// When the time of the request ends; nil: no byte was sent.
  var end: ContinuousClock.Instant?
  /// Nil: the exchange had none, or was never begun.
  var cookies: [String]?
  /// Of an exchange that asked for them: the fields of each, such as `Expire date`, the server's own first.
  var certificates: [[String: String]] = []
}

enum ExchangeFailure: Error, Hashable {
  case known(RequestFailure)
  /// The certificate, or one above it, is past its time or before it: its dates are not known yet.
  case outOfDate(isExpired: Bool)
}
