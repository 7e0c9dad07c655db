import Limits

// The demo's server, which any program on this machine can reach.
extension Limits {
  /// Bytes of a request's line and fields; those of a poll have a few hundred.
  static let requestHeadBytes = 64 << 10
  /// Bytes of a request's body, which is read and dropped: no route of the demo needs one.
  static let requestBodyBytes = 64 << 10
  /// Connections at the same time; for one more, the oldest one without a request is closed.
  static let demoConnections = 64
  /// Bytes that are read and dropped after the last response of a connection: if it were closed while some arrive, the
  /// client would lose the response.
  static let droppedBytes = 1 << 20
}
