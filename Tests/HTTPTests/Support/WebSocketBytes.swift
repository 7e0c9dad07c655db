import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket

/// The bytes of a server's side of a WebSocket, valid and invalid ones.
enum WebSocketBytes {
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, reserved: UInt8 = 0, mask: [UInt8]? = nil
  ) -> [UInt8] {
    var bytes = [(isLast ? 0x80 : 0) | reserved | opcode]
    let masked: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ..<126: bytes.append(masked | UInt8(payload.count))
    case ..<65_536: bytes += [masked | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    case let count: bytes += [masked | 127] + (0..<8).map { UInt8(count >> (56 - 8 * $0) & 255) }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

  /// Returns the frames that a client sent, unmasked; `nil` for one that was not masked.
  static func sent(_ bytes: [UInt8]) -> [(opcode: UInt8, payload: [UInt8])?] {
    var rest = bytes[...]
    var frames: [(opcode: UInt8, payload: [UInt8])?] = []
    while let first = rest.popFirst(), let second = rest.popFirst() {
      let length = Int(second & 0x7F)
      guard second & 0x80 != 0, rest.count >= 4 + length else { return frames + [nil] }
      let mask = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      frames.append((first & 0x0F, rest.prefix(length).enumerated().map { $1 ^ mask[$0 % 4] }))
      rest = rest.dropFirst(length)
    }
    return frames
  }

  /// Returns the header of the response that accepts a client's handshake.
  static func accepting(_ request: ReceivedRequest) throws -> [UInt8] {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let channel = EmbeddedChannel()
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: request.path,
      headers: HTTPHeaders(request.headers.map { ($0.name, $0.value) }))
    let headers = try upgrader.buildUpgradeResponse(
      channel: channel, upgradeRequest: head, initialResponseHeaders: [:]
    ).wait()
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\(lines)\r\n".utf8)
  }
}

extension Answer {
  /// Opens a WebSocket; a handshake that breaks the rules is answered with 400.
  static func webSocket(_ held: HeldConnection, _ request: ReceivedRequest) -> Answer {
    let isAsked =
      request.method == "GET" && request["Upgrade"]?.lowercased() == "websocket"
      && request["Connection"]?.lowercased() == "upgrade" && request["Sec-WebSocket-Version"] == "13"
    guard isAsked, let head = try? WebSocketBytes.accepting(request) else {
      return .response("400 Bad Request")
    }
    return .held(held, head)
  }
}
