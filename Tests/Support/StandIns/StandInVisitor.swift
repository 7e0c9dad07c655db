import Foundation
import HTTP
import NIOCore
import NIOHTTP1
import NIOWebSocket

extension StandInRequest {
  init(_ head: HTTPRequestHead, _ body: Data) {
    self.init(
      method: head.method.rawValue, origin: "http://" + (head.headers.first(name: "Host") ?? ""),
      target: head.uri,
      headers: Dictionary(
        head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }), body: body)
  }
}

/// The requests of one connection, one after another.
final class StandInVisitor: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let standIn: any ServiceStandIn
  private var head: HTTPRequestHead?
  private var body = Data()
  private var listener: Int?

  init(_ standIn: any ServiceStandIn) { self.standIn = standIn }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = Data()
    case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
    case .end:
      guard let head else { return }
      let request = StandInRequest(head, body)
      switch standIn.stream(for: request) {
      case .lines? where standIn.isAuthorized(request):
        hold(head, context, "application/x-ndjson") { $0 + "\n" }
      case .events? where standIn.isAuthorized(request):
        hold(head, context, "text/event-stream") { "event: notification\ndata: \($0)\n\n" }
      case .lines?, .events?, .webSocket?, nil: write(standIn.answer(request), head, context)
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let listener { standIn.conditions.leave(listener) }
    listener = nil
    context.fireChannelInactive()
  }

  /// Sends a response that does not end.
  private func hold(
    _ request: HTTPRequestHead, _ context: ChannelHandlerContext, _ type: String,
    _ form: @escaping @Sendable (String) -> String
  ) {
    let head = HTTPResponseHead(version: request.version, status: .ok, headers: ["Content-Type": type])
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    let channel = context.channel
    listener = standIn.conditions.listen { message in
      guard let message else { return channel.close(promise: nil) }
      channel.writeAndFlush(
        HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: form(message)))), promise: nil)
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

/// An open WebSocket.
final class WebSocketVisitor: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let conditions: StandInConditions
  private var listener: Int?

  init(_ conditions: StandInConditions) { self.conditions = conditions }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    listener = conditions.listen { message in
      guard let message else { return channel.close(promise: nil) }
      channel.writeAndFlush(
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: message)), promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .ping:
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose: context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let listener { conditions.leave(listener) }
    listener = nil
    context.fireChannelInactive()
  }
}
