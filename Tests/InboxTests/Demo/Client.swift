import Foundation
import Testing

@testable import Session

/// A client of the server under test, which sends what it is given and blocks its thread.
final class Client {
  struct Failed: Error, Equatable {
    var code = errno
  }

  private let descriptor: Int32
  private var received = ""

  init(_ port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let descriptor = descriptor
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code != 0 { throw Failed() }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != bytes.count { throw Failed() }
  }

  /// Sends a GET request, and waits for the response.
  func get(_ path: String, _ fields: String...) throws -> Answer {
    try send("GET \(path) HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    return try answer()
  }

  struct Answer {
    var status: Int
    var head: String
    var body: String
  }

  /// The next response.
  func answer() throws -> Answer {
    while !received.contains("\r\n\r\n") { try receive() }
    let end = try #require(received.firstRange(of: "\r\n\r\n"))
    let head = String(received[..<end.lowerBound])
    received = String(received[end.upperBound...])
    var body = ""
    if let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) }) {
      while received.utf8.count < length { try receive() }
      body = String(decoding: received.utf8.prefix(length), as: UTF8.self)
      received = String(decoding: received.utf8.dropFirst(length), as: UTF8.self)
    }
    return Answer(status: try #require(Int(head.split(separator: " ")[1])), head: head, body: body)
  }

  /// Waits until the server closes the connection.
  /// - Returns: whether it sent nothing more.
  func waitForClose() -> Bool {
    while (try? receive()) != nil {}
    return received.isEmpty
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Failed(code: count == 0 ? 0 : errno) }
    received += String(decoding: buffer[..<count], as: UTF8.self)
  }
}

/// A clock on which no time passes.
struct StoppedClock: Clock {
  let now = ContinuousClock.now
  let minimumResolution = Duration.zero

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in nothing {}
    withExtendedLifetime(continuation) {}
    try Task.checkCancellation()
  }
}
