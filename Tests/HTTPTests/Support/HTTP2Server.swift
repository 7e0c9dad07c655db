import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server that supports only HTTP/2 over TLS. It returns the request in its response and, as `X-Connection`, the
/// number of connections that were opened until then.
enum HTTP2Server {
  static func start() async throws -> any Channel {
    let context = try TestCertificates.context(TestCertificates.good) { $0.applicationProtocols = ["h2"] }
    let log = LoopbackServer.Log()
    return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        let connection = log.connected()
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(NIOSSLServerHandler(context: context))
          _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
          ) { stream in
            stream.eventLoop.makeCompletedFuture {
              try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
              try stream.pipeline.syncOperations.addHandler(Echo(connection: connection))
            }
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Echo: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private let connection: Int

    init(connection: Int) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      let text = "HTTP/2 \(head.method) \(head.uri) \(head.headers.first(name: "Authorization") ?? "-")"
      let fields = HTTPHeaders([("X-Connection", "\(connection)")])
      context.write(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http2, status: .ok, headers: fields))), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}

extension LoopbackServer {
  /// Starts a server that sends these bytes after any input, and closes.
  static func startSpeaking(_ bytes: [UInt8]) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Interrupter(bytes: bytes))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Interrupter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
    }
  }
}
