import Foundation
import Limits
import NIOCore
import NIOHTTP1

/// Collects the answer of a server that does not open a WebSocket.
final class RefusedUpgrade: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let answer: EventLoopPromise<TransportResponse>
  private let address: String
  private var response: TransportResponse?

  init(_ answer: EventLoopPromise<TransportResponse>, address: String) {
    self.answer = answer
    self.address = address
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let fields = HeaderFields(head.headers.map { HeaderField($0.name, $0.value) })
      response = TransportResponse(status: Int(head.status.code), headers: fields, finalURL: address)
      // Only the body of an error is read.
      if head.status.code < 400 { finish(context) }
    case .body(let piece):
      let room = Limits.errorBodyBytes - (response?.body.count ?? 0)
      response?.body += piece.readableBytesView.prefix(room)
      if piece.readableBytes >= room { finish(context) }
    case .end: finish(context)
    }
  }

  /// The connection may have been closed before this handler was added.
  func channelReadComplete(context: ChannelHandlerContext) {
    if !context.channel.isActive { finish(context) }
  }

  func channelInactive(context: ChannelHandlerContext) { finish(context) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(context) }

  /// A body that did not come whole must not hide the status.
  private func finish(_ context: ChannelHandlerContext) {
    if let response { answer.succeed(response) } else { answer.fail(ChannelError.eof) }
    context.close(promise: nil)
  }
}
