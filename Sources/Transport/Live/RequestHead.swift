import NIOCore
import NIOHTTP1
import NIOHTTP2
import Synchronization

/// The exchanges under way, by the number that their requests carry inside this process, and the connections that have
/// carried one.
final class ExchangeBook: Sendable {
  /// Never leaves this process: `RequestHeadHandler` takes it off again.
  static let field = "X-Reddot-Exchange"

  private struct State {
    var last = 0
    var exchanges: [String: RequestProgress] = [:]
    var used: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// - Returns: the number under which its request is told from others until `leave`.
  func enter(_ progress: RequestProgress) -> String {
    state.withLock { state in
      state.last += 1
      let number = String(state.last)
      state.exchanges[number] = progress
      return number
    }
  }

  func leave(_ number: String) { state.withLock { $0.exchanges[number] = nil } }

  /// The request of an exchange goes out on a connection.
  fileprivate func send(_ number: String, on connection: any Channel) -> RequestProgress? {
    let identity = ObjectIdentifier(connection)
    let (progress, isKept) = state.withLock { state in
      (state.exchanges[number], !state.used.insert(identity).inserted)
    }
    if !isKept {
      connection.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.used.remove(identity) } }
    }
    progress?.sent(isKept: isKept)
    return progress
  }
}

/// Sees each request leave and its answer come, and gives the request line the form that its route wants.
final class RequestHeadHandler: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  private let book: ExchangeBook
  /// Plain HTTP handed to a proxy: the whole address stands in the request line (RFC 9112 section 3.2.2).
  private let isForwarded: Bool
  private var current: RequestProgress?

  private init(book: ExchangeBook, isForwarded: Bool) {
    self.book = book
    self.isForwarded = isForwarded
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    if let number = head.headers.first(name: ExchangeBook.field) {
      current = book.send(number, on: context.channel.parent ?? context.channel)
      head.headers.remove(name: ExchangeBook.field)
    }
    if isForwarded, let host = head.headers.first(name: "Host") { head.uri = "http://" + host + head.uri }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    current?.answered()
    context.fireChannelRead(data)
  }

  /// Puts it between the client and the encoder of a new connection (HTTP/1.1).
  static func install(on channel: any Channel, _ book: ExchangeBook, isForwarded: Bool) -> EventLoopFuture<
    Void
  > {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
      try pipeline.addHandler(
        RequestHeadHandler(book: book, isForwarded: isForwarded), position: .after(encoder))
    }
  }

  /// The same on the stream of one request (HTTP/2).
  static func install(onStream channel: any Channel, _ book: ExchangeBook) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
      try pipeline.addHandler(RequestHeadHandler(book: book, isForwarded: false), position: .after(codec))
    }
  }
}
