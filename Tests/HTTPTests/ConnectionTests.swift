import Foundation
import HTTP
import NIOCore
import TestBasics
import Testing

/// Names, addresses, and connections that stay open between requests.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ConnectionTests {
  private static let kept = Answer.keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))

  @Test func namesThatDoNotExistDelayNoOther() async throws {
    let server = try await LoopbackServer.start { _ in Self.kept }
    defer { server.stop() }
    try await withTransport { transport in
      await withTaskGroup(of: RequestFailure?.self) { group in
        for number in 0..<20 { group.addTask { await transport.failure("http://n\(number).invalid/") } }
        #expect(await transport.failure(server.url("/", host: "localhost")) == nil)
        for await failure in group {
          guard case .nameNotFound = failure else {
            Issue.record("\(String(describing: failure))")
            continue
          }
        }
      }
    }
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func aNameIsAskedAtWhicheverAddressAnswers(host: String) async throws {
    let server = try await LoopbackServer.start(host: host) { _ in Self.kept }
    defer { server.stop() }
    try await withTransport { transport in
      let literal = host.contains(":") ? "[\(host)]" : host
      for name in ["localhost", literal] {
        #expect(await transport.failure(server.url("/", host: name)) == nil)
      }
    }
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [false, true])
  func pagesAndPollsShareAConnection(isSecure: Bool) async throws {
    let context = isSecure ? try TestCertificates.context(TestCertificates.good) : nil
    let server = try await LoopbackServer.start(tls: context) { _ in Self.kept }
    defer { server.stop() }
    try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      for page in 0..<5 {
        let url = server.url("/\(page)", scheme: isSecure ? "https" : "http")
        #expect(await transport.failure(url) == nil)
      }
    }
    #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1])
  }

  @Test func requestsOverHTTP2ShareAConnection() async throws {
    let server = try await HTTP2Server.start()
    defer { server.close(promise: nil) }
    let port = try #require(server.localAddress?.port)
    let connections = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      let send = { @Sendable in
        try await transport.send(TransportRequest(url: "https://localhost:\(port)/")).headers["X-Connection"]
      }
      var connections = [try await send()]
      // At the same time, too.
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<10 { group.addTask { try await send() } }
        for try await connection in group { connections.append(connection) }
      }
      return connections
    }
    #expect(connections == Array(repeating: "1", count: 11))
  }

  /// libcurl 7.88 can lose its note that a connection has more to read; then only its timer for the connection runs.
  @Test func noAnswerOverHTTP2WaitsForATimer() async throws {
    let server = try await HTTP2Server.start()
    defer { server.close(promise: nil) }
    let port = try #require(server.localAddress?.port)
    let clock = ContinuousClock()
    var slowest = Duration.zero
    // The server closes a connection after two hundred quick requests.
    for _ in 0..<10 where slowest < .seconds(4) {
      slowest = try await withTransport {
        $0.trust = try TestCertificates.trust()
      } _: { transport in
        var slowest = slowest
        for _ in 0..<40 {
          let start = clock.now
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
              group.addTask {
                var request = TransportRequest(url: "https://localhost:\(port)/")
                request.connectTimeout = .seconds(5)
                _ = try await transport.send(request)
              }
            }
            try await group.waitForAll()
          }
          slowest = max(slowest, clock.now - start)
        }
        return slowest
      }
    }
    #expect(slowest < .seconds(4))
  }

  @Test(arguments: TransportRequest.Method.allCases)
  func aConnectionThatTheServerClosedMeanwhileCostsNothing(method: TransportRequest.Method) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      request.number == 1
        ? .held(held, Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)) : .response()
    }
    defer { server.stop() }
    try await withTransport { transport in
      #expect(await transport.failure(server.url("/")) == nil)
      await held.close()
      await held.closed()
      var request = TransportRequest(url: server.url("/"))
      request.method = method
      #expect(await transport.failure(request) == nil)
    }
    #expect(server.requests.map(\.connection) == [1, 2])
  }

  @Test func connectionsAreClosedWhenNothingIsRequested() async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      request.number == 1
        ? .held(held, Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)) : .response()
    }
    defer { server.stop() }
    try await withTransport {
      $0.idleTime = .milliseconds(50)
    } _: { transport in
      #expect(await transport.failure(server.url("/")) == nil)
      // The client closes it.
      await held.closed()
      #expect(await transport.failure(server.url("/")) == nil)
    }
    #expect(server.requests.map(\.connection) == [1, 2])
  }

  // MARK: Unix sockets

  /// A server at a Unix socket, and its address.
  private static func startSocket(
    _ routes: @escaping @Sendable (ReceivedRequest) -> Answer
  ) async throws -> (server: LoopbackServer, address: String, path: String) {
    let path = "/tmp/reddot-\(UUID().uuidString)"
    let server = try await LoopbackServer.start(socket: path, routes)
    return (server, "http+unix://\(path.replacing("/", with: "%2F"))", path)
  }

  @Test func aUnixSocketIsAnAddress() async throws {
    let (server, address, path) = try await Self.startSocket { request in
      request.path == "/old" ? .redirect("301 Moved", to: "/new?x=y") : .response("200 OK", [], "local")
    }
    defer {
      server.stop()
      unlink(path)
    }
    var request = TransportRequest(url: address + "/old")
    request.allowsSocket = true
    request.credential = .configured(token: "t", address: request.url)
    let sent = request
    let response = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "127.0.0.1:1"])
    } _: {
      try await $0.send(sent)
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "local")
    #expect(response.permanentlyMovedTo == address + "/new?x=y")
    #expect(server.requests.map(\.path) == ["/old", "/new?x=y"])
    #expect(server.requests.map { $0["Host"] } == ["localhost", "localhost"])
    #expect(server.requests.map { $0["Authorization"] } == ["Bearer t", "Bearer t"])
  }

  @Test func onlyTheSettingsMayNameASocket() async throws {
    let (server, address, path) = try await Self.startSocket { _ in .response() }
    let web = try await LoopbackServer.start { _ in .redirect("302 Found", to: address + "/") }
    defer {
      server.stop()
      web.stop()
      unlink(path)
    }
    try await withTransport { transport in
      #expect(await transport.failure(address + "/") == .invalidAddress(address + "/"))
      var request = TransportRequest(url: web.url("/"))
      request.allowsSocket = true
      #expect(await transport.failure(request) == .badRedirect(address + "/"))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aSocketThatIsNotThereIsNamed() async throws {
    var request = TransportRequest(url: "http+unix://%2Fnowhere%2Fserver.sock/")
    request.allowsSocket = true
    let sent = request
    let failure = try await withTransport { await $0.failure(sent) }
    #expect(failure == .unreachable(host: "/nowhere/server.sock", reason: "No such file or directory"))
  }
}
