import Foundation
import HTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

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
          let visit = NIOLoopBound(StandInVisitor(standIn), eventLoop: channel.eventLoop)
          let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, head in
              let request = StandInRequest(head, Data())
              let isStream = standIn.stream(for: request) == .webSocket && standIn.isAuthorized(request)
              return channel.eventLoop.makeSucceededFuture(isStream ? [:] : nil)
            },
            upgradePipelineHandler: { channel, _ in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(WebSocketVisitor(standIn.conditions))
              }
            })
          try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
              upgraders: [upgrader],
              completionHandler: { context in
                context.pipeline.syncOperations.removeHandler(visit.value, promise: nil)
              }
            ))
          try pipeline.addHandler(visit.value)
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
