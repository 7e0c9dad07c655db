import Basics
import Foundation

/// A connection to a hub of this machine, for one request after another. It blocks its thread.
final class HubConnection {
  struct Answer {
    var status: Int
    var head: String
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the value of a header field, or `nil` if the response does not have the field.
    func field(_ name: String) -> String? {
      let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name):") }
      return line?.split(onBytes: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private let descriptor: Int32
  private let token: String?

  /// - Parameter token: the token, or `nil` for requests without one.
  init(port: Int, token: String?) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.token = token
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    // A request that gets no response is counted, instead of waited for.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Self.failure("connect") }
  }

  deinit { close(descriptor) }

  func ask(_ method: String, _ target: String, _ fields: [String] = [], body: String? = nil) throws -> Answer
  {
    try send(method, target, fields, body: body)
    return try answer()
  }

  /// Sends a request without waiting for the response.
  ///
  /// - Parameter fields: further lines of the request's head.
  func send(_ method: String, _ target: String, _ fields: [String] = [], body: String? = nil) throws {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: hub.example"] + fields
    if let token { lines.append("Authorization: Bearer \(token)") }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    var rest = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Self.failure("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the response to the oldest request that has none yet.
  func answer() throws -> Answer {
    var (received, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    var head: (answer: Answer, length: Int)?
    while head.map({ received.count < $0.length }) ?? true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Self.failure("recv") }
      received += buffer[..<count]
      if head == nil, let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
        let text = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        var answer = Answer(
          status: Int(text.split(onBytes: " ").dropFirst().first ?? "") ?? 0, head: text, body: [])
        let length = answer.status == 304 ? 0 : Int(answer.field("content-length") ?? "") ?? 0
        answer.body.reserveCapacity(length)
        head = (answer, length)
        received.removeSubrange(..<end.upperBound)
      }
    }
    guard var answer = head?.answer else { throw Self.failure("recv") }
    answer.body = received
    return answer
  }

  private static func failure(_ call: String) -> POSIXError {
    note("\(call): errno \(errno)")
    return POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
