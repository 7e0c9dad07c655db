import Basics
import NIOCore
import NIOHTTPTypes

/// Closes a connection if the body of a request continues for too long after the response: a body over a limit would
/// otherwise be read to its end. Bytes within the limit are read, since a connection that is closed with unread bytes
/// may lose its response.
final class AnsweredBodies: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private var (requests, answers) = (0, 0)
  private var isReceiving = false
  /// The number of bytes received since the response.
  private var rest = 0
  private var end: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      (isReceiving, rest) = (true, 0)
      requests += 1
    case .body(let bytes):
      if answers == requests { rest += bytes.readableBytes }
      guard rest <= Limits.hubRestBytes else { return context.close(promise: nil) }
    case .end:
      isReceiving = false
      end?.cancel()
      end = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      answers += 1
      if isReceiving, answers == requests {
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: .seconds(Limits.hubRestSeconds)) {
          channel.close(promise: nil)
        }
      }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    end = nil
    context.fireChannelInactive()
  }
}
