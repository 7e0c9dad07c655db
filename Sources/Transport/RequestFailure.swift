/// Why one request got no response. Text inside may come from a server; it never contains a credential.
///
/// A poll may need several requests and has more ways to fail: that is `FetchFailure` in Messages, which is stored.
package enum RequestFailure: Error, Hashable, Sendable {
  /// What was going on when the deadline passed.
  package enum Stage: String, Hashable, Sendable {
    /// Looking the name up, or connecting to its address.
    case connecting
    /// The TLS handshake.
    case handshake
    /// Waiting for the first byte of the answer.
    case waiting
    /// Reading the answer.
    case reading
  }

  /// Not an http or https address.
  case invalidAddress(String)
  /// The name has no address, or no name server could be asked: the system does not tell which.
  case nameNotFound(host: String)
  case refused(host: String, port: Int)
  case unreachable(host: String, reason: String)
  case timedOut(Stage, seconds: Double)
  /// The server's certificate cannot be trusted, or TLS could not be agreed on.
  case tls(host: String, reason: String)
  /// The body is larger than allowed, compressed or not.
  case tooLarge(limit: Int)
  /// The connection ended before the announced length, in the middle of a chunk or of compressed data, or
  /// before any answer (`received` bytes of body until then).
  case cutOff(received: Int)
  /// More redirects than allowed, or one to where we have been.
  case redirectLoop(limit: Int)
  /// A redirect to a host that asked to be left alone; it was not followed.
  case heldBack(HeldHost)
  /// A redirect to something that may not be followed, or to nowhere (empty).
  case badRedirect(String)
  /// The answer is not HTTP, or its compression is damaged or unknown.
  case malformed(reason: String)
  /// The proxy that the environment names cannot be used.
  case proxy(reason: String)
  /// The credential cannot stand in a header.
  case unusableCredential
  case cancelled
}
