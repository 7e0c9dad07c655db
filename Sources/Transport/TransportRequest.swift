package import Foundation
import Limits

/// One GET request; redirects, limits and credentials are settled by the transport.
package struct TransportRequest: Sendable {
  /// An http or https address. A name and a password in it are not sent: see `Credential.configured`.
  package var url: String
  package var headers: [HeaderField] = []
  /// Sent back byte for byte as `If-None-Match` (RFC 9110 section 13.1.2).
  package var etag: String?
  /// Sent back byte for byte as `If-Modified-Since` (RFC 9110 section 13.1.3).
  package var lastModified: String?
  /// Sent to its own origin only, and no more once a redirect has led to another.
  package var credential: Credential?
  /// From the name to a connection, its TLS handshake included; for each server that redirects lead to.
  package var connectTimeout: Duration = .seconds(15)
  /// From the first byte sent to the last byte read, redirects included. A silent server gets all of it.
  package var requestTimeout: Duration = .seconds(60)
  /// The largest body in bytes, before as well as after decompression.
  package var responseLimit: Int = Limits.responseBytes

  /// Asked before a redirect is followed, with its absolute address: the host behind it, where that asked to be left
  /// alone and its time is not over. The request then ends with `heldBack`, and that host hears nothing.
  package var hold: (@Sendable (_ address: String) async -> HeldHost?)?

  package init(url: String) { self.url = url }
}

/// A host that asked to be left alone (RFC 9110 section 10.2.3).
package struct HeldHost: Hashable, Sendable {
  /// By the name under which whoever remembers it knows it.
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
