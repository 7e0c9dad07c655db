import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A request: the received bytes of a connection up to the end of its header, and as many of a body as it announces.
struct ReceivedRequest: Sendable {
  var line: String
  var headers: [(name: String, value: String)]
  var body = ""
  /// The number of connections that were opened until its own, and of requests that were read until this one.
  var connection = 0
  var number = 0

  var method: String { String(line.prefix { $0 != " " }) }
  var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The action of a route on its connection.
enum Answer: Sendable {
  /// Sends these bytes and closes the connection.
  case bytes([UInt8])
  /// Sends these bytes and keeps the connection open.
  case keptOpen([UInt8])
  /// Closes immediately.
  case nothing
  /// Sends nothing and stays open.
  case hang
  /// Sends nothing for that time, then these bytes, and closes.
  case late(TimeAmount, [UInt8])
  /// Sends these bytes, then one byte every ten milliseconds without end.
  case drip([UInt8])
  /// Sends these bytes; then the test controls the connection.
  case held(HeldConnection, [UInt8])
  /// Sends these bytes; then the connection is reset.
  case reset([UInt8])
  /// Answers `CONNECT`: from now on the bytes are passed to that port of this machine, and back.
  case tunnel(to: Int)

  static func response(_ status: String = "200 OK", _ headers: [String] = [], body: [UInt8]) -> Answer {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
    return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  static func response(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") -> Answer {
    response(status, headers, body: Array(body.utf8))
  }

  static func redirect(_ status: String, to location: String) -> Answer {
    response(status, ["Location: \(location)"])
  }

  static func raw(_ text: String) -> Answer { .bytes(Array(text.utf8)) }
}

/// A server on loopback that sends raw bytes, so that it can break every rule of HTTP.
final class LoopbackServer: Sendable {
  let port: Int
  private let channel: any Channel
  private let log: Log

  final class Log: Sendable {
    private struct State {
      var all: [ReceivedRequest] = []
      var waiting: [(count: Int, bell: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())
    private let connections = Mutex(0)
    func add(_ request: ReceivedRequest) -> ReceivedRequest {
      state.withLock { state in
        var request = request
        request.number = state.all.count + 1
        state.all.append(request)
        for waiter in state.waiting where waiter.count <= request.number { waiter.bell.finish() }
        state.waiting.removeAll { $0.count <= request.number }
        return request
      }
    }
    /// Returns a stream that ends after that many requests.
    func received(_ count: Int) -> AsyncStream<Void> {
      let (stream, bell) = AsyncStream.makeStream(of: Void.self)
      state.withLock { state in
        if state.all.count >= count { bell.finish() } else { state.waiting.append((count, bell)) }
      }
      return stream
    }
    func connected() -> Int {
      connections.withLock { count in
        count += 1
        return count
      }
    }
    var requests: [ReceivedRequest] { state.withLock { $0.all } }
  }

  /// All requests so far, in their order.
  var requests: [ReceivedRequest] { log.requests }

  /// Waits for that many requests, or until the test's time limit.
  func received(_ count: Int) async { for await _ in log.received(count) {} }

  private init(channel: any Channel, port: Int, log: Log) {
    self.channel = channel
    self.port = port
    self.log = log
  }

  /// - Parameter socket: the path of a Unix socket to listen on instead of a port.
  static func start(
    tls: NIOSSLContext? = nil, host: String = "127.0.0.1", socket: String? = nil,
    _ routes: @escaping @Sendable (ReceivedRequest) -> Answer
  ) async throws -> LoopbackServer {
    let log = Log()
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
          try pipeline.addHandler(Conversation(log: log, routes: routes))
        }
      }
    if let socket {
      return LoopbackServer(
        channel: try await bootstrap.bind(unixDomainSocketPath: socket).get(), port: 0, log: log)
    }
    let channel = try await bootstrap.bind(host: host, port: 0).get()
    guard let port = channel.localAddress?.port else { throw CocoaError(.featureUnsupported) }
    return LoopbackServer(channel: channel, port: port, log: log)
  }

  /// Starts a server with one connection, which the test controls from its beginning.
  static func startHeld(_ held: HeldConnection) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Holder(held))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Holder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let held: HeldConnection

    init(_ held: HeldConnection) { self.held = held }

    func channelActive(context: ChannelHandlerContext) { held.begin(context.channel) }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      held.receive(Array(unwrapInboundIn(data).readableBytesView))
    }
    func channelInactive(context: ChannelHandlerContext) { held.end() }
  }

  func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  func stop() { channel.close(promise: nil) }

  /// Passes the bytes back through a tunnel.
  private final class WayBack: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let channel: any Channel

    init(channel: any Channel) { self.channel = channel }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      channel.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }
    func channelInactive(context: ChannelHandlerContext) { channel.close(promise: nil) }
  }

  private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: Log
    private let routes: @Sendable (ReceivedRequest) -> Answer
    private var bytes: [UInt8] = []
    /// The request whose body has not arrived yet, and the body's length.
    private var begun: (request: ReceivedRequest, length: Int)?
    private var connection = 0
    private var held: HeldConnection?
    private var tunnel: (any Channel)?

    init(log: Log, routes: @escaping @Sendable (ReceivedRequest) -> Answer) {
      self.log = log
      self.routes = routes
    }

    func channelActive(context: ChannelHandlerContext) {
      connection = log.connected()
      context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let piece = unwrapInboundIn(data)
      if let held { return held.receive(Array(piece.readableBytesView)) }
      if let tunnel { return tunnel.writeAndFlush(piece, promise: nil) }
      bytes += piece.readableBytesView
      while let request = next() { answer(routes(log.add(request)), context) }
    }

    /// Returns the next request, once it is complete.
    private func next() -> ReceivedRequest? {
      if begun == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        bytes.removeSubrange(..<end.upperBound)
        let line = lines.removeFirst()
        let headers = lines.map { line in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let request = ReceivedRequest(line: line, headers: headers, connection: connection)
        begun = (request, request["Content-Length"].flatMap { Int($0) } ?? 0)
      }
      guard let (head, length) = begun, bytes.count >= length else { return nil }
      var request = head
      request.body = String(decoding: bytes.prefix(length), as: UTF8.self)
      bytes.removeFirst(length)
      begun = nil
      return request
    }

    func channelInactive(context: ChannelHandlerContext) {
      held?.end()
      tunnel?.close(promise: nil)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ answer: Answer, _ context: ChannelHandlerContext) {
      let channel = context.channel
      switch answer {
      case .bytes(let bytes):
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
      case .keptOpen(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
      case .held(let held, let bytes):
        self.held = held
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        held.begin(channel)
      case .nothing: channel.close(promise: nil)
      case .reset(let bytes):
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in
          _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            .always { _ in channel.close(promise: nil) }
        }
      case .tunnel(let port):
        // The client sends nothing before the response, so this is known by then.
        ClientBootstrap(group: channel.eventLoop)
          .channelInitializer { $0.pipeline.addHandler(WayBack(channel: channel)) }
          .connect(host: "127.0.0.1", port: port).assumeIsolated().whenSuccess { other in
            self.tunnel = other
            channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Fine\r\n\r\n"), promise: nil)
          }
      case .hang: break
      case .late(let time, let bytes):
        channel.eventLoop.scheduleTask(in: time) {
          channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
        }
      case .drip(let bytes):
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(10)) { task in
          channel.writeAndFlush(ByteBuffer(string: "x")).whenFailure { _ in task.cancel() }
        }
      }
    }
  }
}
