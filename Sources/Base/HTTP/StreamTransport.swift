/// The form of the messages on a connection that is held open.
package enum StreamForm: Hashable, Sendable {
  /// A response without an end. Each line is a message, except empty lines.
  case lines
  /// Server-sent events (WHATWG HTML section 9.2): the data of each event is a message.
  case events
  /// A WebSocket (RFC 6455), at an http or https address: each text message is a message.
  case webSocket
}

/// Holds a connection open, on which a server sends messages when something is new.
package protocol StreamTransport: Sendable {
  /// Opens a connection and passes on its messages. Returns when the connection has ended; it does not reconnect.
  ///
  /// `Limits.streamMessageBytes` and `Limits.streamSilence` limit its messages and its silence. A message that is cut
  /// off by the end is left out.
  ///
  /// - Parameters:
  ///   - request: its `requestTimeout` ends with the header of the response.
  ///   - onOpen: called once, after a good status (200, for a WebSocket 101).
  ///   - onMessage: called in order, never concurrently, and not on the cooperative pool. It may block.
  /// - Returns: the response. If its status is not good, it is returned immediately, without any call.
  /// - Throws: `cancelled` when its task is cancelled, `timedOut(.reading, …)` after a silence, `tooLarge` for a
  ///   message.
  func listen(
    to request: TransportRequest, _ form: StreamForm, onOpen: @escaping @Sendable () -> Void,
    onMessage: @escaping @Sendable (String) -> Void
  ) async throws(RequestFailure) -> TransportResponse
}
