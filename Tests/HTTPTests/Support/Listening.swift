import Foundation
import HTTP
import Synchronization

/// The events that a listener received.
final class Heard: Sendable {
  private struct State {
    var opened = 0
    var messages: [String] = []
    var waiting: [(count: Int, bell: AsyncStream<Void>.Continuation)] = []
  }

  private let state = Mutex(State())

  var opened: Int { state.withLock { $0.opened } }
  var messages: [String] { state.withLock { $0.messages } }

  func open() { state.withLock { $0.opened += 1 } }

  func take(_ message: String) {
    state.withLock { state in
      state.messages.append(message)
      let count = state.messages.count
      for waiter in state.waiting where waiter.count <= count { waiter.bell.finish() }
      state.waiting.removeAll { $0.count <= count }
    }
  }

  /// Waits for that many messages, or until the test's time limit.
  func received(_ count: Int) async {
    let (stream, bell) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if state.messages.count >= count { bell.finish() } else { state.waiting.append((count, bell)) }
    }
    for await _ in stream {}
  }
}

extension LiveTransport {
  func listen(
    _ url: String, _ form: StreamForm, _ heard: Heard = Heard(),
    _ change: (inout TransportRequest) -> Void = { _ in }
  ) async -> Result<TransportResponse, RequestFailure> {
    var request = TransportRequest(url: url)
    request.keepsErrorBody = true
    change(&request)
    do throws(RequestFailure) {
      return .success(
        try await listen(to: request, form, onOpen: { heard.open() }, onMessage: { heard.take($0) }))
    } catch {
      return .failure(error)
    }
  }
}

extension Result where Failure == RequestFailure {
  var failure: RequestFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
