/// Why a poll failed, or the fetch of a banner's view or a picture; each has its own sentence in the front ends.
package enum FetchFailure: Error, Hashable, Sendable, Codable {
  /// The stage that a deadline cut.
  package enum Stage: String, Hashable, Sendable, Codable {
    case connecting, handshake, waiting, reading, poll
  }

  case invalidAddress(String)
  case nameNotFound(host: String)
  case refused(host: String, port: Int)
  case unreachable(host: String, reason: String)
  case timedOut(Stage, seconds: Double)
  case tls(host: String, reason: String)
  case status(Int, reason: String)
  /// 410: the source is stopped.
  case gone
  /// 429 or 503 with Retry-After, or another that the server asked to wait for.
  ///
  /// `host`: who asked, by the poller's `HostName`; the poller names it, since it knows the source's own.
  case heldBack(status: Int, host: String? = nil)
  case tooLarge(limit: Int)
  /// The connection ended before the announced length, or in the middle of a chunk or of compressed data.
  case cutOff(received: Int)
  case redirectLoop(limit: Int)
  /// A redirect to something that may not be followed (`file:`, no address at all).
  case badRedirect(String)
  case notAFeed(found: String, alternates: [String])
  case malformed(line: Int?, reason: String)
  /// A page of a native feed that did not move the cursor.
  case cursorStuck(page: Int)
  case file(path: String, reason: String)
  /// `token_command` failed or its file could not be read; never holds the token.
  case credentials(reason: String)
  /// The store could not take what came.
  case storage(reason: String)
  case cancelled
}
