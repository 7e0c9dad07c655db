import NIOCore
import NIOHTTP1
import NIOHTTP2
import Synchronization

/// The exchanges in flight, by a number in a header field of their requests, and the connections that were used
/// before. The number is how a channel handler finds the exchange of a request.
final class ExchangeTable: Sendable {
  /// Never sent: `RequestHeadHandler` removes it.
  static let field = "X-Reddot-Exchange"

  private struct State {
    var last = 0
    var exchanges: [String: RequestProgress] = [:]
    var used: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// - Returns: the exchange's number until `remove`.
  func add(_ progress: RequestProgress) -> String {
    state.withLock { state in
      state.last += 1
      let number = String(state.last)
      state.exchanges[number] = progress
      return number
    }
  }

  func remove(_ number: String) { state.withLock { $0.exchanges[number] = nil } }

  /// The request of an exchange is written to a connection.
  fileprivate func send(_ number: String, on connection: any Channel) -> RequestProgress? {
    let identity = ObjectIdentifier(connection)
    let (progress, isReused) = state.withLock { state in
      (state.exchanges[number], !state.used.insert(identity).inserted)
    }
    if !isReused {
      connection.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.used.remove(identity) } }
    }
    progress?.sent(isReused: isReused)
    return progress
  }
}

/// Notes when a request is written and when its response begins, and writes the request line as the route needs it.
final class RequestHeadHandler: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  private let exchanges: ExchangeTable
  /// Plain HTTP through a proxy: the request line has the whole address (RFC 9112 section 3.2.2).
  private let isForwarded: Bool
  private var current: RequestProgress?

  private init(exchanges: ExchangeTable, isForwarded: Bool) {
    self.exchanges = exchanges
    self.isForwarded = isForwarded
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    if let number = head.headers.first(name: ExchangeTable.field) {
      current = exchanges.send(number, on: context.channel.parent ?? context.channel)
      head.headers.remove(name: ExchangeTable.field)
    }
    if isForwarded, let host = head.headers.first(name: "Host") { head.uri = "http://" + host + head.uri }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    current?.answered()
    context.fireChannelRead(data)
  }

  /// Adds the handler between the client and the encoder of a new connection (HTTP/1.1).
  static func install(on channel: any Channel, _ exchanges: ExchangeTable, isForwarded: Bool)
    -> EventLoopFuture<
      Void
    >
  {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
      try pipeline.addHandler(
        RequestHeadHandler(exchanges: exchanges, isForwarded: isForwarded), position: .after(encoder))
    }
  }

  /// Adds the handler to the stream of one request (HTTP/2).
  static func install(onStream channel: any Channel, _ exchanges: ExchangeTable) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
      try pipeline.addHandler(
        RequestHeadHandler(exchanges: exchanges, isForwarded: false), position: .after(codec))
    }
  }
}
