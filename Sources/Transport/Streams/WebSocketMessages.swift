import Dispatch
import Limits
import NIOCore
import NIOWebSocket

/// Puts the text messages of a WebSocket together, and answers pings and the close (RFC 6455 sections 5.4 and 5.5).
///
/// Messages are handed over on a queue; the next bytes are read only after those of the last ones were taken, so that a
/// fast server fills no memory.
final class WebSocketMessages: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = WebSocketFrame

  private let listener: StreamListener
  private let queue: DispatchQueue
  private let ended: EventLoopPromise<Void>
  /// The bytes of a message whose end has not come, and whether it is text; nil between messages.
  private var begun: (bytes: [UInt8], isText: Bool)?
  private var hasSentClose = false
  /// What comes after a close or a mistake is passed over.
  private var isOver = false

  /// - Parameter ended: fails if the rules were broken; whoever made it ends it when the connection is closed.
  init(_ listener: StreamListener, queue: DispatchQueue, ended: EventLoopPromise<Void>) {
    self.listener = listener
    self.queue = queue
    self.ended = ended
  }

  func handlerAdded(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    listener.heard()
    guard !isOver else { return }
    let frame = unwrapInboundIn(data)
    // No extension was asked for, and a server does not mask (section 5.1 and 5.2).
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.maskKey == nil else {
      return fail(.protocolError, context)
    }
    switch frame.opcode {
    case .text: begin(frame, isText: true, context)
    case .binary: begin(frame, isText: false, context)
    case .continuation: add(frame, context)
    case .ping: send(.pong, frame.data, context)
    case .pong: break
    case .connectionClose:
      // Its code goes back; the server closes the connection after that, or we do.
      let code = frame.data.getSlice(at: frame.data.readerIndex, length: min(2, frame.data.readableBytes))
      close(with: code ?? ByteBuffer(), context)
    case _: fail(.protocolError, context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    let channel = context.channel
    queue.async { channel.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let code: WebSocketErrorCode =
      if case NIOWebSocketError.invalidFrameLength = error { .messageTooLarge } else { .protocolError }
    fail(code, context, error)
  }

  /// From our side, such as when the task was cancelled.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    sendClose(Self.code(.goingAway), context)
    context.close(mode: mode, promise: promise)
  }

  private func begin(_ frame: WebSocketFrame, isText: Bool, _ context: ChannelHandlerContext) {
    guard begun == nil else { return fail(.protocolError, context) }
    begun = ([], isText)
    add(frame, context)
  }

  private func add(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard let (bytes, isText) = begun else { return fail(.protocolError, context) }
    guard bytes.count + frame.data.readableBytes <= Limits.streamMessageBytes else {
      return fail(.messageTooLarge, context)
    }
    // Binary messages are passed over.
    if isText { begun?.bytes += frame.data.readableBytesView }
    guard frame.fin, let message = begun?.bytes else { return }
    begun = nil
    guard isText else { return }
    guard let text = String(validating: message, as: UTF8.self) else {
      return fail(.dataInconsistentWithMessage, context)
    }
    let listener = listener
    queue.async { listener.onMessage(text) }
  }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  private func close(with code: ByteBuffer, _ context: ChannelHandlerContext) {
    isOver = true
    sendClose(code, context)
    ended.succeed()
    context.close(promise: nil)
  }

  private func sendClose(_ code: ByteBuffer, _ context: ChannelHandlerContext) {
    guard !hasSentClose, context.channel.isActive else { return }
    hasSentClose = true
    send(.connectionClose, code, context)
  }

  private static func code(_ code: WebSocketErrorCode) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.write(webSocketErrorCode: code)
    return buffer
  }

  private func fail(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext, _ error: (any Error)? = nil)
  {
    isOver = true
    sendClose(Self.code(code), context)
    if code == .messageTooLarge {
      ended.fail(RequestFailure.tooLarge(limit: Limits.streamMessageBytes))
    } else if let error, !(error is NIOWebSocketError) {
      ended.fail(error)
    } else {
      ended.fail(RequestFailure.malformed(reason: "the server breaks the rules of WebSockets"))
    }
    context.close(promise: nil)
  }
}
