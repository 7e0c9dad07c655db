import Basics
import Foundation
import Glibc
import Platform
import Synchronization

/// A small server of HTTP/1.1 on loopback. Its single thread waits in poll(2) without a time limit; no client makes it
/// wait.
final class LoopbackServer: Sendable {
  typealias Route = @Sendable (HTTPRequest) async -> HTTPResponse

  /// The responses, and the end, that other threads pass to the server's thread.
  private struct News {
    var responses: [(connection: Int, response: HTTPResponse)] = []
    var isStopped = false
  }

  /// The port that the system chose.
  let port: Int
  private let listener: Int32
  /// The bell that ends the wait of the server's thread.
  private let wake: Bell
  private let news = Mutex(News())

  /// Creates a server that listens; `run` responds to requests.
  ///
  /// - Throws: if there are no descriptors left, or no port.
  init() throws(POSIXError) {
    wake = try Bell()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    Self.prepare(listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && listen(socket, Int32(Limits.demoConnections)) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    guard isListening else {
      let error = POSIXError.current
      if listener >= 0 { close(listener) }
      throw error
    }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(listener) }

  var address: String { "http://127.0.0.1:\(port)" }

  /// Responds to requests until the task is cancelled.
  ///
  /// - Throws: if no connection can be accepted any more.
  func run(_ route: @escaping Route) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try self.serve(route) }) }
      }
    } onCancel: {
      add { $0.isStopped = true }
    }
  }

  /// Changes `news`, and wakes the server's thread.
  private func add(_ change: (inout sending News) -> Void) {
    news.withLock { change(&$0) }
    wake.ring()
  }

  private func serve(_ route: @escaping Route) throws(POSIXError) {
    // The descriptor is closed later, with the object: a route that has not ended still uses it.
    defer { shutdown(listener, Int32(SHUT_RDWR)) }
    var connections: [HTTPConnection] = []
    var accepted = 0
    while true {
      var states = [wake.descriptor, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      states += connections.map { pollfd(fd: $0.descriptor, events: $0.awaited, revents: 0) }
      guard poll(&states, nfds_t(states.count), -1) >= 0 else {
        if errno == EINTR { continue }
        throw .current
      }
      for (connection, state) in zip(connections, states.dropFirst(2)) where state.revents != 0 {
        connection.proceed()
      }
      if states[0].revents != 0 {
        let news = readNews()
        if news.isStopped { return }
        for (number, response) in news.responses {
          connections.first { $0.number == number && $0.isAnswering }?.respond(response)
        }
      }
      if states[1].revents != 0, try accept(number: accepted, into: &connections) { accepted += 1 }
      for connection in connections {
        connection.startNextRequest { request in
          let number = connection.number
          return Task {
            let response = await route(request)
            add { $0.responses.append((number, response)) }
          }
        }
      }
      connections.removeAll(where: \.hasEnded)
    }
  }

  private func readNews() -> News {
    _ = wake.read()
    return news.withLock { news in
      defer { news = News() }
      return news
    }
  }

  /// Accepts a connection. If there are too many, the oldest one without a request that is being handled is
  /// closed.
  ///
  /// - Returns: whether there is another connection.
  private func accept(number: Int, into connections: inout [HTTPConnection]) throws(POSIXError) -> Bool {
    let descriptor = Foundation.accept(listener, nil, nil)
    guard descriptor >= 0 else {
      switch errno {
      // The client is already gone.
      case EINTR, EAGAIN, ECONNABORTED: return false
      case _ where connections.isEmpty: throw .current
      // No descriptors are left: the connection is accepted in the next turn, with the descriptor of another one.
      case _: Self.removeOldest(&connections)
      }
      return false
    }
    Self.prepare(descriptor)
    if connections.count >= Limits.demoConnections { Self.removeOldest(&connections) }
    connections.append(HTTPConnection(descriptor, number: number))
    return true
  }

  private static func removeOldest(_ connections: inout [HTTPConnection]) {
    connections.remove(at: connections.firstIndex { !$0.isAnswering } ?? 0)
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }
}

extension POSIXError {
  /// The error of the last failed call.
  fileprivate static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
