import Basics

/// Reads the frames that a server sends on a WebSocket, and assembles its text messages (RFC 6455 sections 5.2 to 5.5).
struct WebSocketFrames {
  enum Event {
    case message([UInt8])
    case ping([UInt8])
    /// - code: the server's status code of 2 bytes, or empty.
    case close(code: [UInt8])
  }

  /// A violation of the protocol by the server. The raw values are the close codes of section 7.4.1.
  enum Mistake: UInt16, Error {
    case protocolError = 1002
    case notText = 1007
    case tooLarge = 1009
  }

  private struct Header {
    var isLast: Bool
    var opcode: UInt8
    var length: Int
  }

  /// The received part of the next frame's header.
  private var head: [UInt8] = []
  /// The header of the frame whose payload is being read.
  private var header: Header?
  /// The payload of a control frame.
  private var control: [UInt8] = []
  /// The number of missing bytes of the payload.
  private var missing = 0
  /// The bytes of an unfinished message, and whether it is text; `nil` between messages.
  private var message: [UInt8]?
  private var isText = false
  private var messageBytes = 0

  /// Reads bytes, and calls `handle` with each complete message and control frame.
  mutating func add(_ bytes: UnsafeRawBufferPointer, _ handle: (Event) -> Void) throws(Mistake) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if header == nil {
        head.append(rest.removeFirst())
        guard let begun = try readHeader() else { continue }
        head.removeAll(keepingCapacity: true)
        try begin(begun)
      } else {
        let part = rest.prefix(missing)
        add(part)
        missing -= part.count
        rest = rest.dropFirst(part.count)
      }
      if missing == 0, let ended = header {
        header = nil
        try end(ended, handle)
      }
    }
  }

  /// - Returns: `nil` if the header is not complete yet.
  private func readHeader() throws(Mistake) -> Header? {
    guard head.count >= 2 else { return nil }
    // No extension was requested, and a server does not mask (section 5.1 and 5.2).
    guard head[0] & 0x70 == 0, head[1] & 0x80 == 0 else { throw .protocolError }
    let short = Int(head[1])
    let count = short == 126 ? 2 : short == 127 ? 8 : 0
    guard head.count == 2 + count else { return nil }
    let length = head.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Header(
      isLast: head[0] & 0x80 != 0, opcode: head[0] & 15,
      length: count == 0 ? short : Int(clamping: length))
  }

  /// Checks a frame's header, and prepares for its payload.
  private mutating func begin(_ header: Header) throws(Mistake) {
    switch header.opcode {
    case 0: guard message != nil else { throw .protocolError }
    case 1, 2:
      guard message == nil else { throw .protocolError }
      message = []
      messageBytes = 0
      isText = header.opcode == 1
    case 8, 9, 10: guard header.isLast, header.length < 126 else { throw .protocolError }
    default: throw .protocolError
    }
    if header.opcode < 8 {
      guard header.length <= Limits.streamMessageBytes - messageBytes else { throw .tooLarge }
      messageBytes += header.length
    }
    self.header = header
    control = []
    missing = header.length
  }

  private mutating func add(_ part: Slice<UnsafeRawBufferPointer>) {
    guard let header else { return }
    if header.opcode >= 8 {
      control += part
    } else if isText {
      message?.append(contentsOf: part)
    }
  }

  /// Handles a frame whose payload is complete.
  private mutating func end(_ header: Header, _ handle: (Event) -> Void) throws(Mistake) {
    switch header.opcode {
    case 8: handle(.close(code: Array(control.prefix(2))))
    case 9: handle(.ping(control))
    case 10: break
    default:
      guard header.isLast, let bytes = message else { return }
      message = nil
      // Binary messages are skipped.
      guard isText else { return }
      guard String(validating: bytes, as: UTF8.self) != nil else { throw .notText }
      handle(.message(bytes))
    }
  }

  /// Returns a frame of a client, which is masked (section 5.3).
  static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
    return [0x80 | opcode, 0x80 | UInt8(payload.count)] + mask
      + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}
