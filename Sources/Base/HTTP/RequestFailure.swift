/// The reason why one request got no response. Its strings may come from a server; they never contain a credential.
///
/// A poll can fail in more ways: see `FetchFailure` in Messages, which is stored.
package enum RequestFailure: Error, Hashable, Sendable {
  /// The stage of a request at its timeout.
  package enum Stage: String, Hashable, Sendable {
    /// Looking the name up, or connecting to its address.
    case connecting
    /// The TLS handshake.
    case handshake
    /// Waiting for the first byte of the response.
    case waiting
    /// Reading the response.
    case reading
  }

  /// The address is not an http or https URL.
  case invalidAddress(String)
  /// The name has no address, or no name server could be reached; the system does not distinguish the two.
  case nameNotFound(host: String)
  case refused(host: String, port: Int)
  case unreachable(host: String, reason: String)
  case timedOut(Stage, seconds: Double)
  /// The server's certificate cannot be trusted, or the TLS handshake failed.
  case tls(host: String, reason: String)
  /// The body is larger than allowed, compressed or not.
  case tooLarge(limit: Int)
  /// The connection ended before the announced length, in the middle of a chunk or of compressed data, or before any
  /// response. `received` is the number of bytes of the body until then.
  case cutOff(received: Int)
  /// More redirects than allowed, or one to an earlier address without a new cookie.
  case redirectLoop(limit: Int)
  /// A redirect to a host whose Retry-After has not passed was not followed.
  case heldBack(HeldHost)
  /// A redirect had no target (empty string), or one that may not be followed.
  case badRedirect(String)
  /// A request with a token was redirected from https to http.
  case insecureRedirect(String)
  /// The response is not HTTP, or its compression is damaged or unknown.
  case malformed(reason: String)
  /// A file of the request's `trust` cannot be used.
  case file(path: String, reason: String)
  /// The proxy of the settings or of the environment cannot be used.
  case proxy(reason: String)
  /// The credential has characters that are not allowed in a header.
  case unusableCredential
  case cancelled
}
