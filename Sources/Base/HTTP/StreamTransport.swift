/// How a connection that is held open says something.
package enum StreamForm: Hashable, Sendable {
  /// A response without an end: each line is a message. Empty lines are none.
  case lines
  /// Server-sent events (WHATWG HTML section 9.2): the data of each event is a message.
  case events
  /// A WebSocket (RFC 6455), at an http or https address: each text message is one.
  case webSocket
}

/// Holds a connection open, on which a server says something whenever there is news.
package protocol StreamTransport: Sendable {
  /// Returns when the connection has ended; it does not connect again. The limits of its messages and of its silence are
  /// `Limits.streamMessageBytes` and `Limits.streamSilence`; a message that the end cuts off is left out.
  ///
  /// - Parameters:
  ///   - request: its `requestTimeout` ends with the header of the answer.
  ///   - onOpen: called once, after a good status (200, for a WebSocket 101).
  ///   - onMessage: called in order, never at the same time, not on the cooperative pool; it may take its time.
  /// - Returns: the answer. Without a good status it is returned at once and nothing was called.
  /// - Throws: `cancelled` when its task is cancelled; `timedOut(.reading, …)` after a silence; `tooLarge` for a message.
  func listen(
    to request: TransportRequest, _ form: StreamForm, onOpen: @escaping @Sendable () -> Void,
    onMessage: @escaping @Sendable (String) -> Void
  ) async throws(RequestFailure) -> TransportResponse
}
