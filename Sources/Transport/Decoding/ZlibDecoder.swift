import CZlib
import Limits

/// `gzip` (RFC 1952) and `deflate`, by the system's zlib.
final class ZlibDecoder: CodingDecoder {
  enum Format {
    case gzip
    /// zlib's format (RFC 9110 section 8.4.1.2); some servers send the raw stream.
    case deflate
  }

  private enum State {
    /// The first two bytes tell the format.
    case beginning([UInt8])
    /// Some servers announce gzip and send plain text.
    case plain
    case running
    /// A gzip file may hold several members (RFC 1952 section 2.2).
    case betweenMembers([UInt8])
    /// Further bytes are ignored.
    case ended
    /// All was decoded, but the checksum or the length behind it is wrong.
    case doubtful
  }

  private let format: Format
  private var state = State.beginning([])
  // zlib keeps a pointer to its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.decodedPiece, alignment: 16)

  init(_ format: Format) {
    self.format = format
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    // Does nothing if it was never initialized: its state is null.
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var rest = piece[...]
    while !rest.isEmpty {
      switch state {
      case .beginning(var head):
        head.append(rest.removeFirst())
        state = .beginning(head)
        if head.count == 2 { try begin(head, to: sink) }
      case .betweenMembers(var head):
        head.append(rest.removeFirst())
        guard head[0] == 0x1f, head.count == 1 || head[1] == 0x8b else {
          state = .ended
          return
        }
        state = .betweenMembers(head)
        if head.count == 2 {
          guard inflateReset(stream) == Z_OK else { throw .damaged }
          try run(head, to: sink)
        }
      case .plain:
        try Self.cut(UnsafeRawBufferPointer(rebasing: rest), to: sink)
        return
      case .running:
        rest = rest.dropFirst(try inflate(UnsafeRawBufferPointer(rebasing: rest), to: sink))
      case .ended, .doubtful: return
      }
    }
  }

  func finish(to sink: Sink) throws(Failure) {
    switch state {
    case .beginning(let head):
      guard format == .gzip, head != [0x1f] else { throw .cutOff }
      try pass(head, to: sink)
    case .running, .doubtful: throw .cutOff
    case .plain, .betweenMembers, .ended: break
    }
  }

  private func begin(_ head: [UInt8], to sink: Sink) throws(Failure) {
    let windowBits: Int32
    switch format {
    case .gzip where head == [0x1f, 0x8b]: windowBits = 15 + 16
    case .gzip:
      state = .plain
      return try pass(head, to: sink)
    case .deflate: windowBits = Self.isZlib(head) ? 15 : -15
    }
    guard reddot_inflateInit2(stream, windowBits) == Z_OK else { throw .damaged }
    try run(head, to: sink)
  }

  private func run(_ head: [UInt8], to sink: Sink) throws(Failure) {
    state = .running
    let result = head.withUnsafeBytes { head in
      Result { () throws(Failure) in _ = try inflate(head, to: sink) }
    }
    try result.get()
  }

  private func pass(_ head: [UInt8], to sink: Sink) throws(Failure) {
    let result = head.withUnsafeBytes { head in Result { () throws(Failure) in try sink(head) } }
    try result.get()
  }

  /// - Returns: how many of the bytes belong to this stream or member.
  private func inflate(_ bytes: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) -> Int {
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress, let room = buffer.baseAddress
    else {
      return 0
    }
    let count = min(bytes.count, Int(UInt32.max))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
    stream.pointee.avail_in = UInt32(count)
    while true {
      stream.pointee.next_out = room.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(buffer.count)
      let code = CZlib.inflate(stream, Z_NO_FLUSH)
      try sink(UnsafeRawBufferPointer(start: room, count: buffer.count - Int(stream.pointee.avail_out)))
      switch code {
      case Z_STREAM_END:
        state = format == .gzip ? .betweenMembers([]) : .ended
        return count - Int(stream.pointee.avail_in)
      case Z_OK where stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0: continue
      // No progress is possible without more bytes.
      case Z_OK, Z_BUF_ERROR: return count
      case Z_DATA_ERROR where isChecked:
        state = .doubtful
        return count
      default: throw .damaged
      }
    }
  }

  /// Whether the error is one of zlib's two about what stands behind the data.
  private var isChecked: Bool {
    let reason = stream.pointee.msg.map { String(cString: $0) }
    return reason == "incorrect data check" || reason == "incorrect length check"
  }

  private static func cut(_ bytes: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try sink(UnsafeRawBufferPointer(rebasing: rest.prefix(Limits.decodedPiece)))
      rest = rest.dropFirst(Limits.decodedPiece)
    }
  }

  /// RFC 1950 section 2.2: method 8, a window that exists, the check bits, no preset dictionary.
  static func isZlib(_ head: [UInt8]) -> Bool {
    head[0] & 0x0f == 8 && head[0] >> 4 <= 7 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
      && head[1] & 0x20 == 0
  }
}
