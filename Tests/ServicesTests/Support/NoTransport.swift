import HTTP

/// A transport for adapters in tests that need no request.
struct NoTransport: HTTPTransport {
  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    throw .cancelled
  }
}
