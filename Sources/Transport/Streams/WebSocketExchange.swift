import AsyncHTTPClient
import Dispatch
import Foundation
import Limits
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import NIOWebSocket

/// One connection for a WebSocket: to its server or through a proxy, with TLS, the upgrade (RFC 6455 section 4.1), and its
/// messages.
struct WebSocketExchange {
  private enum Upgrade: Sendable {
    /// - ended: when the connection has ended.
    case open(HTTPResponseHead, ended: EventLoopFuture<Void>)
    case refused(EventLoopFuture<TransportResponse>)
  }

  var exchange: HTTPExchange
  var listener: StreamListener
  var loop: any EventLoop
  /// Of the messages.
  private let queue = DispatchQueue(label: "reddot.websocket")

  init(_ exchange: HTTPExchange, _ listener: StreamListener, on loop: any EventLoop) {
    self.exchange = exchange
    self.listener = listener
    self.loop = loop
  }

  func run(through proxy: Proxy?) async throws -> TransportResponse {
    exchange.progress.connecting()
    let route = proxy.map { ClientRoute.tunnel($0) } ?? .direct
    let peer = route.peer(of: exchange.address)
    let channel = try await connect(to: peer)
    return try await withTaskCancellationHandler {
      do {
        let upgrade = try await loop.flatSubmit { open(channel, through: proxy) }.get()
        let response = try await follow(upgrade, channel)
        await close(channel)
        return response
      } catch {
        await close(channel)
        throw error
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  private func connect(to peer: (host: String, port: Int)) async throws -> any Channel {
    let connecting = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(exchange.timeouts.connecting))
      .connect(host: peer.host, port: peer.port)
    // The first result counts; promises ignore later ones.
    let first = loop.makePromise(of: (any Channel).self)
    connecting.cascade(to: first)
    return try await withTaskCancellationHandler {
      try await first.futureResult.get()
    } onCancel: {
      first.fail(CancellationError())
      connecting.whenSuccess { $0.close(promise: nil) }
    }
  }

  private func close(_ channel: any Channel) async {
    channel.close(promise: nil)
    await withCheckedContinuation { done in channel.closeFuture.whenComplete { _ in done.resume() } }
  }

  private func follow(_ upgrade: Upgrade, _ channel: any Channel) async throws -> TransportResponse {
    switch upgrade {
    case .refused(let answer):
      exchange.progress.reading()
      return try await answer.get()
    case .open(let head, let ended):
      exchange.progress.reading()
      exchange.progress.end()
      let result: Result<Void, any Error>
      do { result = .success(try await ended.get()) } catch { result = .failure(error) }
      // Messages that came before the end are still handed over.
      await withCheckedContinuation { done in queue.async { done.resume() } }
      try Task.checkCancellation()
      try result.get()
      let fields = HeaderFields(head.headers.map { HeaderField($0.name, $0.value) })
      return TransportResponse(
        status: Int(head.status.code), headers: fields, finalURL: exchange.address.text)
    }
  }

  // MARK: On the event loop

  private func open(_ channel: any Channel, through proxy: Proxy?) -> EventLoopFuture<Upgrade> {
    // The time to connect is also that of the proxy's answer and of the handshake.
    let timer = loop.scheduleTask(in: TimeAmount(exchange.timeouts.connecting)) {
      channel.pipeline.fireErrorCaught(HTTPClientError.tlsHandshakeTimeout)
      channel.close(promise: nil)
    }
    return tunnel(channel, proxy).flatMap { secure(channel) }.flatMapThrowing {
      timer.cancel()
      exchange.progress.sent(isReused: false)
    }.flatMap { upgrade(channel) }.always { _ in timer.cancel() }
  }

  private func tunnel(_ channel: any Channel, _ proxy: Proxy?) -> EventLoopFuture<Void> {
    guard let proxy else { return loop.makeSucceededVoidFuture() }
    let promise = loop.makePromise(of: Void.self)
    let handler = TunnelHandler(
      proxy, to: exchange.address, userAgent: exchange.headers.first(name: "User-Agent") ?? "",
      promise: promise)
    channel.closeFuture.whenComplete { _ in promise.fail(ChannelError.eof) }
    do { try channel.pipeline.syncOperations.addHandler(handler) } catch { promise.fail(error) }
    return promise.futureResult
  }

  private func secure(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard exchange.address.scheme == .https else { return loop.makeSucceededVoidFuture() }
    let promise = loop.makePromise(of: Void.self)
    channel.closeFuture.whenComplete { _ in promise.fail(ChannelError.eof) }
    do {
      let host = exchange.address.host
      let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
      var configuration = exchange.pool.tlsConfiguration
      configuration.applicationProtocols = ["http/1.1"]
      let handler = try NIOSSLClientHandler(
        context: NIOSSLContext(configuration: configuration), serverHostname: isAddress ? nil : host)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(handler)
      try pipeline.addHandler(HandshakeWaiter(promise))
    } catch {
      promise.fail(error)
    }
    return promise.futureResult
  }

  private func upgrade(_ channel: any Channel) -> EventLoopFuture<Upgrade> {
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
    head.headers = exchange.headers
    head.headers.replaceOrAdd(name: "Host", value: exchange.address.authority)
    let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
      maxFrameSize: Limits.streamMessageBytes, enableAutomaticErrorHandling: false
    ) { channel, response in
      let ended = loop.makePromise(of: Void.self)
      channel.closeFuture.whenComplete { _ in ended.succeed() }
      // It fails only if the connection is closed already: what came before that is read all the same.
      return channel.setOption(.autoRead, value: false).recover { _ in }.flatMapThrowing {
        listener.open()
        let handler = WebSocketMessages(listener, queue: queue, ended: ended)
        try channel.pipeline.syncOperations.addHandler(handler)
        return .open(response, ended: ended.futureResult)
      }
    }
    let configuration = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
      upgradeRequestHead: head, upgraders: [upgrader]
    ) { channel in
      channel.eventLoop.makeCompletedFuture {
        let answer = loop.makePromise(of: TransportResponse.self)
        channel.closeFuture.whenComplete { _ in answer.fail(ChannelError.eof) }
        try channel.pipeline.syncOperations.addHandler(
          RefusedUpgrade(answer, address: exchange.address.text))
        return .refused(answer.futureResult)
      }
    }
    var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
    // The first frames may come together with the header.
    pipeline.leftOverBytesStrategy = .forwardBytes
    do {
      return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
        configuration: pipeline)
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  /// The path and the query.
  private var target: String {
    guard let parts = URLComponents(string: exchange.address.text) else { return "/" }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    return path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
  }
}

/// Waits for the end of a TLS handshake.
private final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<Void>

  init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      promise.succeed()
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.fireErrorCaught(error)
  }
}
