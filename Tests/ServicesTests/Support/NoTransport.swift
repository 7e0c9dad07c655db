import HTTP

/// For adapters that are asked for something that needs no request.
struct NoTransport: HTTPTransport {
  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    throw .cancelled
  }
}
