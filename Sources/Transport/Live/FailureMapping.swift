import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An error of the libraries, before a diagnosis.
enum ExchangeFailure: Error {
  case settled(RequestFailure)
  /// Connecting took too long; at which stage isn't known yet.
  case noConnection
  /// The certificate was rejected; why isn't known yet.
  case untrusted
}

/// Turns the errors of AsyncHTTPClient and NIO into ours, for one exchange with one server.
struct FailureMapping {
  var address: WebAddress
  /// The host and port of the connection: the server's or a proxy's.
  var peer: (host: String, port: Int)
  var isProxied: Bool
  /// The timeout of the request, and of connecting.
  var limits: (request: Duration, connecting: Duration)
  var stage: RequestFailure.Stage
  /// Bytes of body so far.
  var received: Int

  func failure(_ error: any Error) -> ExchangeFailure {
    switch error {
    case let failure as ExchangeFailure: failure
    case let failure as RequestFailure: .settled(failure)
    case is CancellationError: .settled(.cancelled)
    case let error as HTTPClientError: client(error)
    case let error as NIOConnectionError: connection(error)
    case let error as IOError: .settled(system(error))
    case let error as HTTPParserError: .settled(parser(error))
    case let error as NIOSSLError: tls(error)
    case let error as NIOSSLExtraError:
      .settled(.tls(host: address.host, reason: words(error)))
    case let error as ChannelError: channel(error)
    case is NIOHTTPClientUpgradeError: .settled(.malformed(reason: "the answer is not a WebSocket"))
    default: .settled(stage == .reading ? .cutOff(received: received) : unreachable("\(type(of: error))"))
    }
  }

  private func unreachable(_ reason: String) -> RequestFailure {
    isProxied ? .proxy(reason: "\(peer.host): \(reason)") : .unreachable(host: peer.host, reason: reason)
  }

  private func client(_ error: HTTPClientError) -> ExchangeFailure {
    switch error {
    case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
      .socksHandshakeTimeout:
      .noConnection
    case .readTimeout, .writeTimeout, .deadlineExceeded:
      .settled(.timedOut(stage, seconds: limits.request.seconds))
    case .remoteConnectionClosed, .uncleanShutdown: .settled(.cutOff(received: received))
    case .cancelled, .alreadyShutdown, .requestStreamCancelled: .settled(.cancelled)
    case .invalidURL, .emptyHost, .emptyScheme: .settled(.invalidAddress(address.text))
    case .proxyAuthenticationRequired: .settled(.proxy(reason: "\(peer.host) asks for a name and a password"))
    case .invalidProxyResponse:
      .settled(.proxy(reason: "\(peer.host) refuses to connect to \(address.authority)"))
    default: .settled(.malformed(reason: error.shortDescription))
    }
  }

  private func connection(_ error: NIOConnectionError) -> ExchangeFailure {
    if error.connectionErrors.isEmpty {
      return .settled(
        isProxied
          ? .proxy(reason: "the name \(error.host) was not found") : .nameNotFound(host: error.host))
    }
    let failures = error.connectionErrors.map(\.error)
    // Of the errors of several addresses, a refusal tells most: the host can be reached.
    let refusal = failures.first { ($0 as? IOError)?.errnoCode == ECONNREFUSED }
    return failure(refusal ?? failures[0])
  }

  private func system(_ error: IOError) -> RequestFailure {
    switch error.errnoCode {
    case ECONNREFUSED where stage != .reading:
      isProxied
        ? .proxy(reason: "\(peer.host) refuses connections to port \(peer.port)")
        : .refused(host: peer.host, port: peer.port)
    case ECONNRESET, EPIPE, ECONNABORTED: .cutOff(received: received)
    case ETIMEDOUT where stage != .connecting: .cutOff(received: received)
    case ETIMEDOUT: .timedOut(.connecting, seconds: limits.connecting.seconds)
    default: unreachable(String(cString: strerror(error.errnoCode)))
    }
  }

  private func parser(_ error: HTTPParserError) -> RequestFailure {
    switch error {
    case .invalidEOFState: .cutOff(received: received)
    case .headerOverflow: .malformed(reason: "the header is too large")
    default: .malformed(reason: "the answer is not HTTP")
    }
  }

  private func channel(_ error: ChannelError) -> ExchangeFailure {
    switch error {
    case .connectTimeout: .noConnection
    default: .settled(.cutOff(received: received))
    }
  }

  private func tls(_ error: NIOSSLError) -> ExchangeFailure {
    switch error {
    case .uncleanShutdown: .settled(.cutOff(received: received))
    case .unableToValidateCertificate, .noCertificateToValidate: .untrusted
    case .handshakeFailed(.sslError(let stack)):
      if "\(stack)".contains("CERTIFICATE_VERIFY_FAILED") {
        .untrusted
      } else {
        .settled(.tls(host: address.host, reason: words(stack)))
      }
    default: .settled(.tls(host: address.host, reason: "the handshake failed"))
    }
  }

  private func words(_ error: NIOSSLExtraError) -> String {
    switch error {
    case .failedToValidateHostname, .serverHostnameImpossibleToMatch:
      "the certificate is for another name than \(address.host)"
    default: "the handshake failed"
    }
  }

  private func words(_ stack: NIOBoringSSLErrorStack) -> String {
    let text = "\(stack)"
    if text.contains("WRONG_VERSION_NUMBER") {
      return "the server does not use TLS on port \(address.port)"
    }
    if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
      return "the server has only versions of TLS that are not secure any more"
    }
    if text.contains("ALERT") { return "the server ended the handshake" }
    return "the handshake failed"
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
