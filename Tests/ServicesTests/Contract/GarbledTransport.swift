import Foundation
import HTTP
import StandIns
import Synchronization

/// The body of the longest response so far, and the bytes to send instead.
final class Captured: Sendable {
  private let state = Mutex<(bytes: Data?, garbled: Data?)>((nil, nil))

  var bytes: Data? { state.withLock { $0.bytes } }

  var garbled: Data? {
    get { state.withLock { $0.garbled } }
    set { state.withLock { $0.garbled = newValue } }
  }

  func note(_ body: Data) {
    state.withLock { if body.count > $0.bytes?.count ?? -1 { $0.bytes = body } }
  }
}

/// Replaces the bytes of each successful response to a GET.
struct GarbledTransport: HTTPTransport {
  private let inner: StandInTransport
  private let captured: Captured

  init(_ inner: StandInTransport, _ captured: Captured) {
    self.inner = inner
    self.captured = captured
  }

  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    var response = try await inner.send(request)
    guard request.method == .get, response.status == 200 else { return response }
    if let garbled = captured.garbled { response.body = garbled } else { captured.note(response.body) }
    return response
  }
}
