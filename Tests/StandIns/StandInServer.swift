import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A stand-in as an HTTP server on loopback.
package final class StandInServer: Sendable {
  private let channel: any Channel
  package let port: Int

  /// The server's origin.
  package var origin: String { "http://127.0.0.1:\(port)" }

  private init(channel: any Channel, port: Int) {
    self.channel = channel
    self.port = port
  }

  package static func start(_ standIn: any ServiceStandIn) async throws -> StandInServer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(Visit(standIn))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    guard let port = channel.localAddress?.port else { throw CocoaError(.featureUnsupported) }
    return StandInServer(channel: channel, port: port)
  }

  package func stop() async throws { try await channel.close() }

  /// Serves while `body` runs.
  package static func with<Value>(
    _ standIn: any ServiceStandIn, _ body: (StandInServer) async throws -> Value
  ) async throws -> Value {
    let server = try await start(standIn)
    do {
      let value = try await body(server)
      try await server.stop()
      return value
    } catch {
      try await server.stop()
      throw error
    }
  }
}

/// The requests of one connection, one after another.
private final class Visit: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let standIn: any ServiceStandIn
  private var head: HTTPRequestHead?
  private var body = Data()

  init(_ standIn: any ServiceStandIn) { self.standIn = standIn }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = Data()
    case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
    case .end:
      guard let head else { return }
      let request = StandInRequest(
        method: head.method.rawValue, origin: "http://" + (head.headers.first(name: "Host") ?? ""),
        target: head.uri,
        headers: Dictionary(
          head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }), body: body)
      write(standIn.answer(request), head, context)
    }
  }

  private func write(
    _ response: StandInResponse, _ request: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    guard response.delivery != .hangUp else { return context.close(promise: nil) }
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    let isBodyless = response.status == 204 || response.status == 304
    if !isBodyless { headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.count)") }
    let head = HTTPResponseHead(
      version: request.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
    let isCut = response.delivery == .cut
    let bytes = isCut ? response.body.prefix(response.body.count / 2) : response.body
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isBodyless, !bytes.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    }
    if isCut {
      context.flush()
      context.close(promise: nil)
    } else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
