import AsyncHTTPClient
import NIOCore

/// Asks a proxy for a connection to a server: an HTTP proxy by `CONNECT` (RFC 9110 section 9.3.6), a SOCKS proxy without
/// authentication and by the server's name (RFC 1928). It removes itself once the connection stands.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State { case connect, greeting, request, done }

  private let proxy: Proxy
  private let server: WebAddress
  private let userAgent: String
  private let promise: EventLoopPromise<Void>
  private var state: State
  private var bytes = ByteBuffer()

  /// Of an answer: no proxy says more.
  private static let mostBytes = 16 << 10

  init(_ proxy: Proxy, to server: WebAddress, userAgent: String, promise: EventLoopPromise<Void>) {
    self.proxy = proxy
    self.server = server
    self.userAgent = userAgent
    self.promise = promise
    state =
      switch proxy.kind {
      case .http: .connect
      case .socks: .greeting
      }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    switch proxy.kind {
    case .http:
      let host = server.host.contains(":") ? "[\(server.host)]" : server.host
      let target = "\(host):\(server.port)"
      var head = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\nUser-Agent: \(userAgent)\r\n"
      if let authorization = proxy.authorization { head += "Proxy-Authorization: \(authorization)\r\n" }
      write(Array((head + "\r\n").utf8), context)
    case .socks: write([5, 1, 0], context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var piece = unwrapInboundIn(data)
    bytes.writeBuffer(&piece)
    while step(context) {}
    if state != .done, bytes.readableBytes > Self.mostBytes {
      fail(HTTPClientError.invalidProxyResponse, context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(HTTPClientError.remoteConnectionClosed, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

  /// - Returns: whether there may be more to read.
  private func step(_ context: ChannelHandlerContext) -> Bool {
    let view = bytes.readableBytesView
    switch state {
    case .connect:
      guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
      let line = String(decoding: view.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      bytes.moveReaderIndex(forwardBy: end.upperBound - view.startIndex)
      let parts = line.split(separator: " ")
      guard parts.count > 1, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
        fail(HTTPClientError.invalidProxyResponse, context)
        return false
      }
      if status == 407 {
        fail(HTTPClientError.proxyAuthenticationRequired, context)
      } else if (200..<300).contains(status) {
        finish(context)
      } else {
        fail(HTTPClientError.invalidProxyResponse, context)
      }
      return false
    case .greeting:
      guard let answer = bytes.readBytes(length: 2) else { return false }
      let name = Array(server.host.utf8)
      guard answer == [5, 0], name.count < 256 else {
        fail(HTTPClientError.invalidProxyResponse, context)
        return false
      }
      state = .request
      let port = [UInt8(server.port >> 8), UInt8(server.port & 255)]
      write([5, 1, 0, 3, UInt8(name.count)] + name + port, context)
      return true
    case .request:
      let answer = Array(view.prefix(5))
      guard answer.count == 5 else { return false }
      // The address that the proxy uses has one of three forms, and a port after it.
      let length: Int? =
        switch answer[3] {
        case 1: 4 + 4 + 2
        case 3: 4 + 1 + Int(answer[4]) + 2
        case 4: 4 + 16 + 2
        case _: nil
        }
      guard answer[0] == 5, answer[1] == 0, let length else {
        fail(HTTPClientError.invalidProxyResponse, context)
        return false
      }
      guard bytes.readSlice(length: length) != nil else { return false }
      finish(context)
      return false
    case .done: return false
    }
  }

  private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }

  private func finish(_ context: ChannelHandlerContext) {
    state = .done
    // Whoever waits adds the next handlers before the rest is handed on.
    promise.succeed()
    if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    guard state != .done else { return }
    state = .done
    promise.fail(error)
    context.close(promise: nil)
  }

  typealias InboundOut = ByteBuffer
}
