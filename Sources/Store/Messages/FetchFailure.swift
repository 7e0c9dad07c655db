/// The reason why a poll, or the fetch of a banner's view or a picture, failed. The interface and the
/// commands have a sentence for each.
package enum FetchFailure: Error, Hashable, Sendable, Codable {
  /// The stage of a request or poll in which the time ran out.
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
  /// 429 or 503 with Retry-After, or a redirect to a host that sent one.
  ///
  /// `host` is the host that sent the header, in the form of `HostName`; if it is `nil`, the poller sets it.
  case heldBack(status: Int, host: String? = nil)
  /// The response has more than `limit` bytes.
  case tooLarge(limit: Int)
  /// The connection ended before the announced length, or in the middle of a chunk or of compressed data, after
  /// `received` bytes.
  case cutOff(received: Int)
  case redirectLoop(limit: Int)
  /// A redirect to an address that may not be followed (`file:`, an invalid one).
  case badRedirect(String)
  /// A redirect from https to http, on which a token could be read by others.
  case insecureRedirect(String)
  /// The response is not a feed: `found` describes it, and `alternates` are the URLs of feeds that it links to.
  case notAFeed(found: String, alternates: [String])
  case malformed(line: Int?, reason: String)
  /// A page of a native feed that did not advance the cursor.
  case cursorStuck(page: Int)
  case file(path: String, reason: String)
  /// `token_command` failed or `token_file` could not be read; the reason never contains the token.
  case credentials(reason: String)
  /// A source's program could not be started, or failed: the reason is a predicate such as "ended with status 1".
  case program(reason: String)
  /// The result could not be stored.
  case storage(reason: String)
  case cancelled

  /// Whether the sentence for the failure contains the file's name. The sentences for other failures don't
  /// name the source, so the URL is printed before them.
  package var namesItsFile: Bool { if case .file = self { true } else { false } }
}
