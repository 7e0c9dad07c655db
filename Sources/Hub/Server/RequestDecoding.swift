import Basics
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Completes the decoding of requests: raw UTF-8 in a URL, `100 Continue`, and text in the response to bytes that are
/// no HTTP request.
final class RequestDecoding: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let lines = RequestLines()
  private var (requests, answers) = (0, 0)
  /// The response to undecodable bytes, until it is written.
  private var refusal: ByteBuffer?

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    // Without the decoder there would be no requests either.
    guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
      return
    }
    try? pipeline.addHandler(lines, position: .before(decoder))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      requests += 1
      // It is not sent in the middle of a response, and not for a body that is refused anyway.
      if requests == answers + 1, head.headerFields[.expect]?.lowercased() == "100-continue",
        head.headerFields[.contentLength].flatMap({ Int($0) }) ?? 0 <= Limits.hubObjectBytes
      {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
    case .body(let bytes): lines.found(bytes.readableBytes)
    case .end: lines.foundEnd()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    // A response of the hub itself has a body.
    case .head(var head) where head.status == .badRequest && head.headerFields[.contentLength] == "0":
      let body = ByteBuffer(string: Self.noRequest.json)
      head.headerFields[.contentLength] = "\(body.readableBytes)"
      head.headerFields[.contentType] = "application/json"
      refusal = body
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      answers += 1
      if let refusal { context.write(wrapOutboundOut(.body(refusal)), promise: nil) }
      refusal = nil
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  static let noRequest = HubFailure(
    .badRequest,
    "is not a request of HTTP/1.1: an address has no spaces, and what is not ASCII in it is percent-encoded; the head has at most "
      + "\(Limits.hubHeadBytes) bytes")
}
