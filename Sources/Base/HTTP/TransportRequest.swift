import Basics
package import Foundation

/// One request. The transport follows redirects and applies limits and credentials.
///
/// A request with another method than GET is redirected only by 307 and 308 (RFC 9110 sections 15.4.8 and 15.4.9), and
/// only to its own origin, since its body may be confidential.
package struct TransportRequest: Sendable {
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether the request may be sent again on a new connection if the first one was closed without a response (RFC
    /// 9110 section 9.2.2).
    var isIdempotent: Bool { self != .post && self != .patch }
  }

  package enum Body: Hashable, Sendable {
    /// - type: the value of `Content-Type`.
    case bytes(Data, type: String)
    /// The name and password of the credential, as the form fields of a login (`Email`, `Passwd`).
    case login
  }

  package var method = Method.get
  /// Whether the request may be sent again if its method allows that. With `false` it is sent only once, for example
  /// because a second one would turn a switch back.
  package var isRepeatable = true
  package var body: Body?
  /// Whether redirects are followed. With `false` a redirect is a failure that contains the new address, for requests
  /// to an address that the user has approved.
  package var followsRedirects = true
  /// An http or https URL. A name and a password in it are not sent: see `Credential.configured`.
  package var url: String
  package var headers: [HeaderField] = []
  /// Whether the body of an error (4xx, 5xx) is read.
  package var keepsErrorBody = false
  /// The `ETag` of an earlier response, sent back byte for byte as `If-None-Match` (RFC 9110 section 13.1.2).
  package var etag: String?
  /// The `Last-Modified` of an earlier response, sent back byte for byte as `If-Modified-Since` (RFC 9110 section
  /// 13.1.3).
  package var lastModified: String?
  /// The token or password. It is sent to its own origin only, and not after a redirect to another one.
  package var credential: Credential?
  /// The time for name resolution, connection and TLS handshake; it starts again after a redirect.
  package var connectTimeout: Duration = .seconds(15)
  /// The time from the first byte sent to the last byte read, including redirects. A silent server may use all of it.
  package var requestTimeout: Duration = .seconds(60)
  package var trust = Trust()
  /// The cookies that the requests of one poll share. With `nil`, cookies are sent only after a redirect of this
  /// request.
  package var cookies: CookieJar?
  /// Whether the address may be that of a Unix socket, which only settings may contain.
  package var allowsSocket = false
  /// Whether the received part of a body is returned, with `BodyEnd.broken`, if its transfer ends with an error. This
  /// is for documents that show whether they are complete. Otherwise the error is a failure of the request.
  package var acceptsBrokenEnd = false
  /// The largest body in bytes, both before and after decompression.
  package var responseLimit: Int = Limits.responseBytes

  /// Called with the absolute address before a redirect is followed. It returns the host if its Retry-After has not
  /// passed, otherwise `nil`. For a host, the request ends with `heldBack`, and nothing is sent to it.
  package var hold: (@Sendable (_ address: String) async -> HeldHost?)?

  package init(url: String) { self.url = url }
}

// A body may contain a token.
extension TransportRequest.Body: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .bytes(let bytes, _): "<\(bytes.count) bytes>"
    case .login: "<login>"
    }
  }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A host that sent `Retry-After` (RFC 9110 section 10.2.3).
package struct HeldHost: Hashable, Sendable {
  /// The host's key in the poll schedule.
  package var host: String
  package var until: Date

  package init(host: String, until: Date) {
    self.host = host
    self.until = until
  }
}

/// Sends requests. A status that is not a success is a response, not a failure.
package protocol HTTPTransport: Sendable {
  /// Ends early with `cancelled` when its task is cancelled.
  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse
}
