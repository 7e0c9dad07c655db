import Basics

/// Decodes `gzip` (RFC 1952) and `deflate`, with the system's zlib.
final class ZlibDecoder: CodingDecoder {
  enum Format {
    case gzip
    /// zlib's format (RFC 9110 section 8.4.1.2); some servers send the raw stream.
    case deflate
  }

  private enum State {
    /// Fewer than two bytes have arrived; the first two show the format.
    case beginning([UInt8])
    /// The bytes are not compressed: some servers announce gzip and send plain text.
    case plain
    case running(InflateStream)
    /// A member of a gzip file has ended, and another one may follow (RFC 1952 section 2.2).
    case betweenMembers([UInt8], InflateStream)
    /// The data has ended; further bytes are ignored.
    case ended
    /// All bytes were decoded, but the checksum or the length after the data is wrong.
    case doubtful
  }

  private let format: Format
  private var state = State.beginning([])

  init(_ format: Format) { self.format = format }

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var rest = piece[...]
    while !rest.isEmpty {
      switch state {
      case .beginning(var head):
        head.append(rest.removeFirst())
        state = .beginning(head)
        if head.count == 2 { try begin(head, to: sink) }
      case .betweenMembers(var head, let stream):
        head.append(rest.removeFirst())
        guard head[0] == 0x1f, head.count == 1 || head[1] == 0x8b else {
          state = .ended
          return
        }
        state = .betweenMembers(head, stream)
        if head.count == 2 {
          stream.reset()
          try run(stream, head, to: sink)
        }
      case .plain:
        try Self.cut(UnsafeRawBufferPointer(rebasing: rest), to: sink)
        return
      case .running(let stream):
        rest = rest.dropFirst(try run(stream, UnsafeRawBufferPointer(rebasing: rest), to: sink))
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

  /// Determines the format by the first two bytes, and decodes them.
  private func begin(_ head: [UInt8], to sink: Sink) throws(Failure) {
    let found: InflateStream.Format
    switch format {
    case .gzip where head == [0x1f, 0x8b]: found = .gzip
    case .gzip:
      state = .plain
      return try pass(head, to: sink)
    case .deflate: found = Self.isZlib(head) ? .zlib : .raw
    }
    try run(InflateStream(found, pieceBytes: Limits.decodedPiece), head, to: sink)
  }

  private func run(_ stream: InflateStream, _ head: [UInt8], to sink: Sink) throws(Failure) {
    state = .running(stream)
    let result = head.withUnsafeBytes { head in
      Result { () throws(Failure) in _ = try run(stream, head, to: sink) }
    }
    try result.get()
  }

  private func pass(_ head: [UInt8], to sink: Sink) throws(Failure) {
    let result = head.withUnsafeBytes { head in Result { () throws(Failure) in try sink(head) } }
    try result.get()
  }

  /// - Returns: the number of bytes that belong to this stream or member.
  private func run(
    _ stream: InflateStream, _ bytes: UnsafeRawBufferPointer, to sink: Sink
  ) throws(Failure) -> Int {
    let (used, end) = try stream.inflate(bytes, to: sink)
    switch end {
    case .running: break
    case .ended: state = format == .gzip ? .betweenMembers([], stream) : .ended
    case .doubtful: state = .doubtful
    case .damaged: throw .damaged
    }
    return used
  }

  /// Passes bytes on unchanged, in pieces of `Limits.decodedPiece`.
  private static func cut(_ bytes: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try sink(UnsafeRawBufferPointer(rebasing: rest.prefix(Limits.decodedPiece)))
      rest = rest.dropFirst(Limits.decodedPiece)
    }
  }

  /// Whether two bytes are a zlib header (RFC 1950 section 2.2): method 8, a valid window size, right check bits, no
  /// preset dictionary.
  static func isZlib(_ head: [UInt8]) -> Bool {
    head[0] & 0x0f == 8 && head[0] >> 4 <= 7 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
      && head[1] & 0x20 == 0
  }
}
