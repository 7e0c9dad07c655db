/// Unpacks one layer of gzip, zlib or zstd that no header announces: files such as `feed.xml.gz`, and servers that
/// compress twice or send no header. The first bytes show the format, since no text begins with them. Everything else
/// passes unchanged.
final class SniffedEncoding: CodingDecoder {
  private var head: [UInt8] = []
  private var isDecided = false
  private var inner: (any CodingDecoder)?

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    guard !isDecided else { return try pass(piece, to: sink) }
    let wanted = 4 - head.count
    head += piece.prefix(wanted)
    guard head.count == 4 else { return }
    try begin(to: sink)
    let rest = UnsafeRawBufferPointer(rebasing: piece.dropFirst(wanted))
    if !rest.isEmpty { try pass(rest, to: sink) }
  }

  func finish(to sink: Sink) throws(Failure) {
    if !isDecided { try begin(to: sink) }
    try inner?.finish(to: sink)
  }

  /// Chooses the decoder by the first bytes, and passes them on.
  private func begin(to sink: Sink) throws(Failure) {
    isDecided = true
    if head.starts(with: [0x1F, 0x8B, 8]) {
      inner = ZlibDecoder(.gzip)
    } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      inner = ZstdDecoder()
    } else if head.count > 1, head[0] == 0x78, [1, 0x9C, 0xDA].contains(head[1]) {
      // The fourth common beginning, 0x78 0x5E, is also the text "x^".
      inner = ZlibDecoder(.deflate)
    }
    let bytes = head
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in if !bytes.isEmpty { try pass(bytes, to: sink) } }
    }
    try result.get()
  }

  private func pass(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    if let inner { try inner.decode(piece, to: sink) } else { try sink(piece) }
  }
}
