import Basics
import CCurl
import Foundation

/// Converts an error of libcurl to an `ExchangeFailure`. libcurl's wording may come from a server, so only known
/// phrases are used.
struct CurlFailure {
  private let code: CURLcode
  private let words: String
  private let exchange: Exchange
  private let received: Int
  private let stage: RequestFailure.Stage
  /// The system's error (errno), the result of the certificate's verification (OpenSSL's X509_V_ERR), and the status of
  /// the proxy's response.
  private let (system, verification, proxyStatus): (Int32, Int, Int)
  /// The error of SOCKS (CURLproxycode).
  private let proxyError: Int

  init(_ code: CURLcode, _ transfer: Transfer, _ easy: UnsafeMutableRawPointer, stage: RequestFailure.Stage) {
    self.code = code
    words = String(cString: transfer.words)
    exchange = transfer.exchange
    received = transfer.received
    self.stage = stage
    system = Int32(truncatingIfNeeded: ccurl_number(easy, CURLINFO_OS_ERRNO))
    verification = ccurl_number(easy, CURLINFO_SSL_VERIFYRESULT)
    proxyStatus = ccurl_number(easy, CURLINFO_HTTP_CONNECTCODE)
    proxyError = ccurl_number(easy, CURLINFO_PROXY_ERROR)
  }

  var failure: ExchangeFailure {
    if isProxyHandshake, let reason = proxyHandshake { return .known(.proxy(reason: reason)) }
    if code == CURLE_PEER_FAILED_VERIFICATION { return certificate }
    return .known(known)
  }

