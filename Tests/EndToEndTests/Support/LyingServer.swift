import Foundation
import Glibc
import Synchronization

// The members of the server have these names, too.
private let systemAccept = accept
private let systemSocket = socket

/// A server on loopback, or on a Unix socket, that sends given bytes, valid HTTP or not.
final class LyingServer: Sendable {
  struct Request: Sendable {
    var path: String
    var query: String
    /// Names in lower case.
    var headers: [String: String]
  }

  /// Called with a connection once its request was read; afterwards it is closed.
  typealias Answer = @Sendable (Connection) -> Void

  let port: Int
  private let origin: String
  private let listener: Int32
  private let answers = Mutex<[String: Answer]>([:])
  private let others = Mutex<Answer>({ $0.respond("404 Not Found", [], Data()) })
  private let received = Mutex<[Request]>([])

  private static func socket(_ family: Int32) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    return systemSocket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  /// - Parameter path: the path of the Unix socket to create.
  init(socket path: String) throws {
    listener = Self.socket(AF_UNIX)
    port = 0
    origin = "http+unix://" + path.replacing("/", with: "%2F")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let listener = listener
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 64) == 0
      }
    }
    guard isBound else { throw HouseholdFailure("no server: errno \(errno)") }
    accept()
  }

  init() throws {
    listener = Self.socket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard code else { throw HouseholdFailure("no server: errno \(errno)") }
    port = Int(UInt16(bigEndian: address.sin_port))
    origin = "http://127.0.0.1:\(port)"
    accept()
  }

  private func accept() {
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let descriptor = systemAccept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard let self else {
          close(descriptor)
          return
        }
        Thread.detachNewThread { self.serve(Connection(descriptor)) }
      }
    }
  }

  deinit {
    // Wakes the thread that accepts.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func url(_ path: String) -> String { origin + path }

  func answer(_ path: String, _ answer: @escaping Answer) { answers.withLock { $0[path] = answer } }

  /// Answers with a whole, correct response.
  func answer(_ path: String, status: String = "200 OK", headers: [String] = [], body: Data) {
    answer(path) { $0.respond(status, headers, body) }
  }

  func answer(_ path: String, status: String = "200 OK", headers: [String] = [], text: String) {
    answer(path, status: status, headers: headers, body: Data(text.utf8))
  }

  /// Sets the response for every path that has no other one.
  func answerOthers(status: String, headers: [String] = []) {
    others.withLock { $0 = { $0.respond(status, headers, Data()) } }
  }

  func requests(under path: String) -> [Request] {
    received.withLock { $0.filter { $0.path.hasPrefix(path) } }
  }

  func requests(_ path: String) -> [Request] { received.withLock { $0.filter { $0.path == path } } }

  private func serve(_ connection: Connection) {
    guard let request = connection.readRequest() else { return }
    received.withLock { $0.append(request) }
    let answer = answers.withLock { $0[request.path] } ?? others.withLock { $0 }
    answer(connection)
  }

  final class Connection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
      shutdown(descriptor, Int32(SHUT_WR))
      close(descriptor)
    }

    func respond(_ status: String, _ headers: [String], _ body: Data) {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
      write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Data(text.utf8)) }

    /// - Returns: `false` if the other side has closed the connection.
    @discardableResult
    func write(_ bytes: Data) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Waits until the other side closes the connection, at most that time if one is given.
    /// - Returns: whether it did.
    @discardableResult
    func waitForClose(_ milliseconds: Int32 = -1) -> Bool {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, milliseconds) > 0
    }

    fileprivate func readRequest() -> Request? {
      var bytes: [UInt8] = []
      while bytes.count < 100_000 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer.prefix(count)
        guard bytes.suffix(4) == [13, 10, 13, 10] else { continue }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
          let parts = line.split(separator: ":", maxSplits: 1)
          guard parts.count == 2 else { return nil }
          return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        return Request(
          path: target[0], query: target.count > 1 ? target[1] : "",
          headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }))
      }
      return nil
    }
  }
}
