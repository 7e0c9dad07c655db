/// Decompresses one Deflate stream (RFC 1951) that is there as a whole.
///
/// The decompression of the libraries that we stand on knows no raw Deflate, takes an empty body for a cut
/// one, and stops at the second member of a gzip file; zlib itself is not to be reached through them.
struct Inflate: ~Copyable {
  enum Failure: Error { case truncated, damaged, limitReached }

  private let input: UnsafeRawBufferPointer
  /// Of the next byte to be taken into `bits`.
  private var next: Int
  private var bits: UInt64 = 0
  private var bitCount = 0
  private let output: GrowingBuffer
  /// Where this stream's output begins: distances do not reach further back.
  private let start: Int
  private var literals = HuffmanCode(capacity: 288)
  private var distances = HuffmanCode(capacity: 32)

  private static let lengthBases: [UInt16] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227,
    258,
  ]
  private static let lengthExtras: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases: [UInt16] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097,
    6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceExtras: [UInt8] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]
  private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  init(_ input: UnsafeRawBufferPointer, from offset: Int, into output: GrowingBuffer) {
    self.input = input
    next = offset
    self.output = output
    start = output.count
  }

  /// Appends everything that the stream holds, and returns the offset of the byte after it.
  mutating func run() throws(Failure) -> Int {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStored()
      case 1:
        try buildFixedCodes()
        try inflateBlock()
      case 2:
        try readDynamicCodes()
        try inflateBlock()
      default: throw .damaged
      }
    }
    // Whole bytes that were looked at but not needed belong to what follows.
    return next - bitCount / 8
  }

  @inline(__always)
  private mutating func refill() {
    guard bitCount <= 56 else { return }
    if next + 8 <= input.count {
      // Bits beyond the whole bytes are the true ones, and come again with the next load.
      bits |=
        UInt64(littleEndian: input.loadUnaligned(fromByteOffset: next, as: UInt64.self)) << UInt64(bitCount)
      let bytes = (63 - bitCount) / 8
      next += bytes
      bitCount += bytes * 8
      return
    }
    while bitCount <= 56, next < input.count {
      bits |= UInt64(input[next]) << UInt64(bitCount)
      next += 1
      bitCount += 8
    }
  }

  @inline(__always)
  private mutating func drop(_ count: Int) throws(Failure) {
    guard count <= bitCount else { throw .truncated }
    bits >>= UInt64(count)
    bitCount -= count
  }

  private mutating func take(_ count: Int) throws(Failure) -> Int {
    refill()
    let value = Int(bits & (1 << UInt64(count) - 1))
    try drop(count)
    return value
  }

  private mutating func copyStored() throws(Failure) {
    try drop(bitCount % 8)
    let length = try take(16)
    guard try take(16) == ~length & 0xffff else { throw .damaged }
    next -= bitCount / 8
    bits = 0
    bitCount = 0
    guard length <= input.count - next else { throw .truncated }
    try append(UnsafeRawBufferPointer(rebasing: input[next..<next + length]))
    next += length
  }

  private func append(_ piece: UnsafeRawBufferPointer) throws(Failure) {
    do { try output.append(piece) } catch { throw .limitReached }
  }

  private mutating func buildFixedCodes() throws(Failure) {
    var lengths = [UInt8](repeating: 8, count: 288)
    for symbol in 144..<256 { lengths[symbol] = 9 }
    for symbol in 256..<280 { lengths[symbol] = 7 }
    guard literals.build(lengths[...]), distances.build([UInt8](repeating: 5, count: 32)[...]) else {
      throw .damaged
    }
  }

  private mutating func readDynamicCodes() throws(Failure) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let codeLengthCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .damaged }
    var lengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeLengthCount { lengths[Self.codeLengthOrder[index]] = UInt8(try take(3)) }
    guard literals.build(lengths[...]) else { throw .damaged }

    lengths = []
    while lengths.count < literalCount + distanceCount {
      refill()
      guard let code = literals.decode(bits) else { throw bitCount < 15 ? .truncated : .damaged }
      try drop(code.length)
      var repeated: UInt8 = 0
      let times: Int
      switch code.symbol {
      case 16:
        guard let last = lengths.last else { throw .damaged }
        repeated = last
        times = try take(2) + 3
      case 17: times = try take(3) + 3
      case 18: times = try take(7) + 11
      default:
        repeated = UInt8(code.symbol)
        times = 1
      }
      lengths.append(contentsOf: repeatElement(repeated, count: times))
    }
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0,
      literals.build(lengths[..<literalCount]), distances.build(lengths[literalCount...])
    else { throw .damaged }
  }

  private mutating func inflateBlock() throws(Failure) {
    while try inflateRun() {}
  }

  /// Decodes into one stretch of room; false at the end of the block.
  private mutating func inflateRun() throws(Failure) -> Bool {
    let longestMatch = 258
    let room = output.room(for: 65_536)
    guard let base = room.baseAddress else { throw .limitReached }
    var written = 0
    defer { output.advance(by: written) }
    let isAtLimit = room.count <= longestMatch
    let history = output.count - start
    while isAtLimit || written + longestMatch <= room.count {
      refill()
      guard let code = literals.decode(bits) else { throw bitCount < 15 ? .truncated : .damaged }
      try drop(code.length)
      if code.symbol < 256 {
        guard written < room.count else { throw .limitReached }
        base.storeBytes(of: UInt8(code.symbol), toByteOffset: written, as: UInt8.self)
        written += 1
        continue
      }
      if code.symbol == 256 { return false }
      guard code.symbol < 286 else { throw .damaged }
      let lengthExtra = Int(Self.lengthExtras[code.symbol - 257])
      let length = Int(Self.lengthBases[code.symbol - 257]) + Int(bits & (1 << UInt64(lengthExtra) - 1))
      try drop(lengthExtra)
      guard let far = distances.decode(bits) else { throw bitCount < 15 ? .truncated : .damaged }
      try drop(far.length)
      guard far.symbol < 30 else { throw .damaged }
      let distanceExtra = Int(Self.distanceExtras[far.symbol])
      let distance = Int(Self.distanceBases[far.symbol]) + Int(bits & (1 << UInt64(distanceExtra) - 1))
      try drop(distanceExtra)
      guard distance <= history + written else { throw .damaged }
      guard length <= room.count - written else { throw .limitReached }
      let target = base.advanced(by: written)
      if distance >= length {
        target.copyMemory(from: target.advanced(by: -distance), byteCount: length)
      } else {
        // An overlapping match repeats what it writes.
        for offset in 0..<length {
          target.storeBytes(
            of: target.load(fromByteOffset: offset - distance, as: UInt8.self), toByteOffset: offset,
            as: UInt8.self)
        }
      }
      written += length
    }
    return true
  }
}