  private var known: RequestFailure {
    let (host, port) = exchange.peer
    let isProxied = exchange.proxy != nil
    // In TLS 1.3 the server rejects the client's certificate only after the handshake.
    if [CURLE_SEND_ERROR, CURLE_RECV_ERROR].contains(code), stage != .reading, words.contains("alert") {
      return handshake
    }
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      // libcurl also uses this code for a response with an unknown version of HTTP, or without one.
      return stage == .connecting
        ? .invalidAddress(exchange.address.text) : .malformed(reason: "the response is not HTTP")
    case CURLE_COULDNT_RESOLVE_PROXY: return .proxy(reason: "the name \(host) was not found")
    case CURLE_COULDNT_RESOLVE_HOST where exchange.address.socket != nil:
      return unreachable("the path is too long for a socket")
    case CURLE_COULDNT_RESOLVE_HOST: return .nameNotFound(host: exchange.address.host)
    case CURLE_COULDNT_CONNECT where exchange.address.socket != nil:
      return unreachable(String(cString: strerror(system)))
    case CURLE_COULDNT_CONNECT:
      guard proxyStatus < 300 else { return proxyAnswer }
      switch system {
      case ECONNREFUSED, 0:
        return isProxied
          ? .proxy(reason: "\(host) refuses connections to port \(port)") : .refused(host: host, port: port)
      case ETIMEDOUT: return .timedOut(.connecting, seconds: exchange.connectTimeout.seconds)
      default: return unreachable(String(cString: strerror(system)))
      }
    case CURLE_OPERATION_TIMEDOUT: return .timedOut(stage, seconds: exchange.connectTimeout.seconds)
    case CURLE_PROXY: return proxyAnswer
    case CURLE_SSL_CONNECT_ERROR: return handshake
    case CURLE_SSL_CACERT_BADFILE:
      return tls(
        "the authorities' certificates in \(exchange.trust.authorities ?? exchange.systemTrust.file ?? "the system's file") cannot be read"
      )
    case CURLE_SSL_CERTPROBLEM:
      let certificate = exchange.trust.certificate ?? ""
      return tls(
        "the client's certificate in \(certificate) cannot be used with the key in "
          + "\(exchange.trust.key ?? certificate), which must belong to it and have no password")
    case CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_INVALIDCERTSTATUS:
      return tls("the handshake failed")
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_SSL_SHUTDOWN_FAILED:
      return .cutOff(received: received)
    case CURLE_RECV_ERROR:
      if isProxied, stage == .connecting, proxyStatus >= 300 { return proxyAnswer }
      if words.contains("chunk") || words.contains("Hex") || words.contains("hex") {
        return .malformed(reason: "the response is not HTTP")
      }
      return .cutOff(received: received)
    case CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return stage == .reading ? .cutOff(received: received) : .malformed(reason: "the response is not HTTP")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return .malformed(reason: "the response is not HTTP")
    case CURLE_ABORTED_BY_CALLBACK: return .cancelled
    case CURLE_OUT_OF_MEMORY: return unreachable("libcurl has no memory")
    default: return stage == .reading ? .cutOff(received: received) : unreachable(words)
    }
  }

  private func unreachable(_ reason: String) -> RequestFailure {
    let host = exchange.peer.host
    return exchange.proxy == nil
      ? .unreachable(host: host, reason: reason) : .proxy(reason: "\(host): \(reason)")
  }

  private var proxyAnswer: RequestFailure {
    let host = exchange.peer.host
    // Some proxies respond with 401 to a wrong password.
    let wantsLogin =
      [401, 407].contains(proxyStatus) || proxyError == Int(CURLPX_NO_AUTH.rawValue)
      || proxyError == Int(CURLPX_USER_REJECTED.rawValue)
    guard wantsLogin, let proxy = exchange.proxy else {
      return .proxy(reason: "\(host) refuses to connect to \(exchange.address.authority)")
    }
    return .proxy(reason: proxy.refusedLogin)
  }

  // MARK: TLS

  /// Whether the handshake is with an HTTPS proxy rather than with the server: the proxy has not made a tunnel yet, or
  /// makes none.
  private var isProxyHandshake: Bool { exchange.proxy?.kind == .https && proxyStatus == 0 }

  private var proxyHandshake: String? {
    let (host, port) = exchange.peer
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION:
      return "the certificate of \(host) cannot be trusted; if you trust it, name it in SSL_CERT_FILE"
    case CURLE_SSL_CONNECT_ERROR: return "the TLS handshake with \(host) on port \(port) failed"
    default: return nil
    }
  }

  private func tls(_ reason: String) -> RequestFailure { .tls(host: exchange.address.host, reason: reason) }

  /// The reasons for which a server rejects a client's certificate (RFC 8446 section 6.2), in OpenSSL's wording.
  private static let refusals = [
    "certificate required", "handshake failure", "bad certificate", "unsupported certificate",
    "certificate revoked", "certificate expired", "certificate unknown", "unknown ca", "access denied",
    "decrypt error",
  ]

  private var handshake: RequestFailure {
    let lower = words.lowercased()
    if lower.contains("wrong version number") || lower.contains("http request") {
      return tls("the server does not use TLS on port \(exchange.address.port)")
    }
    if lower.contains("unsupported protocol") || lower.contains("protocol version")
      || lower.contains("no protocols available")
    {
      return tls("the server supports only insecure versions of TLS")
    }
    if lower.contains("alert") {
      guard Self.refusals.contains(where: { lower.contains($0) }) else {
        return tls("the server ended the handshake")
      }
      return tls(
        exchange.trust.certificate.map {
          "the server does not accept the client's certificate in \($0) (client_certificate)"
        } ?? "the server ended the handshake; it may want a client's certificate (client_certificate)")
    }
    if lower.contains("reset by peer") || lower.contains("unexpected eof")
      || lower.contains("ssl_error_syscall")
    {
      return .cutOff(received: 0)
    }
    return tls("the handshake failed")
  }

  /// The failure for a rejected certificate. The numbers are OpenSSL's, of `X509_STORE_CTX_get_error`.
  private var certificate: ExchangeFailure {
    let remedy = "; if you trust it, name the certificate in ca_file"
    switch verification {
    case 9: return .outOfDate(isExpired: false)
    case 10: return .outOfDate(isExpired: true)
    case 18: return .known(tls("the certificate is self-signed" + remedy))
    case 19:
      return .known(
        tls("the certificate was issued by an authority that this system does not trust" + remedy))
    case 2, 20, 21:
      return .known(
        tls("the certificate was issued by an authority that this system does not trust" + remedy))
    case 23: return .known(tls("the certificate was revoked"))
    case 26: return .known(tls("the certificate is not for a server"))
    case 66, 67, 68: return .known(tls("the certificate's key or signature is too weak"))
    // libcurl reports 1 before the chain is verified, since it compares the name first.
    case 0, 1, 62, 64:
      return .known(tls("the certificate is for another name than \(exchange.address.host)"))
    default: return .known(tls("the certificate cannot be trusted"))
    }
  }
}

/// Reads the dates of certificates in the form of `CURLINFO_CERTINFO`.
enum CertificateDates {
  /// Returns why a chain is expired or not yet valid, with the date of the first such certificate.
  static func reason(_ chain: [[String: String]], isExpired: Bool, now: Date) -> String {
    let (field, verb) = isExpired ? ("Expire date", "expired on") : ("Start date", "is not valid before")
    let end = isExpired ? "" : "; is the clock right?"
    for (index, certificate) in chain.enumerated() {
      guard let day = certificate[field].flatMap(day), isExpired ? day <= today(now) : day >= today(now)
      else {
        continue
      }
      return "\(index == 0 ? "the certificate" : "a certificate above the server's") \(verb) \(day)\(end)"
    }
    return isExpired ? "the certificate has expired" : "the certificate is not valid yet\(end)"
  }

  private static func today(_ now: Date) -> String { WallTime(now, in: .gmt).date.text }

  /// Returns `Feb  3 00:00:00 2021 GMT` as `2021-02-03`.
  private static func day(_ text: String) -> String? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let parts = text.split(onBytes: " ")
    guard parts.count >= 4, let month = months.firstIndex(of: String(parts[0])), let day = Int(parts[1]),
      let year = Int(parts[3]), (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    return CivilDate(year: year, month: month + 1, day: day).text
  }
}
