import Dispatch
import Foundation

/// A client of a server on loopback: one connection for each request. It blocks its thread.
package struct LoopbackClient: Sendable {
  package struct Failed: Error {
    package var what: String
  }

  package struct Answer: Sendable {
    package var status: Int
    /// The fields, by lowercase names.
    package var fields: [String: String]
    package var body: String
  }

  package let port: Int

  package init(port: Int) { self.port = port }

  /// - Parameter fields: lines of the head.
  package func ask(
    _ method: String, _ target: String, _ fields: [String] = [], body: String = ""
  ) throws -> Answer {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(target) HTTP/1.1", "Host: hub.example", "Connection: close"] + length + fields
    return try Self.answer(try exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + body))
  }

  /// Sends pieces on one connection, and waits for a response after those that end a request.
  ///
  /// - Parameter pieces: bytes, and whether a response follows.
  package func talk(_ pieces: [(bytes: String, isAnswered: Bool)]) async throws -> [Answer] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "client").async { continuation.resume(with: Result { try talkNow(pieces) }) }
    }
  }

  private func talkNow(_ pieces: [(bytes: String, isAnswered: Bool)]) throws -> [Answer] {
    let descriptor = try connected()
    defer { close(descriptor) }
    var (answers, received, buffer): ([Answer], [UInt8], [UInt8]) = (
      [], [], [UInt8](repeating: 0, count: 1 << 16)
    )
    for (bytes, isAnswered) in pieces {
      _ = write(Array(bytes.utf8), to: descriptor)
      guard isAnswered else { continue }
      while true {
        if let answer = try? Self.answer(received),
          let length = answer.fields["content-length"].flatMap({ Int($0) }),
          answer.body.utf8.count >= length
        {
          answers.append(answer)
          received = []
          break
        }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return answers }
        received += buffer[..<count]
      }
    }
    return answers
  }

  /// Runs `ask` on a separate thread, for tests whose server is in this process.
  package func answer(
    _ method: String, _ target: String, _ fields: [String] = [], body: String = ""
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "client").async {
        continuation.resume(with: Result { try ask(method, target, fields, body: body) })
      }
    }
  }

  /// Sends a body that doesn't end, until the connection does.
  ///
  /// - Returns: the response, and the number of bytes that could be sent.
  package func pour(_ method: String, _ target: String) async throws -> (answer: String, bytes: Int) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "client").async {
        continuation.resume(with: Result { try pourNow(method, target) })
      }
    }
  }

  private func pourNow(_ method: String, _ target: String) throws -> (answer: String, bytes: Int) {
    let descriptor = try connected()
    defer { close(descriptor) }
    let head = "\(method) \(target) HTTP/1.1\r\nHost: hub.example\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = Array("1000\r\n\(String(repeating: "x", count: 4096))\r\n".utf8)
    guard write(Array(head.utf8), to: descriptor) else { throw Failed(what: "nothing could be sent") }
    var (bytes, received, buffer): (Int, [UInt8], [UInt8]) = (0, [], [UInt8](repeating: 0, count: 1 << 16))
    while write(chunk, to: descriptor) {
      bytes += chunk.count
      if case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
        received += buffer[..<count]
      }
    }
    return (String(decoding: received, as: UTF8.self), bytes)
  }

  private func exchange(_ request: String) throws -> [UInt8] {
    let descriptor = try connected()
    defer { close(descriptor) }
    // A server may respond, and close, before it has read everything.
    _ = write(Array(request.utf8), to: descriptor)
    var (received, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      received += buffer[..<count]
    }
    return received
  }

  /// - Returns: `false` if the connection ended.
  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func connected() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let reason = errno
      close(descriptor)
      throw Failed(what: "no connection: errno \(reason)")
    }
    return descriptor
  }

  private static func answer(_ bytes: [UInt8]) throws -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { throw Failed(what: "no answer: \(text)") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw Failed(what: lines[0]) }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    return Answer(status: status, fields: fields, body: String(text[end.upperBound...]))
  }
}
