import NIOCore

/// Percent-encodes the bytes of a request's line that aren't ASCII. `curl "…?title=Größe"` sends them unchanged, and
/// the decoder after this handler would refuse the request.
///
/// A line is changed only if it is certainly a request's line: the first line of a connection, or the line
/// after a request that ended exactly with the last received byte. After any other request, as with chunks or
/// pipelining, the bytes of the connection are no longer changed.
final class RequestLines: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private enum State {
    /// The line of a request.
    case line
    /// The fields, and whether the unfinished line is empty.
    case fields(isEmpty: Bool)
    /// The body, and the number of bytes that were passed on.
    case body(Int)
    case unknown
  }

  private var state = State.line
  /// The bytes of the current request's body that the decoder has found, and whether it found the end.
  private var (decoded, hasEnded) = (0, false)

  /// Records that the decoder has found some bytes of the body.
  func found(_ bytes: Int) { decoded += bytes }

  /// Records that the decoder has found the end of a request.
  func foundEnd() { hasEnded = true }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    if case .unknown = state { return context.fireChannelRead(data) }
    if case .line = state { buffer = encodingLine(buffer) }
    pass(buffer.readableBytesView)
    context.fireChannelRead(wrapInboundOut(buffer))
    guard hasEnded else { return }
    if case .body(let bytes) = state, bytes == decoded {
      state = .line
    } else {
      state = .unknown
    }
    (decoded, hasEnded) = (0, false)
  }

  /// Updates `state` according to the received bytes of a request.
  private func pass(_ bytes: ByteBufferView) {
    for (index, byte) in bytes.enumerated() {
      switch (state, byte) {
      case (.line, UInt8(ascii: "\n")): state = .fields(isEmpty: true)
      case (.fields(isEmpty: true), UInt8(ascii: "\n")):
        state = .body(bytes.count - index - 1)
        return
      case (.fields, UInt8(ascii: "\n")): state = .fields(isEmpty: true)
      case (.fields, UInt8(ascii: "\r")), (.line, _): break
      case (.fields, _): state = .fields(isEmpty: false)
      case (.body(let passed), _):
        state = .body(passed + bytes.count)
        return
      case (.unknown, _): return
      }
    }
  }

  /// Percent-encodes the bytes of the first line that aren't ASCII.
  private func encodingLine(_ buffer: ByteBuffer) -> ByteBuffer {
    let view = buffer.readableBytesView
    let end = view.firstIndex(of: UInt8(ascii: "\n")) ?? view.endIndex
    guard view[..<end].contains(where: { $0 >= 0x80 }) else { return buffer }
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded = ByteBuffer()
    for byte in view[..<end] {
      if byte < 0x80 {
        encoded.writeInteger(byte)
      } else {
        encoded.writeBytes([UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
    encoded.writeBytes(view[end...])
    return encoded
  }
}
