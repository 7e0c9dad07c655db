import Basics
import Foundation
import Glibc

/// A connection of a client, which never blocks. It is closed when the object is released.
final class HTTPConnection {
  private enum State {
    case reading
    /// A route is handling the request.
    case answering(Task<Void, Never>)
    case writing
    /// Our side is closed; the connection waits until the client has closed its own.
    case dropping
    case ended
  }

  /// The number by which the server finds the connection for a response.
  let number: Int
  let descriptor: Int32
  private var state = State.reading
  private var received = Data()
  /// The position at which the search for the end of a head continues.
  private var searched = 0
  private var unsent = Data()
  private var request: HTTPRequest?
  /// The number of bytes of the request's body that are still to come.
  private var bodyLeft = 0
  /// Whether the connection is closed after the response.
  private var isLast = false
  /// The number of bytes that were discarded after the last response.
  private var dropped = 0

  /// - Parameter descriptor: a socket that doesn't block.
  init(_ descriptor: Int32, number: Int) {
    (self.descriptor, self.number) = (descriptor, number)
  }

  deinit {
    if case .answering(let task) = state { task.cancel() }
    close(descriptor)
  }

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  var isAnswering: Bool { if case .answering = state { true } else { false } }

  /// The events for which poll(2) waits.
  var awaited: Int16 {
    switch state {
    case .reading, .dropping: Int16(POLLIN)
    case .writing: Int16(POLLOUT)
    case .answering, .ended: 0
    }
  }

  /// Reads or writes as much as is possible now.
  func proceed() {
    switch state {
    case .reading: receive()
    case .writing: send()
    case .dropping:
      receive()
      dropped += received.count
      received = Data()
      if dropped > Limits.droppedBytes { state = .ended }
    // In these states, only an error or the end of the connection is reported.
    case .answering, .ended: state = .ended
    }
  }

  /// Begins to handle the next request if it is complete. Its response is passed to `respond` later.
  ///
  /// - Parameter start: starts the task that handles the request.
  func startNextRequest(_ start: (HTTPRequest) -> Task<Void, Never>) {
    guard case .reading = state else { return }
    do throws(HTTPRequest.Refusal) {
      guard let request = try nextRequest() else { return }
      isLast = request.isLast
      state = .answering(start(request))
    } catch {
      isLast = true
      respond(HTTPResponse(error.status))
    }
  }

  func respond(_ response: HTTPResponse) {
    unsent = response.bytes(isLast: isLast)
    state = .writing
    send()
  }

  /// Removes and returns the next request, or returns `nil` if it is not complete yet.
  private func nextRequest() throws(HTTPRequest.Refusal) -> HTTPRequest? {
    if request == nil {
      let end = received.range(of: Data("\r\n\r\n".utf8), in: searched..<received.count)
      guard (end?.lowerBound ?? received.count) <= Limits.requestHeadBytes else {
        throw HTTPRequest.Refusal(status: 431)
      }
      guard let end else {
        searched = max(0, received.count - 3)
        return nil
      }
      let next = try HTTPRequest(head: received[..<end.lowerBound])
      received = Data(received[end.upperBound...])
      searched = 0
      (request, bodyLeft) = (next, next.bodyLength)
    }
    let body = min(bodyLeft, received.count)
    received = Data(received.dropFirst(body))
    bodyLeft -= body
    guard bodyLeft == 0 else { return nil }
    defer { request = nil }
    return request
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 {
      received += buffer[..<count]
    } else if count == 0 || !Self.isTemporary(errno) {
      state = .ended
    }
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Self.sending)
      }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        state = .ended
        return
      }
    }
    state = isLast ? .dropping : .reading
    if isLast { shutdown(descriptor, Int32(SHUT_WR)) }
  }

  private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }

  /// The flag that prevents SIGPIPE, which would end our process if the client is gone.
  private static var sending: Int32 {
    Int32(MSG_NOSIGNAL)
  }
}
